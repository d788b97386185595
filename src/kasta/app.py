"""Puts the web app together."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from litestar import Litestar, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.status_codes import HTTP_404_NOT_FOUND
from litestar.types import ControllerRouterHandler, Guard

from kasta.dice import new_secret
from kasta.edge import health as operating
from kasta.edge.assets import asset, bring
from kasta.edge.config import Config
from kasta.edge.exposition import Exposition
from kasta.edge.gate import Gate
from kasta.edge.health import Operation
from kasta.edge.identity import Signer
from kasta.edge.measure import MeasuringMiddleware
from kasta.edge.middleware import VisitorMiddleware
from kasta.edge.problems import Problems
from kasta.edge.templates import error_page
from kasta.edge.visitor import visitor_of
from kasta.errors import KastaError
from kasta.feature import TIDY_SECONDS, Feature, Site, features_of_others, prepare
from kasta.features import (
    api,
    challenge,
    circle,
    day,
    evening,
    hints,
    home,
    learn,
    listing,
    lobby,
    my_games,
    notices,
    offline,
    pocket,
    practice,
    printing,
    proof,
    puzzles,
    quiz,
    reactions,
    review,
    rules,
    share,
    tokens,
    wall,
)
from kasta.features.api.page import Described, ReadablePage
from kasta.live import routes
from kasta.live.hot_path import HotPath
from kasta.live.sealed import Seals
from kasta.page.navigation import NAVIGATION
from kasta.page.sections import bring as bring_sections
from kasta.tables.log import Log

logger = logging.getLogger(__name__)

OURS: tuple[Feature, ...] = (
    home.FEATURE,
    lobby.FEATURE,
    rules.FEATURE,
    proof.FEATURE,
    hints.FEATURE,
    quiz.FEATURE,
    practice.FEATURE,
    reactions.FEATURE,
    wall.FEATURE,
    day.FEATURE,
    challenge.FEATURE,
    learn.FEATURE,
    my_games.FEATURE,
    notices.FEATURE,
    puzzles.FEATURE,
    evening.FEATURE,
    printing.FEATURE,
    tokens.FEATURE,
    share.FEATURE,
    offline.FEATURE,
    pocket.FEATURE,
    api.FEATURE,
    listing.FEATURE,
    circle.FEATURE,
    review.FEATURE,
)
LONGEST_BODY = 32_768
PACKING = CompressionConfig(
    "gzip",
    minimum_size=4_000,
    gzip_compress_level=4,
    exclude=[r"/stream$", r"/(play|sit)$", "^/static/", "/packed/"],
)


@cache
def all_features() -> tuple[Feature, ...]:
    """Ours, and those of installed packages."""
    return (*OURS, *features_of_others())


async def create_app(
    log: Log,
    config: Config | None = None,
    exposed: Exposition | None = None,
    features: Sequence[Feature] | None = None,
) -> Any:  # noqa: ANN401
    """The ASGI application that serves a log. The key that signs who is who is the store's own."""
    config, features = config or Config(), all_features() if features is None else features
    await prepare(log, features)
    bring((feature.name, feature.folder) for feature in features)
    bring_sections({name: each for feature in features for name, each in feature.sections.items()})
    NAVIGATION.bring(
        [feature.brings for feature in features if feature.brings],
        [(feature.name, feature.place) for feature in features],
    )
    signer = Signer(await log.key("signing", new_secret()))
    site = Site(log, config, signer, features)
    operation = Operation(log, site.service, config, exposed or Exposition())
    seals = Seals(site.service, site.dice.told_at)
    app = Litestar(
        route_handlers=_handlers(features, config),
        dependencies=_given(operation=operation, **site.given),
        exception_handlers=Problems(error_page).handlers,
        compression_config=PACKING,
        openapi_config=_openapi(),
        request_max_body_size=LONGEST_BODY,
        guards=[_unsealed(seals)],
        lifespan=[lambda _app: _alive(site, operation)],
        logging_config=None,
    )
    slow = [path for feature in features for path in feature.slow]
    gate = Gate(config.limits, site.service.is_seated, error_page, slow)
    return MeasuringMiddleware(VisitorMiddleware(HotPath(app, site.channels, seals), site.tokens, config, gate))


@asynccontextmanager
async def _alive(site: Site, operation: Operation) -> AsyncIterator[None]:
    """What goes on while the app is served."""
    gc.collect()
    gc.freeze()  # what is there now stays: collecting it again would stop thousands of streams
    gc.set_threshold(50_000, 20, 50)
    tasks = [asyncio.create_task(work) for work in (_tidy(site), operation.watch())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await site.close()


def _handlers(features: Sequence[Feature], config: Config) -> list[ControllerRouterHandler]:
    pages = [page for feature in features for page in feature.pages]
    calls = [call for feature in features for call in feature.api]
    return [
        Router("/", route_handlers=[*routes.HANDLERS, *pages], include_in_schema=False),
        Router("/api", route_handlers=calls),
        *operating.HANDLERS,
        *operating.security_txt(config),
        asset,
    ]


def _unsealed(seals: Seals) -> Guard:
    """Asks before every handler."""

    async def check(connection: Any, _handler: Any) -> None:  # noqa: ANN401 - of the framework
        if connection.scope["type"] == "http":
            await seals.check(connection.scope["path"], visitor_of(connection))

    return check


def _given(**things: object) -> dict[str, Provide]:
    """What handlers ask for by name.

    Two or more of them are asked for by a task each: what is called most often takes one.
    """

    def give(thing: object) -> Callable[[], object]:
        return lambda: thing

    return {name: Provide(give(thing), sync_to_thread=False) for name, thing in things.items()}


def _say_what_is_not_there(response: Response[Any]) -> Response[Any]:
    """In JSON, as everything under this address does, instead of a page of Litestar's."""
    if response.status_code == HTTP_404_NOT_FOUND:
        raise NotFoundException
    return response


def _openapi() -> OpenAPIConfig:
    token = SecurityScheme(type="http", scheme="bearer", description="As given.")
    return OpenAPIConfig(
        "Kasta",
        "1",
        openapi_router=Router(
            "/api",
            route_handlers=[],
            include_in_schema=False,
            dto=None,
            return_dto=None,
            after_request=_say_what_is_not_there,
        ),
        description="Play Kasta's games. Whoever opens a table or sits down is given a token.",
        components=Components(security_schemes={"token": token}),
        security=[{"token": []}, {}],
        render_plugins=[Described(), ReadablePage()],
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, _method, _path: handler.handler_name,
    )


async def _tidy(site: Site) -> None:
    """What is to be done at the start and every hour."""
    pause = 0.0
    while True:
        await asyncio.sleep(pause)
        try:
            await site.tidy(is_start=not pause)
        except KastaError as error:
            logger.warning("tables could not be tidied: %s", error.code)
        pause = TIDY_SECONDS
