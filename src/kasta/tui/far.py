"""A table of a server, by its link or code."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from io import BytesIO
from typing import Any

from kasta.client import Client, SeatState, TableState
from kasta.client.bridge import read_link
from kasta.client.plainly import plainly
from kasta.coach.reviewed import SeatTold
from kasta.core import Seat, Throw
from kasta.i18n import DEFAULT
from kasta.record import walk
from kasta.tui.sitting import game_of
from kasta.wire.tables import Choice


class Far:
    """A seat at somebody's server: the server says what may be done, and its stream when to look again."""

    is_ours = False

    def __init__(self, client: Client, table: str) -> None:
        self._client, self._table = client, table
        self._played: tuple[int, Any] = (-1, None)  # what the record showed, and after how many events

    @classmethod
    async def join(cls, link: str, name: str, language: str = DEFAULT) -> Far:
        """Sit down at the table of a link, or of a room's address with its code."""
        url, rest = read_link(link)
        client = Client(url, language=language)
        try:
            state = await plainly(client.state(rest) if "/t/" in link else client.find(rest))
            await plainly(client.sit(state.table, name))
        except BaseException:
            await client.aclose()
            raise
        return cls(client, state.table)

    async def state(self) -> TableState:
        return await plainly(self._client.state(self._table))

    async def news(self) -> AsyncIterator[TableState]:
        state = await self.state()
        yield state
        async with aclosing(self._client.events(self._table, state.seq)) as events:
            async for seq, _ in events:
                if seq > state.seq:
                    state = await self.state()
                    yield state

    async def sheet(self, state: TableState, seat: Seat) -> Any:  # noqa: ANN401 - of any game
        """By the record; where picks are hidden in it, by the text of the sheet and the dice."""
        game, told = game_of(state), next(each for each in state.seats if each.seat == seat)
        if not state.turn or told.sheet is None:
            return game.solo.start()
        if not game.hides_picks:
            return game.sheet(await self._game_so_far(state), seat)
        sheet = game.solo.read_sheet(told.sheet)
        if told.due and isinstance(game.solo.next(sheet), Throw):
            return game.solo.throw(sheet, state.faces, last="-" in told.legal)
        return sheet

    async def _game_so_far(self, state: TableState) -> Any:  # noqa: ANN401 - of any game
        """The game by its record, which servers give only so often: it is read once for all that is shown."""
        if self._played[0] != state.seq:
            *_, last = walk(BytesIO("\n".join(await self.record()).encode()))
            self._played = (state.seq, last.table)
        return self._played[1]

    async def roll(self, state: TableState) -> None:
        await plainly(self._client.roll(self._table, state.turn))

    async def play(self, state: TableState, seat: SeatState, do: str) -> None:
        await plainly(self._client.play(self._table, state.turn, seat.seat, seat.step, do))

    async def take_back(self, state: TableState, seat: SeatState) -> None:
        await plainly(self._client.take_back(self._table, state.turn, seat.seat, seat.step))

    async def hint(self, state: TableState, seat: SeatState) -> list[Choice]:  # noqa: ARG002 - the server knows
        return (await plainly(self._client.hint(self._table, seat.seat))).actions

    async def review(self, state: TableState) -> list[SeatTold]:  # noqa: ARG002
        return (await plainly(self._client.review(self._table))).seats

    async def record(self) -> list[str]:
        return (await plainly(self._client.record(self._table))).decode().splitlines()

    async def close(self) -> None:
        await self._client.aclose()
