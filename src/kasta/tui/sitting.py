"""The table that a terminal sits at. Here it is kept in memory; `far` has those of servers. Both tell the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

from kasta.coach.reviewed import SeatTold
from kasta.core import Seat
from kasta.db.sqlite.memory import MemoryLog
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_valuer
from kasta.record import walk
from kasta.tables.commands import Command, Play, Roll, Sit, TakeBack
from kasta.tables.service import Service
from kasta.tui.reviewing import reviewed
from kasta.values import beside
from kasta.wire.tables import Choice, SeatState, TableState, tell

if TYPE_CHECKING:
    from kasta.tui.far import Far

ME = "terminal"  # the device of everybody who sits here
MOST_HINTS = 3
AT_ONCE = 0.0  # seconds before a table throws by itself


def game_of(state: TableState) -> AnyGame:
    return find_game(state.game, state.rules)


class Here:
    """A table in this process, for people at one keyboard and bots. What is refused raises `KastaError`."""

    is_ours = True  # it ends with the terminal

    def __init__(self) -> None:
        self._log = MemoryLog()
        self._service = Service(self._log, auto_seconds=AT_ONCE)
        self._table = ""

    @classmethod
    async def open(cls, game: str, rules: str | None, names: Sequence[str], bots: Sequence[str]) -> Here:
        """A new table with these people, and bots of these levels."""
        here = cls()
        try:
            here._table = (await here._service.open(ME, game, rules)).id
            for name in names:
                await here._do(Sit(ME, name))
            for number, bot in enumerate(bots, 1):
                await here._do(Sit(ME, f"{bot} {number}" if len(bots) > 1 else bot, bot))
        except BaseException:
            await here.close()
            raise
        return here

    async def state(self) -> TableState:
        """The table as it is now."""
        return tell(await self._service.table(self._table), ME, self._service.silence(self._table))

    async def news(self) -> AsyncIterator[TableState]:
        """The table now, and whenever something has happened."""
        async for table in self._service.changes(self._table):
            yield tell(table, ME, self._service.silence(self._table))

    async def sheet(self, state: TableState, seat: Seat) -> Any:  # noqa: ANN401
        """A seat's sheet, with the last throw on it."""
        table = await self._service.table(state.table)
        return table.game.solo.start() if table.play is None else table.game.sheet(table.play, seat)

    async def roll(self, state: TableState) -> None:
        await self._do(Roll(ME, state.turn))

    async def play(self, state: TableState, seat: SeatState, do: str) -> None:
        await self._do(Play(ME, state.turn, seat.seat, seat.step, do))

    async def take_back(self, state: TableState, seat: SeatState) -> None:
        """Undo the seat's last action on this throw."""
        await self._do(TakeBack(ME, state.turn, seat.seat, seat.step))

    async def hint(self, state: TableState, seat: SeatState) -> list[Choice]:
        """The best choices of a seat that has to decide, the best first."""
        game, sheet = game_of(state), await self.sheet(state, seat.seat)
        play = (await self._service.table(self._table)).play
        others_lack = None if play is None else game.others_lack(play, seat.seat)
        options = await asyncio.to_thread(lambda: beside(find_valuer(game), others_lack).options(sheet))
        return [Choice(str(each.action), each.value, each.error, "") for each in options[:MOST_HINTS]]

    async def review(self, state: TableState) -> list[SeatTold]:
        """What the own seats gave away in a game that is over."""
        source = BytesIO("\n".join(await self.record()).encode())
        told = await asyncio.to_thread(lambda: reviewed(game_of(state), list(walk(source))))
        return [told[seat.seat] for seat in state.seats if seat.mine]

    async def record(self) -> list[str]:
        """The game so far, as the lines of a record."""
        return (await self._service.record(self._table)).text.decode().splitlines()

    async def close(self) -> None:
        await self._service.close()
        await self._log.close()

    async def _do(self, command: Command) -> None:
        await self._service.do(self._table, command)


Sitting: TypeAlias = "Here | Far"
"""A table, and what can be done at it."""


def own_to_act(state: TableState) -> SeatState | None:
    """The own seat that has to act now: the first, if there are several."""
    return next((seat for seat in state.seats if "act" in seat.may), None)


def own_to_undo(state: TableState) -> SeatState | None:
    """The own seat that acted last on this throw, if it may take that back: seats act in their order."""
    return next((seat for seat in reversed(state.seats) if "take_back" in seat.may), None)


def on_the_table(state: TableState) -> Seat:
    """Whose dice lie there: those of whoever is to act, else of whoever throws next."""
    return next((seat.seat for seat in state.seats if seat.due), state.roller or 0)


def is_over(state: TableState) -> bool:
    return state.next == "over"
