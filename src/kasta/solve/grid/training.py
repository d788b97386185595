"""Learning values again: from a seed, in parts, so that what was interrupted goes on where it stopped.

The step size falls from part to part: at first values move fast, in the end they are averages of many games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kasta.errors import Unreadable
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.traits import AnyGame
from kasta.solve.grid.geometry import Floats, Table
from kasta.solve.knaster import (
    estimates as knaster,
    learn as knaster_learn,
    sheet as knaster_sheet,
    value as knaster_value,
)
from kasta.solve.knaster.arrays import Book as KnasterBook
from kasta.solve.knister import (
    estimates as knister,
    learn as knister_learn,
    value as knister_value,
    weigh as knister_weigh,
)
from kasta.solve.knister.arrays import Book as KnisterBook
from kasta.solve.splitmix import Generator, generator
from kasta.values import Progress, quietly


@dataclass(frozen=True)
class Plan:
    games: int
    first_rate: float
    last_rate: float
    seed: int = 7
    parts: int = 200

    def rate(self, part: int) -> float:
        """The step size in a part, the same fraction smaller from each to the next."""
        return float(self.first_rate * (self.last_rate / self.first_rate) ** (part / max(1, self.parts - 1)))


class Learner(Protocol):
    """Values that learn."""

    fingerprint: str
    tables: dict[str, Table]

    def learn(self, games: int, rate: float, chance: Generator) -> Floats:
        """Play and learn; the totals."""

    def save(self, path: Path, about: dict[str, Any]) -> None: ...


class KnisterLearner:
    def __init__(self, game: Knister) -> None:
        self.book = KnisterBook(game)
        t = self.book.tables
        self.fingerprint = self.book.fingerprint
        self.value = knister_learn.new_value(t)
        self.tables = {"lines": self.value.lines, "pairs": self.value.pairs}
        self._room = knister_learn.new_room(t, self.value)
        self._sheet, self._work = knister_value.new_sheet(t), knister_weigh.new_work(t)

    def learn(self, games: int, rate: float, chance: Generator) -> Floats:
        totals = np.zeros(games)
        knister_learn.learn(
            self.book.tables, self.value, self._sheet, self._work, rate, chance, self._room, totals
        )
        return totals

    def save(self, path: Path, about: dict[str, Any]) -> None:
        knister.save(self.book, self.value, path, about)


class KnasterLearner:
    def __init__(self, game: Knaster) -> None:
        self.book = KnasterBook(game)
        t = self.book.tables
        self.fingerprint = self.book.fingerprint
        self.value = knaster_learn.new_value(t, self.book.contents)
        self.tables = {name: getattr(self.value, name) for name in ("lines", "counts", "waiting", "pairs")}
        self._room = knaster_learn.new_room(t, self.value)
        self._sheet, self._work = knaster_sheet.new_sheet(t), knaster_value.new_work(t)

    def learn(self, games: int, rate: float, chance: Generator) -> Floats:
        totals = np.zeros(games)
        knaster_learn.learn(
            self.book.tables, self.value, self._sheet, self._work, rate, chance, self._room, totals
        )
        return totals

    def save(self, path: Path, about: dict[str, Any]) -> None:
        knaster.save(self.book, self.value, path, about)


class Training(NamedTuple):
    learner: Callable[[Any], Learner]
    plan: Plan  # the one that the values in this package come from
    file: Path


TRAININGS: dict[type[Any], Training] = {
    Knister: Training(KnisterLearner, Plan(60_000_000, 0.5, 0.005), knister.FILE),
    Knaster: Training(KnasterLearner, Plan(20_000_000, 0.4, 0.005), knaster.FILE),
}


def _silently(_line: str) -> None:
    """Nothing is reported."""


def training_of(game: AnyGame) -> Training:
    if type(game.solo) not in TRAININGS:
        raise Unreadable("not_trained")
    return TRAININGS[type(game.solo)]


def train(
    learner: Learner,
    plan: Plan,
    to: Path,
    *,
    progress: Progress = quietly,
    report: Callable[[str], None] = _silently,
) -> None:
    """Learn and write the values; what is unfinished stands beside them, and is taken up again."""
    unfinished = to.with_name(to.name + ".unfinished.npz")
    chance, done = generator(plan.seed), 0
    about = {
        "games": plan.games,
        "rates": [plan.first_rate, plan.last_rate],
        "seed": plan.seed,
        "parts": plan.parts,
    }
    told = np.array(repr((learner.fingerprint, about)))
    if unfinished.exists():
        with np.load(unfinished) as kept:
            if str(kept["about"]) == str(told):
                done = int(kept["done"])
                chance[:] = kept["chance"]
                for name, table in learner.tables.items():
                    table[:] = kept[name]
    games = plan.games // plan.parts
    for part in range(done, plan.parts):
        totals = learner.learn(games, plan.rate(part), chance)
        progress(part + 1, plan.parts)
        report(f"{(part + 1) * games:>12,} games, step {plan.rate(part):.4f}, mean total {totals.mean():.2f}")
        if part % 20 == 19:  # noqa: PLR2004 - a tenth of the way, as plans go
            to.parent.mkdir(parents=True, exist_ok=True)
            partial = unfinished.with_name("part-" + unfinished.name)
            np.savez(partial, about=told, done=part + 1, chance=chance, **learner.tables)  # type: ignore[arg-type]
            partial.replace(unfinished)
    learner.save(to, about)
    unfinished.unlink(missing_ok=True)
