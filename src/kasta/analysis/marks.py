"""What to say of decisions and throws: marks and classes, by fixed shares of the game's spread.

The spread is the standard deviation of the total under best play: so a mark means the same in every game. The
shares were chosen, not yet measured on our bots: a class is a rough word, and no grade.
"""

from __future__ import annotations

from collections.abc import Iterable

from kasta.analysis.review import Move

VERY_BAD, BAD, DOUBTFUL = 0.12, 0.05, 0.02  # of the spread, given away
LUCKY = 0.2  # of the spread, brought by one throw
MATTER_OF_COURSE = 0.25  # of the spread, that the best choice is ahead of all others
CLASSES = {"master": 0.004, "expert": 0.010, "seasoned": 0.030, "casual": 0.060, "beginner": 0.120}
"""The classes, best first: up to which share of the spread an open decision gives away on average."""
LEARNER = "learner"  # beyond the last


def mark(move: Move, spread: float) -> str | None:
    """What stands beside a decision: how bad it was or, where it was good, how lucky its throw was."""
    for name, share in (("very_bad", VERY_BAD), ("bad", BAD), ("doubtful", DOUBTFUL)):
        if move.lost >= share * spread:
            return name
    if abs(move.luck) >= LUCKY * spread:
        return "lucky" if move.luck > 0 else "unlucky"
    return None


def is_open(move: Move, spread: float) -> bool:
    """Whether a decision was no matter of course: there was a choice, and the best one was not far ahead."""
    ahead = [move.options[0].value - option.value for option in move.options[1:]]
    return bool(ahead) and min(ahead) < MATTER_OF_COURSE * spread and max(ahead) > 0


def error_rate(moves: Iterable[Move], spread: float) -> float | None:
    """What an open decision gave away on average; None where there was none."""
    lost = [move.lost for move in moves if is_open(move, spread)]
    return sum(lost) / len(lost) if lost else None


def class_of(rate: float | None, spread: float) -> str | None:
    """The class of whoever gives away so much in an open decision."""
    if rate is None:
        return None
    return next((name for name, most in CLASSES.items() if rate <= most * spread), LEARNER)
