"""Marks of decisions and throws, and classes of players, by fixed shares of the game's spread.

The spread is the standard deviation of the total under best play: so a mark means the same in every game. The
classes of each game are calibrated on its bots (docs/luck.md): a class is a rough guide, not a grade.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kasta.bots.base import CLASSES
from kasta.coach.review import Move

VERY_BAD, BAD, DOUBTFUL = 0.12, 0.05, 0.02  # of the spread, given away for certain
CERTAIN = 2  # standard errors that a loss may be smaller than it seems
LUCKY = 0.2  # of the spread, brought by one throw
MATTER_OF_COURSE = 0.25  # of the spread, that the best choice is ahead of all others
BAD_MARKS = ("doubtful", "bad", "very_bad")
STAND_IN = "stand_in"
LEARNER = "learner"  # who gives away more than any class


def mark(move: Move, spread: float) -> str | None:
    """The mark of a decision: how bad it was or, if it was good, how lucky its throw was.

    Only the loss minus twice its error counts, so a loss that may be chance has no mark. A pick of a bot for
    somebody absent gets a mark of its own: it is nobody's error.
    """
    if move.stand_in:
        return STAND_IN
    for name, share in (("very_bad", VERY_BAD), ("bad", BAD), ("doubtful", DOUBTFUL)):
        if move.lost >= least_marked(share, spread, move.error):
            return name
    if abs(move.luck) >= LUCKY * spread:
        return "lucky" if move.luck > 0 else "unlucky"
    return None


def least_marked(share: float, spread: float, error: float) -> float:
    """How much is to be given away, with that error, for the mark of a share of the spread."""
    return share * spread + CERTAIN * error


def is_open(move: Move, spread: float) -> bool:
    """Whether a decision was not obvious: there was a choice, and the best one was not far ahead.

    A pick of a bot for somebody absent never counts.
    """
    if move.stand_in:
        return False
    ahead = [move.options[0].value - option.value for option in move.options[1:]]
    return bool(ahead) and min(ahead) < MATTER_OF_COURSE * spread and max(ahead) > 0


def error_rate(moves: Iterable[Move], spread: float) -> float | None:
    """The mean loss of an open decision; None if there was no such decision."""
    lost = [move.lost for move in moves if is_open(move, spread)]
    return sum(lost) / len(lost) if lost else None


def class_of(rate: float | None, spread: float, classes: Mapping[str, float] = CLASSES) -> str | None:
    """The class of a player who gives away so much in an open decision; a game's `Bots` have its `classes`."""
    if rate is None:
        return None
    return next((name for name, most in classes.items() if rate <= most * spread), LEARNER)
