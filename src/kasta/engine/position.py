"""What a seat has to decide, complete in itself: whoever is asked needs to remember nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kasta.bots.base import Sight, look
from kasta.core import Faces, Seat
from kasta.games.traits import AnyGame
from kasta.record import Do, Moment, Roll, Step

Since = tuple[Faces | str, ...]
"""What happened on a sheet in its turn: throws as faces, actions in notation."""


@dataclass(frozen=True)
class Position:
    """A sheet as it was before its turn, and what has happened since; `others` where their sheets are open.

    Before a turn, the text of a sheet is all of it; what is open within one, such as throws that are left, follows
    from the steps. `last` says that the throw is the last one for all.
    """

    game: AnyGame
    before: Any
    since: Since
    last: bool = False
    others: tuple[Any, ...] = ()

    @cached_property
    def sheet(self) -> Any:  # noqa: ANN401 - each game has its own
        """The sheet as it is now; `KastaError` where the steps are against the rules."""
        solo, sheet = self.game.solo, self.before
        for step in self.since:
            if isinstance(step, str):
                sheet = solo.act(sheet, solo.read_action(step))
            else:
                sheet = solo.throw(sheet, step, last=self.last)
        return sheet

    @cached_property
    def legal(self) -> Sequence[Any]:
        """What may be done."""
        return self.game.solo.legal(self.sheet)

    @property
    def sight(self) -> Sight:
        """The position as bots see it."""
        lacks = getattr(self.game.solo, "lacks", None)
        others_lack = min(map(lacks, self.others)) if lacks and self.others else None
        return Sight(self.game, self.sheet, self.others, others_lack)


@dataclass(frozen=True, slots=True)
class _Turn:
    before: Any
    since: Since = ()
    last: bool = False
    number: int = 0  # how many turns the seat has begun


class Turns:
    """A table that is followed step by step: for some of its seats it is known how their turn began."""

    def __init__(self, game: AnyGame, table: Any, seats: Iterable[Seat]) -> None:  # noqa: ANN401 - of the game
        self.game, self.table = game, table
        self._turns = {seat: _Turn(game.sheet(table, seat)) for seat in seats}

    def take(self, step: Step) -> None:
        """One more step at the table."""
        before, self.table = self.table, step.apply(self.game, self.table)
        if isinstance(step, Roll):
            last = self.game.is_ending(before)
            for seat in self._turns:
                self._thrown(seat, self.game.sheet(before, seat), step.faces, last=last)
        elif isinstance(step, Do) and step.seat in self._turns:
            turn = self._turns[step.seat]
            self._turns[step.seat] = _Turn(turn.before, (*turn.since, step.text), turn.last, turn.number)

    def _thrown(self, seat: Seat, sheet: Any, faces: Faces, *, last: bool) -> None:  # noqa: ANN401
        if self.game.sheet(self.table, seat) == sheet:
            return  # it was thrown for another
        turn = self._turns[seat]
        if self.game.solo.rests(sheet):
            turn = _Turn(sheet, number=turn.number + 1)
        self._turns[seat] = _Turn(turn.before, (*turn.since, faces), last, turn.number)

    def position(self, seat: Seat) -> Position:
        """What a seat has to decide now."""
        turn, others = self._turns[seat], look(self.game, self.table, seat).others
        if self.game.hides_picks:  # as they are written: without the throw on them
            solo = self.game.solo
            others = tuple(solo.read_sheet(solo.write_sheet(other)) for other in others)
        return Position(self.game, turn.before, turn.since, turn.last, others)

    def next_throw(self, seat: Seat) -> tuple[int, int]:
        """Which throw of which turn of the seat comes next, both counted from 0."""
        turn = self._turns[seat]
        if self.game.solo.rests(self.game.sheet(self.table, seat)):
            return turn.number, 0
        return turn.number - 1, sum(not isinstance(step, str) for step in turn.since)


def turns_after(moments: Sequence[Moment], seat: Seat) -> Turns:
    """A seat's turns after a record, given moment by moment from its first line."""
    turns = Turns(moments[0].game, moments[0].table, [seat])
    for moment in moments:
        if moment.step is not None:
            turns.take(moment.step)
    return turns
