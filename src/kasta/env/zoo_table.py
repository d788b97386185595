"""A table of several agents: what the composers say, in the numbers of a coding."""

from __future__ import annotations

import secrets

import numpy as np

from kasta.core import Over, Pick, Seat, Throw
from kasta.env.coding import Mask, Row, find_coding
from kasta.env.dice_stream import Stream, dice_start
from kasta.env.render import Frame, render
from kasta.games import find_game
from kasta.record import Do, Header, Roll, Step, write_record


class ZooTable:
    """One game after the other at a table of so many seats."""

    def __init__(self, game: str, rules: str | None, names: tuple[str, ...]) -> None:
        self.game, self.coding = find_game(game, rules), find_coding(game, rules)
        self.seats = list(range(len(names)))
        self.header = Header(game, self.coding.rules, names)
        self._dice: Stream | None = None

    def begin(self, seed: int | None) -> None:
        """A new game; with a seed, from that seed's first throw, without one, from where its dice have come to."""
        if seed is not None or self._dice is None:
            self._dice = Stream(dice_start(secrets.randbits(64) if seed is None else seed))
        self._table = self.game.start(len(self.seats))
        self._steps: list[Step] = []
        self.throw()

    def throw(self) -> None:
        """Throw if that comes next."""
        if self._dice and isinstance(expected := self.game.next(self._table), Throw):
            faces = self._dice.throw(expected.dice)
            self._table = self.game.throw(self._table, faces)
            self._steps.append(Roll(faces))
            self._shown = [self._row(seat) for seat in self.seats] if self.game.hides_picks else []

    def act(self, seat: Seat, number: int) -> bool:
        """Do it, if it is legal; whether it was."""
        if not self.is_due(seat) or not 0 <= number < len(self.coding.actions):
            return False
        action = self.coding.actions[number]
        if action not in self.game.legal(self._table, seat):
            return False
        self._table = self.game.act(self._table, seat, action)
        self._steps.append(Do(seat, str(action)))
        return True

    def is_due(self, seat: Seat) -> bool:
        expected = self.game.next(self._table)
        return isinstance(expected, Pick) and expected.is_due(seat)

    @property
    def due(self) -> Seat:
        """The seat that acts, or the first one of those that do."""
        return next(filter(self.is_due, self.seats), self.seats[0])

    @property
    def is_over(self) -> bool:
        return isinstance(self.game.next(self._table), Over)

    def total(self, seat: Seat) -> int:
        return self.game.total(self._table, seat)

    def mask(self, seat: Seat) -> Mask:
        return self.coding.mask(self.game.legal(self._table, seat) if self.is_due(seat) else ())

    def row(self, viewer: Seat) -> Row:
        """The viewer's sheet, then the others clockwise; what these do on an open throw is not seen yet."""
        others = [(viewer + i) % len(self.seats) for i in range(1, len(self.seats))]
        hidden = self.game.hides_picks and not self.is_over
        rows = [self._shown[seat] if hidden else self._row(seat) for seat in others]
        return np.concatenate([self._row(viewer), *rows])

    @property
    def state(self) -> Row:
        """All sheets as they are, also what others may not see yet: for those who train all agents together."""
        return np.concatenate([self._row(seat) for seat in self.seats])

    def _row(self, seat: Seat) -> Row:
        return self.coding.row(self.game.sheet(self._table, seat))

    def record(self) -> list[str]:
        """The game so far as the lines of a record, as `kasta replay` reads it."""
        return list(write_record(self.header, self._steps))

    def render(self, mode: str | None) -> str | Frame | None:
        return render(mode, self.coding, [self.game.sheet(self._table, seat) for seat in self.seats])
