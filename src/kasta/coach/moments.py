"""What to look at first in a review: what went best, then what there is to learn, a few of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kasta.coach.marks import BAD_MARKS, STAND_IN
from kasta.coach.reviewed import ReviewedMove

MOST = 3  # of either: who reads more of them learns less


def lessons(moves: Iterable[ReviewedMove]) -> list[ReviewedMove]:
    """The decisions that gave most away, in the order of the game: only what is marked, so none is in doubt."""
    marked = [move for move in moves if move.mark in BAD_MARKS]
    return sorted(sorted(marked, key=lambda move: -move.lost)[:MOST], key=lambda move: move.line)


def best_moments(
    moves: Sequence[ReviewedMove], speaks: Callable[[ReviewedMove], bool] = lambda _: True
) -> list[ReviewedMove]:
    """The decisions to be proud of, in the order of the game.

    These are good choices, and of them those that were most ahead of what else could have been done. Of twice as
    many, those come first of which something can be said: what `speaks`. Who made none has the one that came
    closest: everybody has a best moment.
    """
    taught = {move.line for move in lessons(moves)}
    free = [move for move in _own(moves) if len(move.options) > 1 and move.line not in taught]
    ranked = sorted(free, key=lambda move: (move.mark in BAD_MARKS, -_ahead(move)))
    good = [move for move in ranked[: 2 * MOST] if move.mark not in BAD_MARKS and _ahead(move) > 0]
    proud = sorted(good, key=lambda move: not speaks(move))[:MOST] or ranked[:1]
    return sorted(proud, key=lambda move: move.line)


def good_choices(moves: Iterable[ReviewedMove]) -> tuple[int, int]:
    """How many decisions were the best or as good as that, and of how many; a bot's for somebody absent aside."""
    own = _own(moves)
    return sum(move.mark not in BAD_MARKS for move in own), len(own)


def _own(moves: Iterable[ReviewedMove]) -> list[ReviewedMove]:
    return [move for move in moves if move.mark != STAND_IN]


def _ahead(move: ReviewedMove) -> float:
    """What a choice was worth more than all that could be done was on average."""
    values = [value for _, value, _ in move.options]
    return values[0] - move.lost - sum(values) / len(values)
