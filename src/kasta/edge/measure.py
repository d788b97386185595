"""Stands before all else: gives each request an id, and measures its answer."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from kasta.edge.logs import LoggedRequest, current_request, mark
from kasta.metrics import ANSWER_SECONDS, ANSWERS

logger = logging.getLogger(__name__)

HEADER = b"x-request-id"
SANE = re.compile(rb"[A-Za-z0-9._-]{1,64}")
DRAWN = 256  # ids together: asking the system for chance takes longer than all else here
ELSEWHERE = "other"  # what we have no address for, or refuse before


class MeasuringMiddleware:
    """An id that a proxy or program sends is taken over if it is sane. It is given back."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401 - an ASGI scope
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, name = perf_counter(), _request_id(scope["headers"])
        request = LoggedRequest(name.decode("ascii"))
        current_request.set(request)

        async def send_measured(message: Any) -> None:  # noqa: ANN401 - an ASGI message
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (HEADER, name)]
                _measure(scope, message["status"], perf_counter() - began)
            await send(message)

        try:
            await self._app(scope, receive, send_measured)
        finally:
            request.id = ""


def _request_id(headers: list[tuple[bytes, bytes]]) -> bytes:
    for name, value in headers:
        if name == HEADER and SANE.fullmatch(value):
            return value
    return next(_ids)


def _new_ids() -> Iterator[bytes]:
    while True:
        drawn = secrets.token_hex(8 * DRAWN).encode()
        yield from (drawn[start : start + 16] for start in range(0, len(drawn), 16))


_ids = _new_ids()


def _measure(scope: Any, status: int, seconds: float) -> None:  # noqa: ANN401 - an ASGI scope
    path = scope.get("path_template")
    route = f"{scope['method']} {path}" if path else ELSEWHERE
    ANSWER_SECONDS.observe(seconds, route)
    ANSWERS.add(route, str(status))
    if logger.isEnabledFor(logging.DEBUG):
        more = {"route": route, "status": status, "milliseconds": round(seconds * 1000, 1)}
        if table := scope.get("path_params", {}).get("table"):
            more["table"] = mark(str(table))
        text = "%(route)s %(status)s in %(milliseconds)s ms" + (" at table %(table)s" if table else "")
        logger.debug(text, more, extra={"more": more})
