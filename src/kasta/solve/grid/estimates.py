"""What choices in the grid games are worth, by learned values and looking ahead: estimates, with errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from hashlib import sha256
from math import sqrt
from typing import Any, ClassVar, Generic

from kasta.core import A, Over, Pick, S
from kasta.solve.grid.budget import Budget
from kasta.solve.grid.geometry import Floats, Ints
from kasta.solve.grid.halving import Race, spread
from kasta.values import Option, Progress, quietly

REMEMBERED = 64  # sheets that were looked at last


class Estimates(ABC, Generic[S, A]):
    """A `Valuer` that looks ahead. The same sheet always gets the same answer."""

    budgets: ClassVar[dict[str, Budget]]
    doubt: float  # how far off looking ahead is, as a standard deviation, where no games were played
    later_doubt: float  # how far off the value is where games were left

    def __init__(self) -> None:
        self._remembered: dict[S, list[Option[A]]] = {}

    @property
    @abstractmethod
    def solo(self) -> Any: ...  # noqa: ANN401 - the rules of S and A

    @abstractmethod
    def rank(self, sheet: S, budget: Budget, seed: int) -> list[Option[A]]:
        """Every legal action with the total to be expected, best first."""

    @abstractmethod
    def quick(self, sheet: S) -> A:
        """The action that the learned value likes best."""

    @abstractmethod
    def before_throw(self, sheet: S) -> float:
        """The total to be expected when a throw is next."""

    @abstractmethod
    def play(
        self, games: int, seed: int, progress: Progress = quietly, *, with_luck: bool = False
    ) -> tuple[Ints, Floats]:
        """Totals of many games of the quick player, and how much luck the value saw in each."""

    @abstractmethod
    def after_throw(self, sheet: S) -> float:
        """The total to be expected after a throw, without playing on: its mean over throws is `before_throw`."""

    def luck(self, before: S, after: S) -> float:
        """By how much a throw was better than the mean throw.

        On average it is 0, whoever plays: a total less its luck has the same mean as the total, and spreads less.
        """
        return self.after_throw(after) - self.before_throw(before)

    def value(self, sheet: S) -> float:
        match self.solo.next(sheet):
            case Over():
                return float(self.solo.total(sheet))
            case Pick():
                return self.options(sheet)[0].value
        return self.before_throw(sheet)

    def options(self, sheet: S) -> list[Option[A]]:
        if not isinstance(self.solo.next(sheet), Pick):
            return []
        if sheet not in self._remembered:
            if len(self._remembered) >= REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[sheet] = self.rank(sheet, self.budgets["advice"], seed_of(sheet))
        return self._remembered[sheet]

    def error(self, race: Race, choice: int, trust: float) -> float:
        """Of an estimate that weighs the games of a choice with looking ahead."""
        games = int(race.games[choice])
        if games <= 1:
            return self.doubt
        by_chance = spread(race, choice) * sqrt(games) / (games + trust)
        by_trust = self.doubt * trust / (games + trust)
        return sqrt(by_chance**2 + by_trust**2 + self.later_doubt**2)


def seed_of(sheet: object) -> int:
    """A number that is the same for equal sheets, in every process."""
    return int.from_bytes(sha256(repr(sheet).encode()).digest()[:8])


AnyEstimates = Estimates[Any, Any]
