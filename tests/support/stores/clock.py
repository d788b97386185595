"""Lets time pass in a store, without waiting for it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest

from kasta.db import retention
from kasta.db.sqlite import file
from support.ahead import let_pass
from support.stores.played import alter

TIMES = (("nodes", "seen"), ("presence", "came"), ("presence", "gone"), ("claims", "until"), ("counts", "until"))

Later = Callable[[float], Awaitable[None]]


def clock(url: str, monkeypatch: pytest.MonkeyPatch) -> Later:
    """What nodes know of each other becomes so many seconds older."""

    async def later(seconds: float) -> None:
        if url == "memory:":
            let_pass(monkeypatch, seconds)
            monkeypatch.setattr(file, "steady", time.monotonic)
            ahead = time.time
            monkeypatch.setattr(time, "time", lambda: ahead() + seconds)
            return
        for table, column in TIMES:
            await alter(url, f"UPDATE {{}}{table} SET {column} = {column} - $1", seconds)  # noqa: S608

    return later


class Calendar:
    """The clock that events, looks and nodes go by, set to whatever is wanted. Nothing waits."""

    def __init__(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self._url, self._patch = url, monkeypatch
        self._time, self._steady, self._ahead = time.time, retention._steady, 0.0  # noqa: SLF001

    async def set(self, ahead: float) -> None:
        """Somebody sets the clock: so many seconds ahead of the real one."""
        self._ahead = ahead
        self._patch.setattr(time, "time", lambda: self._time() + ahead)
        if self._url.startswith("postgresql"):
            await set_database(self._url, ahead)

    async def go_on(self, seconds: float) -> None:
        """Time passes."""
        passed = retention._steady() - self._steady() + seconds  # noqa: SLF001
        self._patch.setattr(retention, "_steady", lambda: self._steady() + passed)
        await self.set(self._ahead + seconds)


async def set_database(url: str, ahead: float) -> None:
    """Somebody sets the clock of PostgreSQL's machine."""
    await alter(url, _NOW.format(ahead))


_NOW = """
CREATE OR REPLACE FUNCTION kasta_now() RETURNS double precision LANGUAGE sql AS $now$
    SELECT extract(epoch FROM clock_timestamp())::double precision + {}
$now$
"""
