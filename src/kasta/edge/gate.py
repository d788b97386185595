"""Before a request begins: is it one too many of its device, its table or its address, and whose turn is it?"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from litestar.types import Send

from kasta.edge.fair_queue import FairQueue
from kasta.edge.limits import Limits, RateLimit
from kasta.edge.problems import ErrorPage
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.i18n import words
from kasta.metrics import REFUSALS
from kasta.wire.tables import Problem

JSON, TEXT = b"application/json", b"text/plain; charset=utf-8"
SAFE = {"GET", "HEAD", "OPTIONS"}
PLAY = {"roll", "play", "take-back", "correct", "command"}
JOINING = {"sit", "seats", "wait", "claim"}
BESIDE = {"react", "nudge"}  # change nothing at a table; they have limits of their own
WATCHED = {"/health", "/ready", "/metrics"}  # by whoever looks after the server, also while it is flooded

# What they cost: play comes before looking, players before strangers.
A_MOVE, A_PAGE, A_STRANGER, DEAR = 1, 4, 8, 16

IsSeated = Callable[[str, str], bool]
"""Whether a table has a device among its people."""


class GatedRequest(NamedTuple):
    """A request as limits and turns see it. Without a device that we know, or a table, these are ''."""

    path: str
    table: str
    action: str
    device: str
    address: str  # by which those without a seat are counted
    is_seated: bool
    is_read: bool
    cost: int

    @property
    def owner(self) -> str:
        """To whom the connection belongs."""
        return self.device if self.is_seated else self.address

    @property
    def party(self) -> str:
        """Who waits for whom."""
        if self.is_seated:
            return self.table
        return self.path if self.path in WATCHED else self.address


class Gate:
    """All requests come in here. `dear` are regular expressions: paths of what takes long to make."""

    def __init__(
        self, limits: Limits, is_seated: IsSeated, error_page: ErrorPage, dear: Iterable[str] = ()
    ) -> None:
        self._is_seated, self._error_page = is_seated, error_page
        self._is_dear = re.compile("|".join(dear) or r"(?!)").fullmatch
        self.queue = FairQueue()
        self._commands = RateLimit(limits.commands_a_device)
        self._table_commands = RateLimit(limits.commands_a_table)
        self._changes = RateLimit(limits.changes_a_table)
        self._reads = RateLimit(limits.reads_a_device)
        self._dear, self._table_dear = RateLimit(limits.dear_reads_a_device), RateLimit(limits.dear_reads_a_table)
        self._strangers = RateLimit(limits.requests_an_address)
        self._address_commands = RateLimit(limits.commands_an_address)

    async def admit(self, scope: Any, send: Send, visitor: Visitor) -> int:  # noqa: ANN401 - an HTTPScope
        """What it costs, when it is the visitor's turn; 0 if it came too often, which is said, or has gone."""
        asked, connection = self._asked(scope, visitor), scope.get("kasta.connection")
        if connection is not None:
            connection.serve(asked.owner)
        if seconds := self._seconds_to_wait(asked):
            await self._refuse(scope, send, visitor.language, seconds)
            return 0
        await self.queue.wait(asked.party, asked.cost)
        if connection is not None and connection.is_gone:
            return 0
        self.queue.moves += asked.cost == A_MOVE
        return asked.cost

    def leave(self, cost: int) -> None:
        """Whoever was admitted at this cost has been answered."""
        self.queue.moves -= cost == A_MOVE

    def _asked(self, scope: Any, visitor: Visitor) -> GatedRequest:  # noqa: ANN401
        path: str = scope["path"]
        table, action = _place(path)
        device = "" if visitor.is_new else visitor.device or ""
        is_seated = bool(table and device and self._is_seated(table, device))
        is_read = scope["method"] in SAFE
        cost = DEAR if is_read and self._is_dear(path) else _cost(action) if is_seated else A_STRANGER
        return GatedRequest(path, table, action, device, f"@{visitor.address}", is_seated, is_read, cost)

    def _seconds_to_wait(self, asked: GatedRequest) -> int:
        """Count a request; or how much too early it comes, which only the limits before that one count."""
        now = time.monotonic()
        return next(filter(None, (limit.take(key, now) for limit, key in self._limits(asked))), 0)

    def _limits(self, asked: GatedRequest) -> Iterator[tuple[RateLimit, str]]:
        """All that a request is counted by, and as what."""
        if asked.path.startswith("/static/"):
            return
        if not asked.is_seated:
            yield self._strangers, asked.address
        if asked.cost == DEAR:
            yield self._dear, asked.device or asked.address
        elif asked.device:
            yield self._reads if asked.is_read else self._commands, asked.device
        if asked.table:
            yield from self._limits_of_table(asked)
        if not asked.is_read:
            yield self._address_commands, asked.address

    def _limits_of_table(self, asked: GatedRequest) -> Iterator[tuple[RateLimit, str]]:
        if asked.cost == DEAR:
            yield self._table_dear, asked.table
        elif not asked.is_read:
            if asked.action not in PLAY | JOINING | BESIDE:
                yield self._changes, asked.table
            yield self._table_commands, asked.table

    async def _refuse(self, scope: Any, send: Send, language: str, seconds: int) -> None:  # noqa: ANN401
        """Say so, and hang up: whoever asks again has to come in again."""
        accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
        form = "api" if scope["path"].startswith("/api/") else "page" if b"text/html" in accept else "line"
        REFUSALS.add("too_many_requests")
        kind, body = _refusal(self._error_page, language, seconds, form)
        await hang_up(send, 429, kind, body, (b"retry-after", b"%d" % seconds))


async def hang_up(send: Send, status: int, kind: bytes, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer before the framework is asked, for the last time on this connection."""
    own = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _cost(action: str) -> int:
    return A_MOVE if action in PLAY else A_PAGE


def _place(path: str) -> tuple[str, str]:
    """The table that a path leads to, and what is asked there."""
    match path.split("/", 5)[1:]:
        case ["t", table, *more] | ["api", "tables", table, *more]:
            return table, more[0] if more else ""
    return "", ""


@lru_cache(1_000)
def _refusal(error_page: ErrorPage, language: str, seconds: int, form: str) -> tuple[bytes, bytes]:
    """Its kind and its text, which a flood is told too often to be written each time."""
    said, error = words(language), Illegal("too_many_requests", seconds=seconds)
    text = said.error(error)
    if form == "api":
        problem = Problem(error.kind, error.code, text, {"seconds": seconds})
        return JSON, msgspec.json.encode({"error": problem})
    if form == "page":
        return b"text/html; charset=utf-8", error_page(said, text, "/").encode()
    return TEXT, text.encode()
