"""One stream of events a page: that something happened, and the dice at once; the page fetches what it needs."""

from __future__ import annotations

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import Any

from litestar import Request, Router, get
from litestar.exceptions import NotFoundException
from litestar.response import Stream

from kasta.core import Over
from kasta.errors import KastaError
from kasta.i18n import Words, words
from kasta.log import Seq
from kasta.service import Service
from kasta.table import Table
from kasta.view import MOST_LISTED
from kasta.web.render import render

HEARTBEAT_SECONDS = 15.0
CALM_SECONDS = 0.5  # in a hall, at most so often
MOST_KEPT = 512


class Broadcast:
    """The part of a table's page that is the same for all, made once for each moment and language."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, int, str], str] = OrderedDict()

    def teller(self, words: Words) -> Callable[[Table, Seq], str]:
        def tell(table: Table, seq: Seq) -> str:
            key = table.id, seq, words.language
            if key not in self._made:
                self._made[key] = _message(table, seq, words)
                if len(self._made) > MOST_KEPT:
                    self._made.popitem(last=False)
            return self._made[key]

        return tell


def _message(table: Table, seq: Seq, words: Words) -> str:
    over = isinstance(table.next(), Over) and table.turn > 0
    data = {
        "turn": table.turn,
        "dice": render(words, "dice.html", faces=table.faces, game=table.game, turn=table.turn, owing=table.owing),
        "say": _called(table),
        "over": over,
        "crowd": len(table.places) > MOST_LISTED,
        "moved": table.next_table,
    }
    return f"id: {seq}\nevent: news\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _called(table: Table) -> str:
    """A throw as it is called out."""
    if not table.faces:
        return ""
    return str(sum(table.faces)) if table.game != "yatzy" else ", ".join(map(str, table.faces))


async def news(
    service: Service, table: str, device: str, after: Seq, tell: Callable[[Table, Seq], str]
) -> AsyncIterator[str]:
    """Messages for one page. Silence is broken by a heartbeat, so that a page knows when it is cut off."""
    yield ": welcome\n\n"
    with service.present(table, device):
        arrivals = service.arrivals(table, after)
        waiting = asyncio.ensure_future(anext(arrivals))
        try:
            while True:
                done, _ = await asyncio.wait({waiting}, timeout=HEARTBEAT_SECONDS)
                if not done:
                    yield "event: beat\ndata:\n\n"
                    continue
                waiting.result()
                state, seq = await service.state(table)
                yield tell(state, seq)
                if len(state.places) > MOST_LISTED:
                    await asyncio.sleep(CALM_SECONDS)
                waiting = asyncio.ensure_future(anext(arrivals))
        except KastaError:
            yield "event: gone\ndata:\n\n"
        finally:
            waiting.cancel()


@get("/t/{table:str}/stream", include_in_schema=False)
async def page_stream(
    request: Request[Any, Any, Any], table: str, service: Service, broadcast: Broadcast
) -> Stream:
    visit: dict[str, Any] = request.scope["kasta"]  # type: ignore[typeddict-item]
    await service.table(table)
    after = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not re.fullmatch(r"\d{1,15}", after, re.ASCII):
        raise NotFoundException
    messages = news(service, table, visit["device"], Seq(int(after)), broadcast.teller(words(visit["language"])))
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(messages, media_type="text/event-stream; charset=utf-8", headers=headers)


router = Router("/", route_handlers=[page_stream])
