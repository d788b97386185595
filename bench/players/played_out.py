"""Knister and Knaster: whether what is said of a sheet holds, found by playing it out.

    python bench/players/played_out.py knister --positions 500 --games 8 --seed 1

Players of every strength leave positions: at random, `child`, `casual` and `quick`. From each, whoever searches
with a share of what `strong` searches plays some games to the end, and the luck of their dice is taken out.
`kasta advise` says a total with a standard error: is the mean of these games within twice that? The standard error
of the mean itself is allowed for. Totals that are computed exactly state no error: they are only off by what those
who play on give away. `--resume FILE` goes on where a run was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from kasta.bots.base import Sight, find_bot
from kasta.bots.grid import estimates_of
from kasta.core import FACES, Over, Throw
from kasta.games import find_game
from kasta.games.grid import FREE
from kasta.games.traits import AnyGame
from kasta.jobs.job import Job
from kasta.jobs.run import run

PLAYERS = ("anything", "child", "casual", "quick")
CELLS = 25


class Asked(NamedTuple):
    """A position, by who left it, and how often it is played out."""

    game: str
    player: str
    seed: str
    games: int
    share: float


class Found(NamedTuple):
    """What was said of it, how far off that may be, and what it came to."""

    player: str
    free: int
    said: float
    error: float
    came_to: float
    by_chance: float  # standard error


def played_out(asked: Asked) -> Found:
    game, rng = find_game(asked.game), Random(asked.seed)
    sheet = position(game, asked.player, rng)
    best = estimates_of(game).options(sheet)[0]
    totals = [play_on(game, sheet, asked.share, rng) for _ in range(asked.games)]
    by_chance = float(np.std(totals, ddof=1)) / asked.games**0.5
    return Found(
        asked.player, sheet.numbers.count(FREE), best.value, best.error, float(np.mean(totals)), by_chance
    )


def position(game: AnyGame, player: str, rng: Random) -> Any:  # noqa: ANN401 - a sheet
    """A sheet with a throw on it, and so many cells free."""
    solo, bot, free = game.solo, find_bot(player, game), rng.randrange(1, CELLS + 1)
    sheet = solo.start()
    while True:
        if isinstance(expected := solo.next(sheet), Throw):
            sheet = solo.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
            if sheet.numbers.count(FREE) <= free:
                return sheet
        else:
            sheet = solo.act(sheet, bot.choose(Sight(game, sheet), solo.legal(sheet), rng))


def play_on(game: AnyGame, sheet: Any, share: float, rng: Random) -> float:  # noqa: ANN401 - a sheet
    """The total of a game that is played on, less its luck."""
    solo, estimates, luck = game.solo, estimates_of(game), 0.0
    strong = estimates.budgets["strong"]
    budget = strong._replace(games=round(share * strong.games))
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            before, sheet = sheet, solo.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
            luck += estimates.luck(before, sheet)
        else:
            best = estimates.fitting(sheet).rank(sheet, budget, rng.getrandbits(64))[0]
            sheet = solo.act(sheet, best.action)
    return float(solo.total(sheet)) - luck


def student(games: int) -> float:
    """How many standard errors of a mean of so few games hold 95 of 100 times (Cornish and Fisher)."""
    z, free = 1.96, games - 1
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


def tell(who: str, found: list[Found], games: int) -> None:
    if not found:
        return
    off = np.array([each.said - each.came_to for each in found])
    chance, error = (np.array([getattr(each, name) for each in found]) for name in ("by_chance", "error"))
    print(f"{who:10} {len(found):5} positions: off by {off.mean():+.2f} on average", end="")
    print(f", {np.mean(np.abs(off)):.2f} either way", end="")
    if (estimated := error > 0).any():
        off, chance, error = off[estimated], chance[estimated], error[estimated]
        within = np.abs(off) <= np.hypot(2 * error, student(games) * chance)
        spread = np.sqrt(max(0.0, float(np.mean(off**2 - chance**2))))
        print(f"; {len(off)} estimated, {spread:.2f} as a standard deviation", end="")
        print(f", within twice their error {100 * np.mean(within):.1f} %", end="")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--games", type=int, default=8, help="from each")
    parser.add_argument("--share", type=float, default=0.2, help="of what `strong` searches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="a file of what was found, to go on from")
    parser.add_argument("--processes", type=int, help="by default, one for each core")
    wanted = parser.parse_args()
    asked = [
        Asked(wanted.game, PLAYERS[number % len(PLAYERS)], f"{wanted.seed} {number}", wanted.games, wanted.share)
        for number in range(wanted.positions)
    ]
    job = Job("played_out", {}, played_out, asked)
    found = [Found(*each) for each in run(job, processes=wanted.processes, resume=wanted.resume)]
    for player in PLAYERS:
        tell(player, [each for each in found if each.player == player], wanted.games)
    tell("all", found, wanted.games)
    for first in range(1, CELLS + 1, 6):
        if some := [each for each in found if first <= each.free < first + 6]:
            tell(f"{first}-{first + 5} free", some, wanted.games)


if __name__ == "__main__":
    main()
