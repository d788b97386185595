"""Learning values again: from a seed, in parts, so that what was interrupted goes on where it stopped.

The step size falls from part to part: at first values move fast, in the end they are averages of many games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kasta.errors import Unreadable
from kasta.games.traits import AnyGame, load
from kasta.solve.splitmix_kernels import Generator, new_generator
from kasta.solve.types import Floats, Table
from kasta.values import Progress, quietly

PARTS_BETWEEN_SAVES = 20


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


@dataclass(frozen=True)
class Learner:
    """Values that learn by temporal differences."""

    fingerprint: str
    tables: dict[str, Table]
    play: Callable[[float, Generator, Floats], None]  # plays and learns with a step size; fills the totals
    save: Callable[[Path, dict[str, Any]], None]

    def learn(self, games: int, rate: float, generator: Generator) -> Floats:
        """Play and learn; the totals."""
        totals = np.zeros(games)
        self.play(rate, generator, totals)
        return totals


class Training(NamedTuple):
    """How a game's values are learned; its folder has one, `TRAINING` in `training.py`."""

    learner: Callable[[Any], Learner]
    plan: Plan  # the one that the values in this package come from


def find_training(game: AnyGame) -> Training:
    """The training that a game declares."""
    if game.traits.trainer is None:
        raise Unreadable("not_trained")
    training: Training = load(game.traits.trainer)
    return training


def _silently(_line: str) -> None:
    """Nothing is reported."""


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
    generator, done = new_generator(plan.seed), 0
    about = {
        "games": plan.games,
        "rates": [plan.first_rate, plan.last_rate],
        "seed": plan.seed,
        "parts": plan.parts,
    }
    signature = np.array(repr((learner.fingerprint, about)))
    if unfinished.exists():
        with np.load(unfinished) as saved:
            if str(saved["about"]) == str(signature):
                done = int(saved["done"])
                generator[:] = saved["chance"]
                for name, table in learner.tables.items():
                    table[:] = saved[name]
    games = plan.games // plan.parts
    for part in range(done, plan.parts):
        totals = learner.learn(games, plan.rate(part), generator)
        progress(part + 1, plan.parts)
        report(f"{(part + 1) * games:>12,} games, step {plan.rate(part):.4f}, mean total {totals.mean():.2f}")
        if (part + 1) % PARTS_BETWEEN_SAVES == 0:
            to.parent.mkdir(parents=True, exist_ok=True)
            partial = unfinished.with_name("part-" + unfinished.name)
            np.savez(partial, about=signature, done=part + 1, chance=generator, **learner.tables)  # type: ignore[arg-type]
            partial.replace(unfinished)
    learner.save(to, about)
    unfinished.unlink(missing_ok=True)
