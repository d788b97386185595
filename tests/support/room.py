"""A table without a store: commands are decided and evolved at once, and the log is kept."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from kasta.core import Throw
from kasta.dice import commitment
from kasta.games import find_game
from kasta.tables import events as e
from kasta.tables.commands import Command, Play, Roll, Sit, TakeBack, decide
from kasta.tables.state import Table, evolve

SECRET = bytes(32)
HOST = "host's phone"


class Room:
    """People are named after their devices: Anna's is "anna". The host is not seated unless she sits down."""

    def __init__(self, *people: str, game: str = "knister", rules: str | None = None, **settings: Any) -> None:  # noqa: ANN401
        opened = e.OpenedEvent(
            "t1", game, rules or find_game(game).rules, e.Settings(**settings), HOST, commitment(SECRET)
        )
        self.log: list[e.AnyEvent] = [opened]
        self.table: Table = evolve(None, opened)
        for name in people:
            self.do(Sit(name.lower(), name))

    def do(self, command: Command, *, away: Collection[str] = ()) -> e.AnyEvent:
        """Carry a command out, while some devices have long been away."""
        event = decide(self.table, command, lambda device: math.inf if device in away else 0.0)
        self.table = evolve(self.table, event)
        self.log.append(event)
        return event

    def roll(self, *faces: int, by: str | None = None) -> e.AnyEvent:
        """A throw, by the host to begin with and then by whoever's turn it is, unless told otherwise."""
        expected: Any = self.table.next()
        if by is None:
            turn = self.table.turn and isinstance(expected, Throw)
            by = self.table.places[expected.roller].device if turn else HOST
        return self.do(Roll(by, self.table.turn, faces))

    def play(self, seat: int, do: str, by: str | None = None) -> e.AnyEvent:
        device = self.table.places[seat].device if by is None else by
        return self.do(Play(device, self.table.turn, seat, self.table.step(seat), do))

    def take_back(self, seat: int, by: str | None = None) -> e.AnyEvent:
        device = self.table.places[seat].device if by is None else by
        return self.do(TakeBack(device, self.table.turn, seat, self.table.step(seat)))

    def sheet(self, seat: int) -> str:
        return self.table.game.solo.write_sheet(self.table.game.sheet(self.table.play, seat))
