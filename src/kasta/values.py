"""Values of actions: the types that coach, bots and solvers share, the same for all games."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from kasta.core import A

S_contra = TypeVar("S_contra", contravariant=True)

Progress = Callable[[int, int], None]
"""A callback that gets how much is done, and of how much."""


class Option(NamedTuple, Generic[A]):
    """A legal action and its expected final total; `error` is the standard error, 0 where the value is exact."""

    action: A
    value: float
    error: float = 0.0


class Valuer(Protocol[S_contra, A]):
    """Tells what sheets of a game are worth, exactly or by estimate."""

    @property
    def spread(self) -> float:
        """The standard deviation of the total under best play."""

    def value(self, sheet: S_contra) -> float:
        """The expected final total under best play, whether a throw or an action is next."""

    def mean(self, sheet: S_contra) -> float:
        """The mean of `value` over all possible next throws. The luck of a throw is its value minus this mean."""

    def options(self, sheet: S_contra) -> list[Option[A]]:
        """Every legal action with its value, best first; the first value is that of the sheet."""


AnyValuer = Valuer[Any, Any]


@runtime_checkable
class Compares(Protocol):
    """A valuer that knows two choices on one sheet apart more surely than what each of them is worth."""

    def apart(self, one: Option[Any], other: Option[Any]) -> float:
        """The standard error of the difference."""


@runtime_checkable
class KnowsOthers(Protocol):
    """A valuer of a game that another's full sheet may end: what one's own is worth depends on how soon."""

    def beside(self, lacks: int) -> AnyValuer:
        """The valuer of sheets at a table where the fullest of the others lacks so many numbers."""


def beside(valuer: AnyValuer, lacks: int | None) -> AnyValuer:
    """The valuer at a table where the fullest of the other sheets lacks so many numbers; for None, alone."""
    return valuer.beside(lacks) if lacks is not None and isinstance(valuer, KnowsOthers) else valuer


def error_apart(valuer: AnyValuer, one: Option[Any], other: Option[Any]) -> float:
    """The standard error of what one choice is worth more than another on the same sheet."""
    return valuer.apart(one, other) if isinstance(valuer, Compares) else hypot(one.error, other.error)


def quietly(_done: int, _of: int) -> None:
    """A progress callback that does nothing."""
