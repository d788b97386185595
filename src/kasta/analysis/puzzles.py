"""Puzzles: positions of real games in which one choice is clearly best, and not the one that pays most at once.

They lie beside their game as `puzzles.jsonl`, made from a seed by `tools/make_puzzles.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

from kasta.bots.base import Greedy, Sight, at_level, find_bot
from kasta.core import FACES, Over, Pick, Throw
from kasta.games import GAMES, find_game
from kasta.games.traits import AnyGame, AnyTraits, find_valuer
from kasta.values import AnyValuer, Option

FILE = "puzzles.jsonl"
LEVELS = {1: 0.10, 2: 0.05, 3: 0.02}
"""How much of the spread the second choice gives away at least: the less, the harder."""
OBVIOUS_LOSES = 0.05  # of the spread, that what pays most at once gives away
SURE = 4.0  # standard errors by which the best is ahead of the second
OFFERED = 5  # choices
PLAYERS = ("weak", "middling")  # the levels of the bots whose games they are from

Steps = tuple[tuple[int, ...] | str, ...]
"""How a position came about: throws as faces, actions in notation."""


class Choice(NamedTuple):
    """A choice in notation, and what it is worth."""

    do: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and its best choices, best first; `obvious` is the one that pays most at once."""

    steps: Steps
    level: int
    obvious: str
    choices: tuple[Choice, ...]

    @property
    def best(self) -> str:
        return self.choices[0].do

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


def find_puzzle(game: AnyGame, steps: Steps, sheet: Any, valuer: AnyValuer, rng: Random) -> Puzzle | None:  # noqa: ANN401
    """The puzzle that a position is, if it is one."""
    legal = game.solo.legal(sheet)
    if len(legal) < 2:  # noqa: PLR2004 - no choice
        return None
    options = valuer.options(sheet)
    best, second = options[0], options[1]
    obvious = str(Greedy().choose(Sight(game, sheet), legal, rng))
    ahead, spread = best.value - second.value, valuer.spread
    lost = best.value - next(option.value for option in options if str(option.action) == obvious)
    level = next((level for level, share in LEVELS.items() if ahead >= share * spread), None)
    is_sure = ahead >= SURE * (best.error**2 + second.error**2) ** 0.5
    if level is None or not is_sure or lost < OBVIOUS_LOSES * spread:
        return None
    return Puzzle(steps, level, obvious, _offered(options, obvious))


def _offered(options: Sequence[Option[Any]], obvious: str) -> tuple[Choice, ...]:
    """The best ones, and the obvious one."""
    found = [Choice(str(each.action), round(each.value, 2), round(each.error, 3)) for each in options]
    kept = found[:OFFERED]
    if all(each.do != obvious for each in kept):
        kept = [*found[: OFFERED - 1], next(each for each in found if each.do == obvious)]
    return tuple(kept)


def make(name: str, seed: int) -> Iterator[Puzzle]:
    """Puzzles from games that bots play, for ever; at most one of each game."""
    game, rng = find_game(name), Random(seed)  # noqa: S311 - games to look at
    valuer = find_valuer(game)
    while True:
        found = list(_of_a_game(game, valuer, rng))
        if found:
            yield rng.choice(found)


def _of_a_game(game: AnyGame, valuer: AnyValuer, rng: Random) -> Iterator[Puzzle]:
    solo, bot = game.solo, find_bot(at_level(rng.choice(PLAYERS), game), game)
    sheet, steps, is_last = solo.start(), list[tuple[int, ...] | str](), False
    while not isinstance(expected := solo.next(sheet), Over) and not is_last:
        if isinstance(expected, Throw):
            faces = tuple(rng.choice(FACES) for _ in range(expected.dice))
            is_last = solo.ends(sheet)
            sheet = solo.throw(sheet, faces, last=is_last)
            steps.append(faces)
        if isinstance(solo.next(sheet), Pick):
            if len(steps) > 1 and not is_last and (puzzle := find_puzzle(game, tuple(steps), sheet, valuer, rng)):
                yield puzzle
            action = bot.choose(Sight(game, sheet), solo.legal(sheet), rng)
            sheet = solo.act(sheet, action)
            steps.append(str(action))


def write(puzzle: Puzzle) -> str:
    """A puzzle as a line."""
    data = {"steps": puzzle.steps, "level": puzzle.level, "obvious": puzzle.obvious, "choices": puzzle.choices}
    return json.dumps(data, separators=(",", ":"))


def read(line: str) -> Puzzle:
    data = json.loads(line)
    steps = tuple(step if isinstance(step, str) else tuple(step) for step in data["steps"])
    return Puzzle(steps, data["level"], data["obvious"], tuple(Choice(*each) for each in data["choices"]))


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
