"""What the JSON API tells of a review: the shape of docs/notation.md, the same as `kasta review --json` prints."""

from __future__ import annotations

import msgspec

from kasta.coach.reviewed import ReviewedSeat
from kasta.core import Faces
from kasta.wire.tables import Body, Number


class NewShown(Body, frozen=True):
    seat: Number
    shown: bool


class MoveTold(msgspec.Struct, frozen=True):
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


class SeatTold(msgspec.Struct, frozen=True):
    """A seat's game. `error_rate` is what an open decision gave away on average, `class` a word for that."""

    name: str
    total: int
    expected: float
    luck: float
    lost: float
    drift: float
    error_rate: float | None
    class_: str | None = msgspec.field(name="class")
    moves: list[MoveTold]


class Review(msgspec.Struct, frozen=True):
    seats: list[SeatTold]


def tell_seat(name: str, review: ReviewedSeat) -> SeatTold:
    """A seat's review, under the name that the seat has now."""
    moves = [MoveTold(*(getattr(move, each) for each in MoveTold.__struct_fields__)) for move in review.moves]
    return SeatTold(
        name,
        review.total,
        review.expected,
        review.luck,
        review.lost,
        review.drift,
        review.error_rate,
        review.class_,
        moves,
    )
