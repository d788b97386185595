"""Puts the web app together."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

from kasta.dice import new_secret
from kasta.edge import health as operating
from kasta.edge.assets import asset
from kasta.edge.config import Config
from kasta.edge.exposition import Exposition
from kasta.edge.gate import Gate
from kasta.edge.health import Operation
from kasta.edge.identity import Signer
from kasta.edge.measure import MeasuringMiddleware
from kasta.edge.middleware import VisitorMiddleware
from kasta.edge.problems import Problems
from kasta.edge.templates import error_page
from kasta.errors import KastaError
from kasta.features.api import tables as api
from kasta.features.api.page import Described, ReadablePage
from kasta.features.day import routes as day_routes
from kasta.features.day.ghost import Ghosts
from kasta.features.day.pages import DayPages
from kasta.features.evening import pages as evening
from kasta.features.hints import api as api_coach, pages as hints
from kasta.features.my_games import pages as my_games
from kasta.features.offline import pages as offline
from kasta.features.practice import pages as practice
from kasta.features.printing import pages as printing
from kasta.features.puzzles import pages as puzzle
from kasta.features.quiz import pages as quiz
from kasta.features.review import routes as review_routes
from kasta.features.share import pages as share
from kasta.features.tokens import pages as token_routes
from kasta.features.tokens.service import Tokens
from kasta.features.wall import pages as wall
from kasta.live import routes
from kasta.live.channel import Channels
from kasta.live.hot_path import HotPath
from kasta.live.joining import Joining
from kasta.live.viewer import Views
from kasta.results.store import Results
from kasta.tables.log import Log
from kasta.tables.service import Service

logger = logging.getLogger(__name__)

ROUTERS = (
    routes.router,
    hints.router,
    quiz.router,
    practice.router,
    wall.router,
    day_routes.router,
    my_games.router,
    puzzle.router,
    evening.router,
    printing.router,
    token_routes.router,
    share.router,
    offline.router,
    api.router,
    api_coach.router,
    review_routes.router,
    review_routes.api_router,
)
DEAR = (*routes.DEAR, *api.DEAR, *share.DEAR, *printing.DEAR, *evening.DEAR)  # paths of what takes long to make
LONGEST_BODY = 32_768
TIDY_SECONDS = 3_600.0
PACKING = CompressionConfig(
    "gzip",
    minimum_size=4_000,
    gzip_compress_level=4,
    exclude=[r"/stream$", r"/(play|sit)$", "^/static/"],
)
DAY = 86_400.0


async def create_app(log: Log, config: Config | None = None, exposed: Exposition | None = None) -> Any:  # noqa: ANN401
    """The ASGI application that serves a log. The key that signs who is who is the store's own."""
    config = config or Config()
    signer = Signer(await log.key("signing", new_secret()))
    service = Service(log, kept_seconds=config.retention_days * DAY)
    operation = Operation(log, service, config, exposed or Exposition())
    joining = Joining(log, service, signer, config)
    tokens = Tokens(log, signer)
    channels = Channels(Views(service, joining), config)
    ghosts = Ghosts(log, service.reviews.coach)
    day_pages = DayPages(service, Results(log.db), ghosts, has_names=config.names_on_boards)

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        gc.collect()
        gc.freeze()  # what is there now stays: collecting it again would stop thousands of streams
        gc.set_threshold(50_000, 20, 50)
        tasks = [asyncio.create_task(work) for work in (_tidy(log, service), operation.watch())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await ghosts.close()
            await service.close()

    app = Litestar(
        route_handlers=[*ROUTERS, *operating.HANDLERS, *operating.security_txt(config), asset],
        dependencies=_given(
            service=service,
            joining=joining,
            channels=channels,
            day_pages=day_pages,
            signer=signer,
            tokens=tokens,
            operation=operation,
        ),
        exception_handlers=Problems(error_page).handlers,
        compression_config=PACKING,
        openapi_config=_openapi(),
        request_max_body_size=LONGEST_BODY,
        lifespan=[lifespan],
        logging_config=None,
    )
    gate = Gate(config.limits, service.is_seated, error_page, DEAR)
    return MeasuringMiddleware(VisitorMiddleware(HotPath(app, channels), tokens, config, gate))


def _given(**things: object) -> dict[str, Provide]:
    """What handlers ask for by name.

    Two or more of them are asked for by a task each: what is called most often takes one.
    """

    def give(thing: object) -> Callable[[], object]:
        return lambda: thing

    return {name: Provide(give(thing), sync_to_thread=False) for name, thing in things.items()}


def _openapi() -> OpenAPIConfig:
    token = SecurityScheme(type="http", scheme="bearer", description="As given.")
    return OpenAPIConfig(
        "Kasta",
        "1",
        path="/api",
        description="Play Kasta's games. Whoever opens a table or sits down is given a token.",
        components=Components(security_schemes={"token": token}),
        security=[{"token": []}, {}],
        render_plugins=[Described(), ReadablePage()],
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, _method, _path: handler.handler_name,
    )


async def _tidy(log: Log, service: Service) -> None:
    """Publish the dice of tomorrow, and take up games that ended when a process died.

    Every hour look for what may be forgotten, never at the start: at one node, however many there are.
    """
    pause = 0.0
    while True:
        await asyncio.sleep(pause)
        try:
            await service.days.prepare()
            if not await log.cluster.hit("results", 1, TIDY_SECONDS / 2):
                await service.collector.collect_missing()
            if pause and not await log.cluster.hit("tidy", 1, TIDY_SECONDS - 1):
                await service.retention.sweep()
        except KastaError as error:
            logger.warning("tables could not be tidied: %s", error.code)
        pause = TIDY_SECONDS
