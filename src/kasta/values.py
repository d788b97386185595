"""What choices are worth: the one question that coach, bots and solvers share, in the same words for all games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from kasta.core import A

S_contra = TypeVar("S_contra", contravariant=True)

Progress = Callable[[int, int], None]  # how much is done, of how much


@dataclass(frozen=True, slots=True)
class Option(Generic[A]):
    """A legal action and the final total to be expected from it; `error` is 0 where that is exact."""

    action: A
    value: float
    error: float = 0.0


class Valuer(Protocol[S_contra, A]):
    """Knows what every sheet of a game is worth, exactly or by estimate."""

    def value(self, sheet: S_contra) -> float:
        """The final total to be expected with the best play, whatever comes next; at the end, the total."""

    def options(self, sheet: S_contra) -> list[Option[A]]:
        """Every legal action, best first; the first one's value is the sheet's."""


AnyValuer = Valuer[Any, Any]


def quietly(_done: int, _of: int) -> None:
    """No progress is shown."""
