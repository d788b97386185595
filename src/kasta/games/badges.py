"""What finished sheets earn: worked out from their totals and hands, which results keep, and stored nowhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from kasta.core import Solo

R_contra = TypeVar("R_contra", bound=Solo[Any, Any], contravariant=True)

Hands = Mapping[str, tuple[int, int]]
"""How often each hand or box was made, and what it paid at best, by its code."""


class Made(NamedTuple):
    """What a finished sheet came to."""

    total: int
    hands: Hands


@dataclass(frozen=True, slots=True)
class Badge(Generic[R_contra]):
    """Something to be proud of: `mark` stands in its stamp, `name`, in English, below it."""

    code: str
    mark: str
    name: str
    is_earned: Callable[[R_contra, Made], bool]


def points(least: int) -> Badge[Any]:
    """For a total of so much or more."""
    return Badge(f"points_{least}", str(least), f"{least} points", lambda _, made: made.total >= least)


def hand(code: str, mark: str, name: str) -> Badge[Any]:
    """For a hand or box that was made."""
    return Badge(code, mark, name, lambda _, made: code in made.hands)


def times(made: Made) -> int:
    """How many lines or boxes have brought something."""
    return sum(count for count, _ in made.hands.values())
