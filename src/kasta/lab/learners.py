"""Several learners at once, each from a seed of its own.

One learner's games follow on each other: each moves values that the next one plays by. So a learner is one chunk.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kasta.extras import extra

with extra("solve"):
    from kasta.solve.grid.training import find_training, train

from kasta.games import find_game
from kasta.jobs.job import Job
from kasta.values import Progress, quietly


class Lesson(NamedTuple):
    """What one learner learns, and where on its machine it keeps what is unfinished, so that it can go on."""

    game: str
    games: int | None
    seed: int | None
    to: str | None = None


def learn(lesson: Lesson, to: Path, progress: Progress, report: Callable[[str], None]) -> None:
    """Learn by the plans that the values of this package come from, or by shares of them, and write the values."""
    found = find_game(lesson.game)
    training = find_training(found)
    share = lesson.games / sum(plan.games for plan in training.plans) if lesson.games else 1
    plans = [
        replace(plan, games=round(plan.games * share), seed=plan.seed if lesson.seed is None else lesson.seed)
        for plan in training.plans
    ]
    train(training.learner(found.solo), plans, to, progress=progress, report=report)


def train_job(lessons: Sequence[Lesson]) -> Job[Lesson]:
    """Learners that know nothing of each other."""
    about = {"lessons": [list(lesson) for lesson in lessons]}
    return Job("train", about, learn_apart, lessons)


def learn_apart(lesson: Lesson) -> dict[str, str]:
    """What it said at the end, and the values."""
    told = list[str]()
    with TemporaryDirectory() as folder:
        file = Path(lesson.to or Path(folder, "values"))
        learn(lesson, file, quietly, told.append)
        return {"told": told[-1].strip(), "values": b64encode(file.read_bytes()).decode()}


def write_values(result: dict[str, str], to: Path) -> None:
    """Put what came back, from wherever, where it belongs."""
    to.write_bytes(b64decode(result["values"]))
