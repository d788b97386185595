"""An engine at a table of a server: it sits down as anybody does, and plays until the game is over."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlsplit

from kasta.client.api import Client
from kasta.client.connection import Refused
from kasta.core import Seat
from kasta.engine.player import StoodInFor
from kasta.engine.position import Position, turns_after
from kasta.engine.process import EngineProcess
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.messages import Note
from kasta.record import Do, walk
from kasta.tables import events as e
from kasta.wire.tables import SeatState, TableState

STALE = 409  # something else came first
AGAINST_THE_RULES = 422


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sits down: an engine, under a name, and who is told what happens."""

    engine: EngineProcess
    name: str | None
    tell: Callable[[str], None]


async def play_at(
    link: str, guest: Guest, token: str | None = None, keep: Callable[[str], None] | None = None
) -> int | None:
    """Seat an engine at the table of a link, and let it play: its total, None if it had to leave.

    `keep` is given the token of its seat; with such a token it plays on there.
    """
    url, rest = read_link(link)
    async with Client(url, token) as client:
        state = await (client.state(rest) if "/t/" in link else client.find(rest))
        await asyncio.to_thread(guest.engine.load, find_game(state.game, state.rules))
        own = next((seat for seat in state.seats if seat.mine), None)
        if own is None:
            seated = await client.sit(state.table, guest.name or guest.engine.name, program=True)
            state, number = seated.state, seated.seat
            if keep:
                keep(seated.token)
        else:
            number = own.seat
        guest.tell(Note("{name} sits at {link}", name=guest.engine.name, link=f"{url}/t/{state.table}"))
        return await _Sitting(client, guest, state, number).play()


def read_link(link: str) -> tuple[str, str]:
    """The server of a link, and the table or the code that it names."""
    parts = urlsplit(link)
    name = [part for part in parts.path.split("/") if part][-1:]
    if parts.scheme not in {"http", "https"} or not parts.netloc or not name:
        raise Unreadable("no_link", text=link[:200])
    return f"{parts.scheme}://{parts.netloc}", name[0]


class _Sitting:
    """One seat of one table. The table's stream says when to look; the server says what may be done."""

    def __init__(self, client: Client, guest: Guest, state: TableState, seat: Seat) -> None:
        self._client, self._table, self._seat, self._tell = client, state.table, seat, guest.tell
        self._game = find_game(state.game, state.rules)
        self._player = StoodInFor(guest.engine, self._game, guest.tell)
        self._open: list[str] = []  # what the seat did on this throw: the record does not tell it yet

    async def play(self) -> int | None:
        async with aclosing(self._client.events(self._table)) as told:
            async for seq, event in told:
                self._note(event)
                state = await self._client.state(self._table)
                own = next((seat for seat in state.seats if seat.seat == self._seat), None)
                if own is None or own.left:
                    return None
                if state.next == "over":
                    return own.total
                if state.seq <= seq:  # else there is more to hear first
                    await self._act(state, own)
                if self._player.has_failed:
                    await self._give_up()
                    return None
        return None

    async def _give_up(self) -> None:
        """Nobody is to win by what the quick player did under another's name."""
        name = self._player.name
        self._tell(Note("{name} has failed too often in a row, and gives its seat up.", name=name))
        with suppress(Refused):
            await self._client.leave(self._table, self._seat)

    def _note(self, event: e.AnyEvent) -> None:
        match event:
            case e.Rolled():
                self._open.clear()
            case e.Acted(seat=seat, do=do) if seat == self._seat:
                self._open.append(do)
            case e.TakenBack(seat=seat) if seat == self._seat and self._open:
                self._open.pop()

    async def _act(self, state: TableState, own: SeatState) -> None:
        try:
            if "throw" in state.may and state.roller == self._seat and state.turn:
                await self._client.roll(self._table, state.turn)
            elif own.due and "act" in own.may:
                do = await self._choose(own)
                await self._client.play(self._table, state.turn, self._seat, own.step, do)
        except Refused as refused:
            if refused.status not in {STALE, AGAINST_THE_RULES}:
                raise
            self._tell(f"{self._player.name}: {refused}")  # the stream tells what came first

    async def _choose(self, own: SeatState) -> str:
        record = await self._client.record(self._table)
        position = self._position(record, own.name)
        return str(await asyncio.to_thread(self._player.choose, position, secrets.randbits(32)))

    def _position(self, record: bytes, name: str) -> Position:
        moments = list(walk(BytesIO(record)))
        seat = moments[0].header.seats.index(name)
        turns = turns_after(moments, seat)
        if self._game.hides_picks:
            for do in self._open:
                turns.take(Do(seat, do))
        return turns.position(seat)
