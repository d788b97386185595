"""One stream of events a page: that something happened, and the dice at once; the page fetches what it needs."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from litestar import Request, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from kasta.core import Over
from kasta.errors import KastaError
from kasta.i18n import Words, words
from kasta.table.service import Service
from kasta.table.state import Table
from kasta.table.view import MOST_LISTED
from kasta.web.contexts import thrown_dice
from kasta.web.render import render

T = TypeVar("T")

HEARTBEAT_SECONDS = 15.0
BEAT = "event: beat\ndata:\n\n"
CALM_SECONDS = 0.5  # in a hall, at most so often
MOST_KEPT = 512


class Broadcast:
    """The part of a table's page that is the same for all, made once for each moment and language."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, int, str], str] = OrderedDict()

    def teller(self, words: Words) -> Callable[[Table], str]:
        def tell(table: Table) -> str:
            key = table.id, table.seq, words.language
            if key not in self._made:
                self._made[key] = _message(table, words)
                if len(self._made) > MOST_KEPT:
                    self._made.popitem(last=False)
            return self._made[key]

        return tell


def _message(table: Table, words: Words) -> str:
    over = isinstance(table.next(), Over) and table.turn > 0
    data = {
        "turn": table.turn,
        "dice": render(words, "thrown.html", thrown_dice(table)),
        "over": over,
        "crowd": len(table.places) > MOST_LISTED,
        "moved": table.next_table,
    }
    return f"id: {table.seq}\nevent: news\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def news(service: Service, table: str, device: str, tell: Callable[[Table], str]) -> AsyncIterator[str]:
    """Messages for one page. Silence is broken by a heartbeat, so that a page knows when it is cut off."""
    async with aclosing(with_beats(service.changes(table))) as changes:
        with service.presence.of(table, device):
            yield ": welcome\n\n"
            try:
                async for state in changes:
                    if state is None:
                        yield BEAT
                        continue
                    yield tell(state)
                    if len(state.places) > MOST_LISTED:
                        await asyncio.sleep(CALM_SECONDS)
            except KastaError as error:
                if error.code == "no_such_table":
                    yield "event: gone\ndata:\n\n"  # else the page comes back by itself


_waiting: set[asyncio.Future[Any]] = set()  # what the streams of this process wait for


def end_streams() -> None:
    """Let all streams of this process end: it is about to."""
    for waiting in _waiting:
        waiting.cancel()


async def with_beats(source: AsyncGenerator[T, None]) -> AsyncGenerator[T | None, None]:
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
    broadcast: NamedDependency[Broadcast],
) -> Stream:
    visit: dict[str, Any] = request.scope["kasta"]  # type: ignore[typeddict-item]
    await service.table(table)
    service.presence.check(table, visit["device"] or "")
    messages = news(service, table, visit["device"], broadcast.teller(words(visit["language"])))
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(messages, media_type="text/event-stream; charset=utf-8", headers=headers)


router = Router("/", route_handlers=[page_stream])
