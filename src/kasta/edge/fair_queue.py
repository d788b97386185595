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

DRAWN_AT_ONCE = 1  # threads take time from the event loop, and two get no more done than one


class _Turns:
    """Who waits, and how much each party has had since somebody does."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._had: dict[str, int] = {}
        self._now = 0  # how much those have had who are served now

    def _place(self, party: str, cost: int) -> int:
        place = max(self._had.get(party, 0), self._now)
        self._had[party] = place + cost
        return place

    def _turn(self, place: int, cost: int) -> asyncio.Future[None]:
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (place, next(self._numbers), cost, turn))
        return turn

    def _let_in(self) -> int:
        """What the next one costs, who begins now; 0 if nobody waits."""
        while self._waiting:
            self._now, _, cost, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return cost
        self._had.clear()
        self._now = 0
        return 0


class FairQueue(_Turns):
    """In each round of the event loop one waiting request begins, of the party that has had the least.

    A party is a table's people, or the strangers at one address. While nobody waits, everybody begins at once.
    What is dear leaves some rounds to moves that are under way, which would else wait in each of their steps.
    """

    def __init__(self) -> None:
        super().__init__()
        self.moves = 0  # under way
        self._rounds = 0  # that are left to moves
        self._is_taken = False  # this round of the event loop

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def wait(self, party: str, cost: int = 1) -> None:
        """Come back when it is the party's turn, for something that costs so much."""
        place = self._place(party, cost)
        if self._is_taken:
            await self._turn(place, cost)
        else:
            self._is_taken = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        if self.moves and self._rounds and self._waiting and self._waiting[0][2] > 1:
            self._rounds -= 1
        elif cost := self._let_in():
            self._rounds = cost
        else:
            self._is_taken = False
            return
        asyncio.get_running_loop().call_soon(self._next)


class FairSlots(_Turns):
    """So many at once. When one ends, the next is of the party that has had the least since somebody waits."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._free = most

    @asynccontextmanager
    async def of(self, party: str) -> AsyncGenerator[None]:
        """A slot, as soon as it is the party's turn."""
        place = self._place(party, 1)
        if self._free:
            self._free -= 1
        else:
            turn = self._turn(place, 1)
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
        self._free += not self._let_in()


_drawing = FairSlots(DRAWN_AT_ONCE)


async def draw_in_thread(party: str, draw: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Draw something dear in a thread, when it is the party's turn."""
    async with _drawing.of(party):
        return await asyncio.to_thread(draw, *args, **options)
