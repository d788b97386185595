"""A seat's review as it is kept, sent and shown: figures, and no name of anybody."""

from __future__ import annotations

from math import hypot
from typing import Any

from kasta.bots.base import bots_of
from kasta.coach.marks import class_of, error_rate, mark
from kasta.coach.review import Move, SeatReview
from kasta.core import Faces
from kasta.games.traits import AnyGame
from kasta.structs import UNREADABLE, Decoder, Encoder, Struct, field, to_builtins


class MoveTold(Struct, frozen=True):
    """A decision: its line in the record, the round and the throw, what was done, what was best.

    `lost` is what it gave away, with its standard error; `luck` is that of the throw. `mark` is doubtful, bad,
    very_bad, lucky, unlucky, stand_in or null: a bot that stood in for somebody absent made no error of theirs.
    """

    line: int
    round: int
    roll: Faces
    do: str
    best: str
    lost: float
    error: float
    luck: float
    mark: str | None


FIGURES = ("total", "worth", "expected", "luck", "lost", "early", "drift")  # of a seat, that are kept as they are


class ReviewedMove(MoveTold, frozen=True):
    """A decision; `options` is everything that could be done, best first: notation, value, standard error."""

    options: tuple[tuple[str, float, float], ...]


class SeatTold(Struct, frozen=True, kw_only=True):
    """A seat's game. `error_rate` is what an open decision gave away on average, `class` a word for that.

    `early` is what it cost that another's full sheet ended the game; older servers do not tell it.
    """

    name: str
    total: int
    expected: float
    luck: float
    lost: float
    early: float = 0.0
    drift: float
    error_rate: float | None
    class_: str | None = field(name="class")
    moves: list[MoveTold]


class ReviewedSeat(Struct, frozen=True):
    """A seat's game so far.

    total = expected + luck - lost + early + drift, once `is_done` and the game was played out.

    `worth` is the total to be expected now, the total itself at the end, and `course` that after each round.
    `values` is the fingerprint of the values by which it was made.
    """

    values: str
    spread: float
    total: int
    worth: float
    expected: float
    luck: float
    luck_error: float
    lost: float
    lost_error: float
    early: float
    drift: float
    error_rate: float | None
    class_: str | None = field(name="class")
    course: tuple[float, ...]
    moves: tuple[ReviewedMove, ...]
    is_done: bool


def reviewed(
    one: SeatReview, game: AnyGame, *, values: str, spread: float, luck_error: float, is_done: bool
) -> ReviewedSeat:
    """A review as far as it has come."""
    rate = error_rate(one.moves, spread)
    return ReviewedSeat(
        **{name: getattr(one, name) for name in FIGURES},
        values=values,
        spread=spread,
        luck_error=luck_error,
        lost_error=hypot(*(move.error for move in one.moves)),
        error_rate=rate,
        class_=class_of(rate, spread, bots_of(game).classes),
        course=tuple(one.course),
        moves=tuple(_move(move, spread) for move in one.moves),
        is_done=is_done,
    )


def _move(move: Move, spread: float) -> ReviewedMove:
    as_it_is = {name: getattr(move, name) for name in ReviewedMove.__struct_fields__[:-2]}
    options = tuple((str(option.action), option.value, option.error) for option in move.options)
    return ReviewedMove(mark=mark(move, spread), options=options, **as_it_is)


def tell_seat(name: str, review: ReviewedSeat) -> SeatTold:
    """A seat's review in the shape that docs/notation.md states, under the name that the seat has now."""
    moves = [MoveTold(*(getattr(move, each) for each in MoveTold.__struct_fields__)) for move in review.moves]
    figures = {each: getattr(review, each) for each in SeatTold.__struct_fields__[1:-1]}
    return SeatTold(name=name, moves=moves, **figures)


def tell_review(one: SeatReview, game: AnyGame, spread: float) -> SeatTold:
    """The same of a review that is not kept."""
    return tell_seat(one.name, reviewed(one, game, values="", spread=spread, luck_error=0.0, is_done=True))


def told_review(one: SeatReview, game: AnyGame, spread: float) -> dict[str, Any]:
    """The same as it is written in JSON."""
    told: dict[str, Any] = to_builtins(tell_review(one, game, spread))
    return told


_encoder = Encoder()
_decoder = Decoder(ReviewedSeat)


def encode(seat: ReviewedSeat) -> bytes:
    return _encoder.encode(seat)


def decode(body: bytes) -> ReviewedSeat | None:
    """None for what another version has kept: it is made again."""
    try:
        return _decoder.decode(body)
    except UNREADABLE:
        return None
