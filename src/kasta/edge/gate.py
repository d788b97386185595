"""Before a request begins: is it one too many of its device, its table or its address, and whose turn is it?"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

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

SAFE = {"GET", "HEAD", "OPTIONS"}
PLAY = {"roll", "play", "take-back", "correct", "command"}
JOINING = {"sit", "seats", "wait", "claim"}
WATCHED = {"/health", "/ready", "/metrics"}  # by whoever looks after the server, also while it is flooded

# What they cost: play comes before looking, players before strangers.
A_MOVE, A_PAGE, A_STRANGER, DEAR = 1, 4, 8, 16

IsSeated = Callable[[str, str], bool]
"""Whether a table has a device among its people."""


class Gate:
    """All requests come in here. `dear` are regular expressions: paths of what takes long to make."""

    def __init__(
        self, limits: Limits, is_seated: IsSeated, error_page: ErrorPage, dear: Iterable[str] = ()
    ) -> None:
        self._is_seated, self._error_page = is_seated, error_page
        self._is_dear = re.compile("|".join(dear) or r"(?!)").fullmatch
        self.queue = FairQueue()
        self._commands, self._table_commands = (
            RateLimit(limits.commands_a_device),
            RateLimit(limits.commands_a_table),
        )
        self._changes = RateLimit(limits.changes_a_table)
        self._reads = RateLimit(limits.reads_a_device)
        self._dear, self._table_dear = RateLimit(limits.dear_reads_a_device), RateLimit(limits.dear_reads_a_table)
        self._strangers = RateLimit(limits.requests_an_address)

    async def admit(self, scope: Any, send: Send, visitor: Visitor) -> int:  # noqa: ANN401 - an HTTPScope
        """What it costs, when it is the visitor's turn; 0 if it came too often, which is said, or has gone."""
        path = _plain(scope["path"])
        table, action = _place(path)
        device = "" if visitor.is_new else visitor.device or ""
        is_seated = bool(table and device and self._is_seated(table, device))
        stranger = f"@{visitor.address}"
        connection = scope.get("kasta.connection")
        if connection is not None:
            connection.serve(device if is_seated else stranger)
        cost = self._cost(scope["method"], path, action, is_seated=is_seated)
        if not path.startswith("/static/"):
            now = time.monotonic()
            seconds = 0 if is_seated else self._strangers.take(stranger, now)
            count = (
                self._command if scope["method"] not in SAFE else self._dear_read if cost == DEAR else self._read
            )
            if seconds := seconds or count(device or stranger, table, action, now):
                await self._refuse(scope, send, visitor.language, seconds)
                return 0
        party = table if is_seated else path if path in WATCHED else stranger
        await self.queue.wait(party, cost)
        if connection is not None and connection.is_gone:
            return 0
        self.queue.moves += cost == A_MOVE
        return cost

    def _cost(self, method: str, path: str, action: str, *, is_seated: bool) -> int:
        if method in SAFE and self._is_dear(path):
            return DEAR
        if not is_seated:
            return A_STRANGER
        return A_MOVE if action in PLAY else A_PAGE

    def leave(self, cost: int) -> None:
        """Whoever was admitted at this cost has been answered."""
        self.queue.moves -= cost == A_MOVE

    def _command(self, who: str, table: str, action: str, now: float) -> int:
        seconds = 0 if who[0] == "@" else self._commands.take(who, now)
        if table and not seconds:
            if action not in PLAY and action not in JOINING:
                seconds = self._changes.take(table, now)
            return seconds or self._table_commands.take(table, now)
        return seconds

    def _read(self, who: str, _table: str, _action: str, now: float) -> int:
        return 0 if who[0] == "@" else self._reads.take(who, now)

    def _dear_read(self, who: str, table: str, _action: str, now: float) -> int:
        return self._dear.take(who, now) or (self._table_dear.take(table, now) if table else 0)

    async def _refuse(self, scope: Any, send: Send, language: str, seconds: int) -> None:  # noqa: ANN401
        """Say so, and hang up: whoever asks again has to come in again."""
        accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
        form = "api" if scope["path"].startswith("/api/") else "page" if b"text/html" in accept else "line"
        REFUSALS.add("too_many_requests")
        kind, body = _refusal(self._error_page, language, seconds, form)
        headers = [
            (b"content-type", kind),
            (b"content-length", b"%d" % len(body)),
            (b"retry-after", b"%d" % seconds),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 429, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _plain(path: str) -> str:
    """A path as the framework reads it."""
    return re.sub("/{2,}", "/", path).rstrip("/") or "/" if "//" in path or path.endswith("/") else path


def _place(path: str) -> tuple[str, str]:
    """The table that a path leads to, and what is asked there."""
    parts = path.split("/", 5)
    if parts[1] == "t":
        parts = parts[2:]
    elif parts[1:3] == ["api", "tables"]:
        parts = parts[3:]
    else:
        return "", ""
    return (parts[0] if parts else ""), (parts[1] if len(parts) > 1 else "")


@lru_cache(1_000)
def _refusal(error_page: ErrorPage, language: str, seconds: int, form: str) -> tuple[bytes, bytes]:
    """Its kind and its text, which a flood is told too often to be written each time."""
    said, error = words(language), Illegal("too_many_requests", seconds=seconds)
    text = said.error(error)
    if form == "api":
        problem = Problem(error.kind, error.code, text, {"seconds": seconds})
        return b"application/json", msgspec.json.encode({"error": problem})
    if form == "page":
        return b"text/html; charset=utf-8", error_page(said, text, "/").encode()
    return b"text/plain; charset=utf-8", text.encode()
