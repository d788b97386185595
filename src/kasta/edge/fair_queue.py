"""Whose request is next: start-time fair queueing. Who floods the server waits for itself, not others for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

DRAWN_AT_ONCE = 2  # pictures and pads: threads take time from the event loop


class FairQueue:
    """In each round of the event loop one waiting request begins, of the party that has had the least.

    A party is a table's people, or the strangers at one address. While nobody waits, everybody begins at once.
    What is dear leaves some rounds to moves that are under way, which would else wait in each of their steps.
    """

    def __init__(self) -> None:
        self.moves = 0  # under way
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._had: dict[str, int] = {}  # since requests began to wait
        self._now = 0  # how much those have had who are served now
        self._rounds = 0  # that are left to moves
        self._is_taken = False  # this round of the event loop

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def wait(self, party: str, cost: int = 1) -> None:
        """Come back when it is the party's turn, for something that costs so much."""
        place = max(self._had.get(party, 0), self._now)
        self._had[party] = place + cost
        loop = asyncio.get_running_loop()
        if not self._is_taken:
            self._is_taken = True
            loop.call_soon(self._next, loop)
            return
        turn = loop.create_future()
        heappush(self._waiting, (place, next(self._numbers), cost, turn))
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            if self.moves and self._rounds and self._waiting[0][2] > 1:
                self._rounds -= 1
                loop.call_soon(self._next, loop)
                return
            self._now, _, self._rounds, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                loop.call_soon(self._next, loop)
                return
        self._is_taken = False
        self._had.clear()
        self._now = 0


class FairSlots:
    """So many at once. When one ends, the next is of the party that has had the least since somebody waits."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._had: dict[str, int] = {}
        self._now = 0

    @asynccontextmanager
    async def of(self, party: str) -> AsyncGenerator[None]:
        """A slot, as soon as it is the party's turn."""
        place = max(self._had.get(party, 0), self._now)
        self._had[party] = place + 1
        if self._free:
            self._free -= 1
        else:
            turn = asyncio.get_running_loop().create_future()
            heappush(self._waiting, (place, next(self._numbers), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        while self._waiting:
            self._now, _, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
        self._had.clear()
        self._now = 0


_drawing = FairSlots(DRAWN_AT_ONCE)


async def draw_in_thread(party: str, draw: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Draw something dear in a thread, when it is the party's turn."""
    async with _drawing.of(party):
        return await asyncio.to_thread(draw, *args, **options)
