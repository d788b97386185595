"""Advice before a decision, and a review of all decisions afterwards.

A finished game splits exactly: the expected total at the start, plus luck (how much better the dice were than
expected), minus what decisions gave away, is the total.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kasta.bots.base import look
from kasta.core import Pick, Seat, check_pick
from kasta.errors import Illegal, Unreadable
from kasta.games.traits import find_valuer, load
from kasta.record import Moment
from kasta.values import AnyValuer, Option, Progress, beside, quietly


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
    valuer = beside(valuer or find_valuer(moment.game, progress), moment.game.others_lack(moment.table, seat))
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
