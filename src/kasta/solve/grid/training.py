"""Learning values again: from a seed, in parts, so that what was interrupted goes on where it stopped.

The step size falls from part to part: at first values move fast, in the end they are averages of many games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kasta.errors import Unreadable
from kasta.games.traits import AnyGame, load
from kasta.solve.grid.learned_file import STEPS, in_steps
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
    stop: int | None = None  # after so many parts, where the next plan goes on
    explores: int = 0  # of twenty games, those in which choices slip (`exploring`)

    def rate(self, part: int) -> float:
        """The step size in a part, the same fraction smaller from each to the next."""
        return float(self.first_rate * (self.last_rate / self.first_rate) ** (part / max(1, self.parts - 1)))


@dataclass(frozen=True)
class Learner:
    """Values that learn by temporal differences."""

    fingerprint: str
    tables: dict[str, Table]
    kinds: dict[str, type[np.signedinteger[Any]]]  # of steps, by which the file has each table
    play: Callable[[float, int, Generator, Floats], None]  # and learn: step size, explores; fills the totals
    save: Callable[[Path, dict[str, Any]], None]
    branch: Callable[[], None] = lambda: None  # called before the first of the plans that explore

    def learn(self, games: int, rate: float, generator: Generator, *, explores: int = 0) -> Floats:
        """Play and learn; the totals."""
        totals = np.zeros(games)
        self.play(rate, explores, generator, totals)
        return totals

    def settle(self) -> None:
        """Round what was learned to what the file has of it: so learning can go on from a file."""
        for name, table in self.tables.items():
            table[:] = in_steps(table, self.kinds[name]) / STEPS


class Training(NamedTuple):
    """How a game's values are learned; its folder has one, `TRAINING` in `training.py`."""

    learner: Callable[[Any], Learner]
    plans: tuple[Plan, ...]  # those that the values in this package come from, one after the other


def find_training(game: AnyGame) -> Training:
    """The training that a game declares."""
    if game.traits.trainer is None:
        raise Unreadable("not_trained")
    training: Training = load(game.traits.trainer)
    return training


@dataclass(frozen=True)
class Unfinished:
    """What was learned so far, in a file beside the one that it becomes."""

    path: Path
    about: str  # of which plans and rules
    learner: Learner

    def load(self) -> tuple[int, Generator | None]:
        """How many parts are done, and the generator as they left it; the learner has learned them then."""
        if not self.path.exists():
            return 0, None
        with np.load(self.path) as saved:
            if str(saved["about"]) != self.about:
                return 0, None
            for name, table in self.learner.tables.items():
                table[:] = saved[name]
            return int(saved["done"]), saved["chance"]

    def save(self, done: int, generator: Generator) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_name("part-" + self.path.name)
        about = np.array(self.about)
        np.savez(partial, about=about, done=done, chance=generator, **self.learner.tables)  # type: ignore[arg-type]
        partial.replace(self.path)


def train(
    learner: Learner,
    plans: Sequence[Plan],
    to: Path,
    *,
    progress: Progress = quietly,
    report: Callable[[str], None] = lambda _line: None,
) -> None:
    """Learn by one plan after the other, and write the values; what is unfinished is taken up again."""
    about = {"plans": [asdict(plan) for plan in plans]}
    unfinished = Unfinished(to.with_name(to.name + ".unfinished.npz"), repr((learner.fingerprint, about)), learner)
    done, generator = unfinished.load()
    parts = [(plan, part) for plan in plans for part in range(plan.stop or plan.parts)]
    for number, (plan, part) in enumerate(parts[done:], done):
        if part == 0 and number:
            learner.settle()
        if part == 0 and plan.explores and not any(before.explores for before, _ in parts[:number]):
            learner.branch()
        if part == 0 or generator is None:
            generator = new_generator(plan.seed)
        games = plan.games // plan.parts
        totals = learner.learn(games, plan.rate(part), generator, explores=plan.explores)
        progress(number + 1, len(parts))
        report(f"{(part + 1) * games:>12,} games, step {plan.rate(part):.4f}, mean total {totals.mean():.2f}")
        if (part + 1) % PARTS_BETWEEN_SAVES == 0:
            unfinished.save(number + 1, generator)
    learner.save(to, about)
    unfinished.path.unlink(missing_ok=True)
