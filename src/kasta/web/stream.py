"""Event streams: of a table's page, and what streams of pages and programs have in common."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeVar

from litestar import Request, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from kasta.table.service import Service
from kasta.web.boards import HEARTBEAT_SECONDS, Boards, Listener, new_page
from kasta.web.viewing import viewer_of

T = TypeVar("T")

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
LONGEST_NAME = 40  # of a page

_waiting: set[asyncio.Future[Any]] = set()  # what the streams of programs wait for
_listeners: set[Listener] = set()  # the streams of pages


def end_streams() -> None:
    """Let all streams of this process end: it is about to."""
    for waiting in _waiting:
        waiting.cancel()
    for listener in _listeners:
        listener.close()


async def with_beats(source: AsyncGenerator[T]) -> AsyncGenerator[T | None]:
    """What comes, and None whenever nothing has come for a while."""
    async with aclosing(source):
        waiting = asyncio.ensure_future(anext(source))
        try:
            while True:
                _waiting.add(waiting)
                done, _ = await asyncio.wait({waiting}, timeout=HEARTBEAT_SECONDS)
                if not done:
                    yield None
                    continue
                _waiting.discard(waiting)
                if waiting.cancelled():
                    return
                yield waiting.result()
                waiting = asyncio.ensure_future(anext(source))
        finally:
            _waiting.discard(waiting)
            waiting.cancel()
            await asyncio.wait({waiting})


@get("/t/{table:str}/stream", include_in_schema=False)
async def page_stream(
    request: Request[Any, Any, Any],
    table: FromPath[str],
    service: NamedDependency[Service],
    boards: NamedDependency[Boards],
    page: FromQuery[str] = "",
    digest: FromQuery[str] = "",
) -> Stream:
    """News for one page; `digest` is that of what it shows already."""
    listener = Listener(page[:LONGEST_NAME] or new_page(), viewer_of(request))
    await service.table(table)
    service.presence.check(table, listener.viewer.device)

    async def told() -> AsyncGenerator[bytes]:
        _listeners.add(listener)
        try:
            with service.presence.of(table, listener.viewer.device):
                async with boards.listening(table, listener, digest):
                    async for sent in listener.messages():
                        yield sent
        finally:
            _listeners.discard(listener)

    return Stream(told(), media_type="text/event-stream; charset=utf-8", headers=HEADERS)


router = Router("/", route_handlers=[page_stream])
