"""Bots for Knister and Knaster: some look far ahead, some see at a glance, and some err as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any

from kasta.analysis.valuers import find_estimates
from kasta.bots.base import Sight
from kasta.games.composers import AnyGame
from kasta.values import Progress, quietly


@dataclass(frozen=True)
class Quick:
    """Takes what the learned value likes best."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return find_estimates(view.game).quick(view.sheet)

    def totals(self, game: AnyGame, games: int, seed: int, progress: Progress = quietly) -> list[int]:
        """The totals of many games alone."""
        totals, _ = find_estimates(game).play(games, seed, progress)
        return [int(total) for total in totals]


@dataclass(frozen=True)
class Searching:
    """Looks ahead as far as its budget goes, which is counted, not timed."""

    budget: str

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        if len(legal) == 1:
            return legal[0]
        estimates = find_estimates(view.game)
        return estimates.rank(view.sheet, estimates.budgets[self.budget], rng.getrandbits(64))[0].action


@dataclass(frozen=True)
class Wavering:
    """Judges by the learned value, and often takes something worse: the more it gives away, the more rarely.

    The temperature is in points: something that gives away so many is 2.7 times rarer than the best. `mean` is
    what this level was measured to score.
    """

    temperature: float
    mean: float

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        estimates = find_estimates(view.game)
        options = estimates.rank(view.sheet, estimates.budgets["quick"], 0)
        weights = [exp((option.value - options[0].value) / self.temperature) for option in options]
        return rng.choices(options, weights)[0].action
