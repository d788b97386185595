"""Bots for games that are estimated: some search far ahead, some see at a glance, and some err as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from kasta.bots.base import SIMPLE, Bot, Bots, Sight
from kasta.bots.by_value import softmax
from kasta.games.traits import AnyGame, find_valuer
from kasta.values import Progress, beside, quietly

if TYPE_CHECKING:
    from kasta.solve.grid.estimates import AnyEstimates


def estimates_of(game: AnyGame, others_lack: int | None = None) -> AnyEstimates:
    """The valuer of a game that is estimated, with all that it can do: for a sheet alone, or at a table."""
    found: Any = beside(find_valuer(game), others_lack)
    estimates: AnyEstimates = found
    return estimates


@dataclass(frozen=True)
class Quick:
    """Takes what the learned value likes best."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return estimates_of(view.game, view.others_lack).quick(view.sheet)

    def totals(self, game: AnyGame, games: int, seed: int, progress: Progress = quietly) -> list[int]:
        """The totals of many games alone."""
        totals, _ = estimates_of(game).play(games, seed, progress)
        return [int(total) for total in totals]


@dataclass(frozen=True)
class Searching:
    """Looks ahead as far as its budget goes, which is counted, not timed; for the total, or for the place."""

    budget: str
    for_the_place: bool = False

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        if len(legal) == 1:
            return legal[0]
        estimates = estimates_of(view.game, view.others_lack).fitting(view.sheet)
        ranked = estimates.rank(view.sheet, estimates.budgets[self.budget], rng.getrandbits(64))
        if not self.for_the_place or not view.others:
            return ranked[0].action
        return estimates.for_the_place(view.sheet, ranked, view.others, rng.getrandbits(64))


@dataclass(frozen=True)
class Wavering:
    """Judges by the learned value, and often takes something worse; `mean` is what it was measured to score."""

    temperature: float
    mean: float

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        estimates = estimates_of(view.game, view.others_lack)
        return softmax(estimates.rank(view.sheet, estimates.budgets["quick"], 0), self.temperature, rng)


def estimating_bots(people: dict[str, Wavering], classes: dict[str, float]) -> Bots:
    """The bots of an estimated game, with levels that play as people do, and the classes of people."""
    searching: dict[str, Bot] = {
        "best": Searching("best", for_the_place=True),
        "strong": Searching("strong"),
        "quick": Quick(),
    }
    levels = {"best": "best", "strong": "strong", "middling": "casual", "weak": "beginner"}
    return Bots({**searching, **SIMPLE, **people}, levels, classes, {3: searching["quick"]}, stand_in="quick")
