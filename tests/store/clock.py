"""Lets time pass in a store, without waiting for it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest
from played import alter

TIMES = (("nodes", "seen"), ("presence", "came"), ("presence", "gone"), ("claims", "until"), ("counts", "until"))

Later = Callable[[float], Awaitable[None]]


def clock(url: str, monkeypatch: pytest.MonkeyPatch) -> Later:
    """What nodes know of each other becomes so many seconds older."""

    async def later(seconds: float) -> None:
        if url == "memory:":
            now = time.monotonic()
            monkeypatch.setattr(time, "monotonic", lambda: now + seconds)
            return
        for table, column in TIMES:
            await alter(url, f"UPDATE {{}}{table} SET {column} = {column} - $1", seconds)  # noqa: S608

    return later
