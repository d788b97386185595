"""Makes the puzzles of a game from a seed: `python tools/make_puzzles.py GAME COUNT SEED > .../puzzles.jsonl`.

Of each level there are as many; they come in the order in which days take them, one level after the other. No two
are from one game.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterator, Sequence
from itertools import chain
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

from kasta.bots.base import Sight, at_level, bots_of, find_bot
from kasta.coach.puzzles import LEVELS, Puzzle, PuzzleOption, Steps
from kasta.core import FACES, Over, Pick, Throw
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_valuer
from kasta.solve.grid.estimates import Estimates, seed_of
from kasta.values import AnyValuer, Option

ERRS_FROM = 2  # the level from which on the player of the game has chosen something worse
OBVIOUS_LOSES = 0.05  # of the spread, that what pays most at once gives away
SURE = 4.0  # standard errors by which the best is ahead of the second
SEARCHES = (2, 4)  # for those values that are estimated: what does not hold in a few needs no more
OFFERED = 5  # choices
PLAYERS = ("weak", "middling")  # the levels of the bots whose games they are from


def surely(valuer: Estimates[Any, Any], sheet: Any, searches: int) -> list[Option[Any]]:  # noqa: ANN401 - of any game
    """As `options`, from several searches of the bot `best`. Errors are measured between them.

    The best is compared with each other choice in the same search, and its own error is 0: so an option's error is
    that of what it is worth less than the best.
    """
    budget, seed = valuer.budgets["best"], seed_of(sheet)
    runs = [{o.action: o.value for o in valuer.rank(sheet, budget, seed + i)} for i in range(searches)]
    means = {action: mean(run[action] for run in runs) for action in runs[0]}
    best = max(means, key=lambda action: means[action])
    behind = {action: stdev(run[best] - run[action] for run in runs) for action in means}
    options = [Option(action, means[action], behind[action] / sqrt(searches)) for action in means]
    return sorted(options, key=lambda option: -option.value)


def find_puzzle(
    game: AnyGame,
    steps: Steps,
    sheet: Any,  # noqa: ANN401 - each game has its own sheets
    played: Any,  # noqa: ANN401 - and actions
    valuer: AnyValuer,
    wanted: Container[int] = LEVELS,
) -> Puzzle | None:
    """The puzzle of a wanted level that a position is, if it is one; `played` is what the player chose."""
    legal = game.solo.legal(sheet)
    if len(legal) < 2 or pays_most(game, sheet, [Option(action, 0.0) for action in legal]) is None:  # noqa: PLR2004
        return None
    options = valuer.options(sheet)
    level, obvious = level_of(game, sheet, options, played, valuer.spread), pays_most(game, sheet, options)
    if level not in wanted or obvious is None:
        return None
    found = searched(game, sheet, options, valuer)
    if found is None or found[0].value - found[1].value < SURE * found[1].error:
        return None
    errors = {option.action: option.error for option in found}
    told = [option._replace(error=errors[option.action]) for option in options]
    if told[0].value - told[1].value < SURE * told[1].error:
        return None
    return Puzzle(steps, level, str(obvious.action), str(played), _offered(told, {obvious.action, played}))


def searched(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - each game has its own sheets
    options: list[Option[Any]],
    valuer: AnyValuer,
) -> list[Option[Any]] | None:
    """The options as long searches find them, where values are estimated; None if they find another one best."""
    if not isinstance(valuer, Estimates) or valuer.is_exact(sheet):
        return options
    for searches in SEARCHES:
        found = surely(valuer.fitting(sheet), sheet, searches)
        obvious = pays_most(game, sheet, found)
        if found[0].action != options[0].action or obvious is None:
            return None
        if found[0].value - obvious.value < OBVIOUS_LOSES * valuer.spread:
            return None
    return found


def level_of(game: AnyGame, sheet: Any, options: Sequence[Option[Any]], played: Any, spread: float) -> int:  # noqa: ANN401
    """How hard it is to find the best option; 0 where it is not far ahead, or obvious."""
    best, second, obvious = options[0], options[1], pays_most(game, sheet, options)
    if obvious is None or best.value - obvious.value < OBVIOUS_LOSES * spread:
        return 0
    ahead = best.value - second.value
    level = next((level for level, share in LEVELS.items() if ahead >= share * spread), 0)
    return level if level and _errs(game, sheet, best.action, played, level) else 0


def _errs(game: AnyGame, sheet: Any, best: Any, played: Any, level: int) -> bool:  # noqa: ANN401
    """Whether everybody who must be wrong at a level is: the player, and whoever judges at a glance."""
    if level >= ERRS_FROM and played == best:
        return False
    sight, legal = Sight(game, sheet), game.solo.legal(sheet)
    glances = [bot for least, bot in bots_of(game).glances.items() if least <= level]
    return all(bot.choose(sight, legal, Random(0)) != best for bot in glances)  # noqa: S311 - for equal choices


def pays_most(game: AnyGame, sheet: Any, options: Sequence[Option[Any]]) -> Option[Any] | None:  # noqa: ANN401
    """What pays most at once, of equal ones the best; None where nothing does."""
    solo = game.solo
    pays = [solo.total(solo.act(sheet, option.action)) for option in options]
    return options[pays.index(max(pays))] if max(pays) > solo.total(sheet) else None


def _offered(options: Sequence[Option[Any]], tempting: set[Any]) -> tuple[PuzzleOption, ...]:
    """The best ones, and those that tempt, whatever they are worth."""
    others = OFFERED - sum(option.action in tempting for option in options)
    dull = [option for option in options if option.action not in tempting][:others]
    kept = [option for option in options if option.action in tempting or option in dull]
    return tuple(PuzzleOption(str(each.action), round(each.value, 2), round(each.error, 3)) for each in kept)


def make(name: str, seed: int, wanted: Container[int] = LEVELS) -> Iterator[list[Puzzle]]:
    """The puzzles of wanted levels of one game after another, as bots play them, for ever."""
    game, rng = find_game(name), Random(seed)  # noqa: S311 - games to look at
    valuer = find_valuer(game)
    while True:
        yield list(_of_a_game(game, valuer, rng, wanted))


def _of_a_game(game: AnyGame, valuer: AnyValuer, rng: Random, wanted: Container[int]) -> Iterator[Puzzle]:
    solo, bot = game.solo, find_bot(at_level(rng.choice(PLAYERS), game), game)
    sheet, steps, is_last = solo.start(), list[tuple[int, ...] | str](), False
    while not isinstance(expected := solo.next(sheet), Over) and not is_last:
        if isinstance(expected, Throw):
            faces = tuple(rng.choice(FACES) for _ in range(expected.dice))
            is_last = solo.ends(sheet)
            sheet = solo.throw(sheet, faces, last=is_last)
            steps.append(faces)
        if isinstance(solo.next(sheet), Pick):
            action = bot.choose(Sight(game, sheet), solo.legal(sheet), rng)
            is_asked = len(steps) > 1 and not is_last
            if is_asked and (puzzle := find_puzzle(game, tuple(steps), sheet, action, valuer, wanted)):
                yield puzzle
            sheet = solo.act(sheet, action)
            steps.append(str(action))


def write(puzzle: Puzzle) -> str:
    """A puzzle as a line."""
    data = {"steps": puzzle.steps, "level": puzzle.level, "obvious": puzzle.obvious, "played": puzzle.played}
    return json.dumps({**data, "choices": puzzle.choices}, separators=(",", ":"))


def main(name: str, count: int, seed: int) -> None:
    found: dict[int, list[Puzzle]] = {level: [] for level in LEVELS}
    most = -(-count // len(LEVELS))
    wanted = set(LEVELS)
    for puzzles in make(name, seed, wanted):
        if puzzles:
            puzzle = min(puzzles, key=lambda puzzle: len(found[puzzle.level]))
            found[puzzle.level].append(puzzle)
            wanted -= {level for level, each in found.items() if len(each) == most}
            sys.stderr.write(f"\r{name}: " + " ".join(f"{len(each)}/{most}" for each in found.values()))
        if not wanted:
            break
    for puzzle in chain.from_iterable(zip(*found.values(), strict=True)):
        sys.stdout.write(write(puzzle) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
