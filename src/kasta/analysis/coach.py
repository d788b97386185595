"""Advice before a decision, and a review of all decisions afterwards.

A finished game splits exactly: the expected total at the start, plus luck (how much better the dice were than
expected), minus what decisions gave away, is the total.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kasta.bots.base import look
from kasta.core import Over, Pick, Seat, check_pick
from kasta.errors import Illegal, Unreadable
from kasta.games.traits import find_valuer, load
from kasta.record import Do, Leave, Moment
from kasta.values import AnyValuer, Option, Progress, quietly


@dataclass(frozen=True, slots=True)
class Advice:
    """The seat that is advised, and every legal action of it, best first."""

    seat: Seat
    options: list[Option[Any]]


def advise(
    moment: Moment,
    seat: Seat | None = None,
    *,
    valuer: AnyValuer | None = None,
    progress: Progress = quietly,
) -> Advice:
    """Every legal action of a seat with its expected final total, best first.

    `seat` is needed only where several seats still have to act. `valuer` takes the place of the game's own, and
    `progress` is called while values are computed. `Unreadable` is raised for a game without values.
    """
    seat = seat_to_act(moment, seat)
    valuer = valuer or find_valuer(moment.game, progress)
    return Advice(seat, valuer.options(moment.game.sheet(moment.table, seat)))


def chances_to_reach(
    moment: Moment, total: int, seat: Seat | None = None, progress: Progress = quietly
) -> list[Option[Any]]:
    """Every legal action of a seat with its best chance of a final total of `total` or more, best first."""
    if moment.game.traits.target is None:
        raise Unreadable("not_solved")
    sheet = moment.game.sheet(moment.table, seat_to_act(moment, seat))
    return list(load(moment.game.traits.target)(moment.game, sheet, total, progress))


def chances_to_win(moment: Moment, seat: Seat | None = None) -> list[Option[Any]]:
    """Every legal action of a seat with its chance to win, best first; `Illegal` for one seat alone."""
    if moment.game.traits.winner is None:
        raise Unreadable("not_solved")
    sight = look(moment.game, moment.table, seat_to_act(moment, seat))
    if not sight.others:
        raise Illegal("nobody_to_beat")
    return list(load(moment.game.traits.winner)(moment.game).options(sight.sheet, sight.others))


def seat_to_act(moment: Moment, seat: Seat | None = None) -> Seat:
    """The given seat or, without one, the only seat to act; `Illegal` where nothing is to be decided."""
    expected = moment.game.next(moment.table)
    check_pick(expected)
    assert isinstance(expected, Pick)  # noqa: S101 - what check_pick lets through
    seats = len(moment.header.seats)
    if seat is not None:
        if not 0 <= seat < seats:
            raise Illegal("no_such_seat", seat=seat, last=seats - 1)
        if not expected.is_due(seat):
            raise Illegal("nothing_to_decide", seat=seat)
        return seat
    if expected.count > 1:
        raise Illegal("several_seats")
    return next(filter(expected.is_due, range(seats)))


@dataclass(frozen=True, slots=True)
class Move:
    """A decision: its line in the record, what was done, what was best, and the points `lost` by it."""

    line: int
    do: str
    best: str
    lost: float


@dataclass
class Review:
    """One seat's game: `expected + luck - lost` is the total at the end. Before the end, all are those so far."""

    name: str
    total: int
    expected: float
    luck: float = 0.0
    lost: float = 0.0
    moves: list[Move] = field(default_factory=list)


def review(
    moments: Iterable[Moment], *, valuer: AnyValuer | None = None, progress: Progress = quietly
) -> list[Review]:
    """Review the positions of a game, as `walk` yields them: what every seat's decisions gave away, and its luck.

    `valuer` takes the place of the game's own, and `progress` is called while values are computed.
    """
    walk = iter(moments)
    before = next(walk)
    valuer = valuer or find_valuer(before.game, progress)
    seats = range(len(before.header.seats))
    start = valuer.value(before.game.solo.start())
    reviews = [Review(name, 0, start) for name in before.header.seats]
    worth = [start for _ in seats]
    for moment in walk:
        match moment.step:
            case Do(seat, text):
                _decided(reviews[seat], worth, moment, valuer.options(before.game.sheet(before.table, seat)), text)
            case Leave():
                pass  # a seat that left has neither luck nor decisions any more
            case _:
                for seat in seats:
                    old, new = before.game.sheet(before.table, seat), moment.game.sheet(moment.table, seat)
                    if new is not old and new != old:
                        value = valuer.value(new)
                        reviews[seat].luck += value - worth[seat]
                        worth[seat] = value
        before = moment
    over = isinstance(before.game.next(before.table), Over)
    for seat in seats:
        reviews[seat].total = before.game.total(before.table, seat)
        if over and not before.game.has_left(before.table, seat):  # what is exact leaves nothing here
            reviews[seat].luck += reviews[seat].total - worth[seat]
    return reviews


def _decided(review: Review, worth: list[float], moment: Moment, options: list[Option[Any]], text: str) -> None:
    action = moment.game.solo.read_action(text)
    chosen = next(option for option in options if option.action == action)
    assert isinstance(moment.step, Do)  # noqa: S101 - only actions are decided
    lost = options[0].value - chosen.value
    review.luck += options[0].value - worth[moment.step.seat]  # an estimate that changed its mind
    review.lost += lost
    review.moves.append(Move(moment.line, str(chosen.action), str(options[0].action), lost))
    worth[moment.step.seat] = chosen.value
