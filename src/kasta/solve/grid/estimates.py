"""What choices in the games on a grid are worth, by learned values and lookahead: estimates, with errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import product
from math import sqrt
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np

from kasta.core import FACES, A, Over, Pick, S
from kasta.solve.grid.halving import Budget, Halving, standard_deviation
from kasta.solve.grid.place import Chances, by_place
from kasta.solve.kept import kept
from kasta.solve.splitmix_kernels import Generator, new_generator
from kasta.solve.types import Floats, Ints
from kasta.values import Option, Progress, quietly

COMPARED = 6  # choices, those with the best totals, whose chances to win are compared
PLAYED_OUT = 500  # games for each
REMEMBERED = 64  # sheets that were looked at last
AT_ONCE = 500  # games between two looks at the progress bar


class Model(Protocol):
    """A game as kernels know it."""

    @property
    def game(self) -> Any: ...  # noqa: ANN401 - the rules of one sheet
    @property
    def fingerprint(self) -> str: ...


M = TypeVar("M", bound=Model)


def kept_model(model: M) -> M:
    """A model with its arrays filled, as it was made before or is made now."""

    def filled() -> M:
        _ = model.fingerprint  # which is that of all arrays
        return model

    return kept(f"model of {model.game!r}", filled)


class Estimates(ABC, Generic[S, A]):
    """A `Valuer` that looks ahead. The same sheet always gets the same answer."""

    model: Any  # of the game, and what was learned
    learned: Any
    budgets: ClassVar[dict[str, Budget]]
    doubt: float  # how far off looking ahead is, as a standard deviation, where there were no rollouts
    doubt_apart: float  # the same of what one choice is worth more than another on the same sheet
    spread: float  # the standard deviation of the total of `best`, from the errors in bench/results-grid.md
    later_doubt: float  # how far off the value is where rollouts stop
    indistinct: float = 0.0  # points by which looking ahead cannot tell choices apart

    def __init__(self, model: Model, learned: object, best: float | None = None, also: Self | None = None) -> None:
        """Look two throws ahead; if `best` is given, expect that at the start, as the bot of that name may.

        `also` looks at the same choices by other values, and the higher of both holds.
        """
        self.model, self.learned, self.solo = model, learned, model.game
        self.budget, self.glance, self.best, self.also = self.budgets["advice"], self.budgets["glance"], best, also

    @abstractmethod
    def rank(self, sheet: S, budget: Budget, seed: int) -> list[Option[A]]:
        """Every legal action with the total to be expected, best first."""

    @abstractmethod
    def is_exact(self, sheet: S) -> bool:
        """Whether everything that can happen is computed."""

    def fitting(self, sheet: S) -> Self:  # noqa: ARG002 - one who has two values looks at it
        """Whoever looks at a sheet by the value that is right there."""
        return self

    @abstractmethod
    def is_late(self, sheet: S, others: Sequence[S]) -> bool:
        """Whether the game is so near its end that playing it out tells who wins."""

    @abstractmethod
    def chances(self, sheet: S, options: Sequence[Option[A]], others: Sequence[S], seed: int) -> list[Chances]:
        """How often each choice wins, in games that are played out with the same throws for all."""

    def for_the_place(self, sheet: S, ranked: Sequence[Option[A]], others: Sequence[S], seed: int) -> A:
        """The best of some choices with a throw that all others have, too: near the end, what wins most often."""
        if len(ranked) == 1 or not others or not self.is_late(sheet, others):
            return ranked[0].action
        found: A = by_place(self.chances(sheet, ranked[:COMPARED], others, seed)).action
        return found

    @abstractmethod
    def quick(self, sheet: S) -> A:
        """The action that the learned value likes best."""

    @abstractmethod
    def before_throw(self, sheet: S) -> float:
        """The total to be expected when a throw is next."""

    @abstractmethod
    def play_some(self, generator: Generator, totals: Ints, luck: Floats, *, with_luck: bool) -> None:
        """Fill the totals of games of the quick bot and, if wanted, the luck in each."""

    def play(
        self, games: int, seed: int, progress: Progress = quietly, *, with_luck: bool = False
    ) -> tuple[Ints, Floats]:
        """Totals of many games of the quick bot, and how much luck the value saw in each.

        The first games of a seed are the same, whatever their number.
        """
        totals, luck, generator = np.zeros(games, np.int64), np.zeros(games), new_generator(seed)
        for first in range(0, games, AT_ONCE):
            some = slice(first, min(games, first + AT_ONCE))
            self.play_some(generator, totals[some], luck[some], with_luck=with_luck)
            progress(some.stop, games)
        return totals, luck

    @abstractmethod
    def after_throw(self, sheet: S) -> float:
        """The total to be expected after a throw, without playing on: its mean over throws is `before_throw`."""

    def luck(self, before: S, after: S) -> float:
        """By how much a throw was better than the mean throw.

        A control variate: on average it is 0, whoever plays, so a total less its luck has the same mean as the
        total, and spreads less.
        """
        return self.after_throw(after) - self.before_throw(before)

    def value(self, sheet: S) -> float:
        match self.solo.next(sheet):
            case Over():
                return float(self.solo.total(sheet))
            case Pick():
                return self._glanced(sheet)[0].value
        return self.mean(sheet)

    def mean(self, sheet: S) -> float:
        return self._over_throws(sheet, self.value)

    def _over_throws(self, sheet: S, worth: Callable[[S], float], *, last: bool = False) -> float:
        dice = self.solo.next(sheet).dice
        throws = [self.solo.throw(sheet, faces, last=last) for faces in product(FACES, repeat=dice)]
        return sum(times * worth(thrown) for thrown, times in Counter(throws).items()) / len(throws)

    @cached_property
    def _unforeseen(self) -> float:
        """Of what is still to come, the share that `best` makes more than looking ahead says."""
        if self.best is None:
            return 0.0
        return self.best / self._over_throws(self.solo.start(), lambda sheet: self._ranked(sheet)[0].value) - 1

    def _ranked(self, sheet: S) -> list[Option[A]]:
        found = self.rank(sheet, self.glance, seed_of(sheet))
        if self.also is None or self.is_exact(sheet):
            return found
        others = {option.action: option for option in self.also.rank(sheet, self.glance, seed_of(sheet))}
        higher = [max(option, others[option.action], key=lambda each: each.value) for option in found]
        return sorted(higher, key=lambda option: -option.value)

    def options(self, sheet: S) -> list[Option[A]]:
        return self._remembered(sheet) if isinstance(self.solo.next(sheet), Pick) else []

    @cached_property
    def _remembered(self) -> Callable[[S], list[Option[A]]]:
        return lru_cache(REMEMBERED)(self._estimated)

    @cached_property
    def _glanced(self) -> Callable[[S], list[Option[A]]]:
        """Looking ahead alone, without rollouts: what luck is measured by, throw by throw."""
        return lru_cache(REMEMBERED)(lambda sheet: self._raised(sheet, self._ranked(sheet)))

    def _estimated(self, sheet: S) -> list[Option[A]]:
        """As good a total as looking ahead says, and choices as far apart as rollouts find them."""
        glanced = self._glanced(sheet)
        if not self.budget.games or len(glanced) == 1 or self.is_exact(sheet):
            return glanced
        found = self._raised(sheet, self.rank(sheet, self.budget, seed_of(sheet)))
        shift = glanced[0].value - found[0].value
        return [option._replace(value=option.value + shift, error=glanced[0].error) for option in found]

    def _raised(self, sheet: S, ranked: list[Option[A]]) -> list[Option[A]]:
        """What `best` makes of each choice; those that are too close to tell apart are worth the same."""
        if self.best is None or self.is_exact(sheet):
            return ranked
        made, best = self.solo.total(sheet), ranked[0].value
        values = [best - max(0.0, best - option.value - self.indistinct) for option in ranked]
        return [
            option._replace(value=value + self._unforeseen * (value - made))
            for option, value in zip(ranked, values, strict=True)
        ]

    def error(self, halving: Halving, choice: int, trust: float) -> float:
        """The standard error of an estimate that combines the rollouts of a choice with looking ahead."""
        games = int(halving.games[choice])
        if games <= 1:
            return self.doubt
        by_chance = standard_deviation(halving, choice) * sqrt(games) / (games + trust)
        by_trust = self.doubt * trust / (games + trust)
        return sqrt(by_chance**2 + by_trust**2 + self.later_doubt**2)

    def apart(self, one: Option[A], other: Option[A]) -> float:
        return self.doubt_apart if one.error or other.error else 0.0


def seed_of(sheet: object) -> int:
    """A number that is the same for equal sheets, in every process."""
    return int.from_bytes(sha256(repr(sheet).encode()).digest()[:8])


AnyEstimates = Estimates[Any, Any]
