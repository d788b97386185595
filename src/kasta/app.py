"""Puts the web app together."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import time
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import ClientException, HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

from kasta.dice import new_secret
from kasta.edge import health as operating
from kasta.edge.assets import asset
from kasta.edge.config import Config
from kasta.edge.exposition import Exposition
from kasta.edge.gate import Door
from kasta.edge.health import Operation
from kasta.edge.identity import Signer
from kasta.edge.measure import MeasuringMiddleware
from kasta.edge.security_txt import security_txt
from kasta.edge.visitor import VisitorMiddleware
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
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
from kasta.i18n import words
from kasta.live import routes
from kasta.live.channel import Boards
from kasta.live.hot_path import PARTS, Frequent
from kasta.live.joining import Joining
from kasta.live.render import render
from kasta.live.viewer import Views
from kasta.metrics import REFUSALS
from kasta.page.models import MessagePage
from kasta.tables.log import Log
from kasta.tables.service import Service
from kasta.wire.tables import Problem

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
LONGEST_BODY = 32_768
LONGEST_FIELD = 100  # of what is named in an answer
TIDY_SECONDS = 3_600.0
PACKING = CompressionConfig(
    "gzip",
    minimum_size=4_000,
    gzip_compress_level=4,
    exclude=[r"/stream$", r"/(play|sit)$"],
)
DAY = 86_400.0
RETRY_SECONDS = 2  # while the store does not answer
QUIET_SECONDS = 10.0  # between two lines in the log that say the same of the store


async def create_app(log: Log, config: Config | None = None, exposed: Exposition | None = None) -> Any:  # noqa: ANN401
    """The ASGI application that serves a log. The key that signs who is who is the store's own."""
    config = config or Config()
    signer = Signer(await log.key("signing", new_secret()))
    service = Service(log, kept_seconds=config.retention_days * DAY)
    operation = Operation(log, service, config, exposed or Exposition())
    joining = Joining(log, service, signer, config)
    tokens = Tokens(log, signer)
    boards = Boards(Views(service, joining), config)
    ghosts = Ghosts(log, service.reviews.coach)
    day_pages = DayPages(service, log.results, ghosts, has_names=config.names_on_boards)

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
        route_handlers=[*ROUTERS, *operating.HANDLERS, *security_txt(config), asset],
        dependencies=_given(
            service=service,
            joining=joining,
            boards=boards,
            day_pages=day_pages,
            signer=signer,
            tokens=tokens,
            operation=operation,
        ),
        exception_handlers=HANDLERS,
        compression_config=PACKING,
        openapi_config=_openapi(),
        request_max_body_size=LONGEST_BODY,
        lifespan=[lifespan],
        logging_config=None,
    )
    door = Door(config.limits, service.is_seated)
    return MeasuringMiddleware(VisitorMiddleware(Frequent(app, boards), tokens, config, door))


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


def status_of(error: KastaError) -> int:
    match error:
        case _ if error.code == "bad_token":
            return 401
        case _ if error.code in {"no_such_table", "no_such_seat", "no_such_token", "no_such_day"}:
            return 404
        case _ if error.code == "too_many_streams_in_all":
            return 503  # whoever asks is not to blame
        case _ if error.code.startswith("too_many_"):
            return 429
        case Unavailable() if error.code != "store_failed":
            return 500  # damaged: trying again does not help
        case Unavailable():
            return 503
        case Conflict():
            return 409
        case Illegal():
            return 422
        case _:
            return 400


def unavailable(request: Request[Any, Any, Any], error: Unavailable) -> Response[Any]:
    """What ails the store is for whoever hosts it: visitors hear neither addresses nor paths."""
    said = words(request.scope["kasta"]["language"])  # type: ignore[typeddict-item]
    status = status_of(error)
    if status == 503:  # noqa: PLR2004
        _log_trouble(error)
        text = said.say("The store does not answer: try again in a moment.")
    else:
        text = said.say("This table cannot be played on here.")
    answer = _answer(request, status, text, Unavailable(error.code))
    if status == 503:  # noqa: PLR2004
        answer.headers["retry-after"] = str(RETRY_SECONDS)
    return answer


def _log_trouble(error: Unavailable) -> None:
    """A store that is down refuses thousands: that is said once in a while."""
    now = time.monotonic()
    if now >= _quiet_until.get(error.code, 0.0):
        _quiet_until[error.code] = now + QUIET_SECONDS
        logger.warning("%s", error)


_quiet_until: dict[str, float] = {}


def refused(request: Request[Any, Any, Any], error: KastaError) -> Response[Any]:
    """What the rules refuse, in the visitor's language."""
    said = words(request.scope["kasta"]["language"])  # type: ignore[typeddict-item]
    answer = _answer(request, status_of(error), said.error(error), error)
    if "seconds" in error.params:
        answer.headers["retry-after"] = str(error.params["seconds"])
    return answer


def failed(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    said, field = words(request.scope["kasta"]["language"]), _wrong_field(error)  # type: ignore[typeddict-item]
    if error.status_code == 404:  # noqa: PLR2004
        text = said.say("There is nothing here.")
    elif field:
        text = said.say("That did not work: check “{field}”.", field=field)
    else:
        text = said.say("That did not work.")
    answer = _answer(request, error.status_code, text, field=field)
    answer.headers.update(error.headers or {})
    return answer


def _wrong_field(error: HTTPException) -> str | None:
    """What is wrong, missing or unknown in a body or query that does not fit its description."""
    if not isinstance(error, ValidationException) or not isinstance(error.extra, list) or not error.extra:
        return None
    about: dict[str, Any] = error.extra[0]
    path = [] if about.get("key") in {None, "data"} else [str(about["key"])]
    named = re.search(r"field `([^`]*)`", str(about.get("message")))
    return ".".join([*path, *([named[1]] if named else [])])[:LONGEST_FIELD] or None


def garbled(request: Request[Any, Any, Any], _error: Exception) -> Response[Any]:
    """A body nested too deeply, or no UTF-8, which the decoder does not call a fault of the sender's."""
    return failed(request, ClientException())


def broken(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A fault of ours. It is logged by its kind and place, without names, tokens or links."""
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("a fault: %s\n%s", type(error).__name__, place)
    said = words(request.scope["kasta"]["language"])  # type: ignore[typeddict-item]
    return _answer(request, 500, said.say("That did not work."))


def _answer(
    request: Request[Any, Any, Any],
    status: int,
    text: str,
    error: KastaError | None = None,
    field: str | None = None,
) -> Response[Any]:
    kind, code = (error.kind, error.code) if error else ("http", str(status))
    REFUSALS.add(code)
    if request.url.path.startswith("/api"):
        params = error.params.items() if error else ()
        told = {key: value if isinstance(value, int) else str(value) for key, value in params}
        return Response({"error": Problem(kind, code, text, told, field)}, status_code=status)
    if PARTS in request.headers.get("accept", ""):
        return Response(text, status_code=status, media_type="text/plain")
    said = words(request.scope["kasta"]["language"])  # type: ignore[typeddict-item]
    match = request.url.path.split("/")
    back = f"/t/{match[2]}" if match[1] == "t" and status != 404 else "/"  # noqa: PLR2004
    return routes.html(render(said, "error.html", MessagePage(text, back)), status)


HANDLERS: dict[int | type[Exception], Any] = {
    Unavailable: unavailable,
    KastaError: refused,
    HTTPException: failed,
    RecursionError: garbled,
    UnicodeDecodeError: garbled,
    Exception: broken,
}
