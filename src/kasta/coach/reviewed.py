"""A seat's review as it is kept, sent and shown: figures, and no name of anybody."""

from __future__ import annotations

from math import hypot

from kasta.bots.base import bots_of
from kasta.coach.marks import class_of, error_rate, mark
from kasta.coach.review import Move, SeatReview
from kasta.core import Faces
from kasta.games.traits import AnyGame
from kasta.structs import UNREADABLE, Decoder, Encoder, Struct, field


class ReviewedMove(Struct, frozen=True):
    """A decision; `options` is everything that could be done, best first: notation, value, standard error."""

    line: int
    round: int
    roll: Faces
    do: str
    best: str
    lost: float
    error: float
    luck: float
    mark: str | None
    options: tuple[tuple[str, float, float], ...]


class ReviewedSeat(Struct, frozen=True):
    """A seat's game so far: total = expected + luck - lost + drift, once `is_done` and the game was played out.

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
        values=values,
        spread=spread,
        total=one.total,
        worth=one.worth,
        expected=one.expected,
        luck=one.luck,
        luck_error=luck_error,
        lost=one.lost,
        lost_error=hypot(*(move.error for move in one.moves)),
        drift=one.drift,
        error_rate=rate,
        class_=class_of(rate, spread, bots_of(game).classes),
        course=tuple(one.course),
        moves=tuple(_move(move, spread) for move in one.moves),
        is_done=is_done,
    )


def _move(move: Move, spread: float) -> ReviewedMove:
    return ReviewedMove(
        line=move.line,
        round=move.round,
        roll=move.roll,
        do=move.do,
        best=move.best,
        lost=move.lost,
        error=move.error,
        luck=move.luck,
        mark=mark(move, spread),
        options=tuple((str(option.action), option.value, option.error) for option in move.options),
    )


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
