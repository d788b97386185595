"""Puzzles: positions of real games in which one choice is clearly best, and not the obvious one.

They lie beside their game as `puzzles.jsonl`, made from a seed by `tools/make_puzzles.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from kasta.games import GAMES
from kasta.games.traits import AnyGame, AnyTraits

FILE = "puzzles.jsonl"
LEVELS = {1: 0.10, 2: 0.05, 3: 0.02}
"""How much of the spread the second choice gives away at least: the less, the harder."""
Steps = tuple[tuple[int, ...] | str, ...]
"""How a position came about: throws as faces, actions in notation."""


class PuzzleOption(NamedTuple):
    """A choice in notation, and what it is worth."""

    do: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and its best choices, best first; `obvious` pays most at once, `played` is what was done."""

    steps: Steps
    level: int
    obvious: str
    played: str
    choices: tuple[PuzzleOption, ...]

    @property
    def best(self) -> str:
        return self.choices[0].do

    @property
    def roll(self) -> tuple[int, ...]:
        """The dice that fell last; none where something was done on them."""
        return () if isinstance(self.steps[-1], str) else self.steps[-1]

    def lost(self, do: str) -> float:
        """What a choice gives away."""
        return self.choices[0].value - next(choice.value for choice in self.choices if choice.do == do)

    def sheet(self, game: AnyGame) -> Any:  # noqa: ANN401 - each game has its own sheets
        """The sheet on which the choice is to be made."""
        sheet = game.solo.start()
        for step in self.steps:
            if isinstance(step, str):
                sheet = game.solo.act(sheet, game.solo.read_action(step))
            else:
                sheet = game.solo.throw(sheet, step)
        return sheet


def read(line: str) -> Puzzle:
    data = json.loads(line)
    steps = tuple(step if isinstance(step, str) else tuple(step) for step in data["steps"])
    choices = tuple(PuzzleOption(*each) for each in data["choices"])
    return Puzzle(steps, data["level"], data["obvious"], data["played"], choices)


@cache
def puzzles_of(traits: AnyTraits) -> tuple[Puzzle, ...]:
    """The puzzles of a game; none where it has no file."""
    package = sys.modules[type(traits).__module__].__package__ or ""
    file = files(package) / FILE if package else None
    if file is None or not file.is_file():
        return ()
    return tuple(read(line) for line in file.read_text("utf-8").splitlines())


def with_puzzles() -> Mapping[str, tuple[Puzzle, ...]]:
    """The games that have puzzles, and those."""
    return {traits.name: found for traits in GAMES.working() if (found := puzzles_of(traits))}


def of_day(name: str, day: str) -> int:
    """The number of a game's puzzle of a day: each has its turn."""
    return date.fromisoformat(day).toordinal() % len(puzzles_of(GAMES[name]))
