"""What playing to win is worth: Yatzy for two, one player for the win against one for the expected total.

Who plays for the total does not look at the other, so the dice alone decide what it gets. Each game is played
a second time with the same dice by two such players, of whom each wins one half exactly: only the difference that
playing to win makes is measured. Of the last turn the exact chances are taken, not one throw of the dice. Both
together make a game tell as much as many.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any

from kasta.bots.base import Bot, Sight
from kasta.bots.yatzy import BOTS
from kasta.core import Pick
from kasta.games import find_game
from kasta.games.yatzy import Sheet
from kasta.jobs.job import Job
from kasta.jobs.run import run
from kasta.solve.yatzy.distribution import distribution
from kasta.solve.yatzy.solution import solution_of
from kasta.solve.yatzy.win import winner_of

GAME = find_game("yatzy")


def dice(seed: int, game: int, player: int, turn: int, throw: int) -> list[int]:
    """Five dice that depend on nothing else: the same luck for whoever plays."""
    digest = sha256(f"{seed} {game} {player} {turn} {throw}".encode()).digest()
    return [byte % 6 + 1 for byte in digest if byte < 252][:5]


def take_turn(bot: Bot, sheet: Sheet, others: tuple[Sheet, ...], key: tuple[int, int, int, int]) -> Sheet:
    solo = GAME.solo
    while True:
        expected: Any = solo.next(sheet)
        sheet = solo.throw(sheet, tuple(dice(*key, sheet.throws)[: expected.dice]))
        while isinstance(solo.next(sheet), Pick):
            action = bot.choose(Sight(GAME, sheet, others), solo.legal(sheet), Random())
            sheet = solo.act(sheet, action)
        if solo.rests(sheet):
            return sheet


def gain(asked: tuple[int, int]) -> float:
    """What playing to win adds to the chance to win, in the game of a seed and a number; it begins every other."""
    seed, game = asked
    solo, turns = GAME.solo, len(GAME.solo.start().boxes)
    paths = [[solo.start()], [solo.start()]]
    for player, path in enumerate(paths):
        for turn in range(turns):
            path.append(take_turn(BOTS.by_name["best"], path[-1], (), (seed, game, player, turn)))
    sheet = solo.start()
    for turn in range(turns - 1):
        other = paths[1][turn + game % 2]
        sheet = take_turn(BOTS.by_name["winner"], sheet, (other,), (seed, game, 0, turn))
    other = paths[1][turns - 1 + game % 2]
    return winner_of(GAME).value(sheet, [other]) - chance(paths[0][turns - 1], other)


def chance(mine: Sheet, other: Sheet) -> float:
    """That the first ends higher, when both play for the expected total; equal totals count half."""
    ours, theirs = (distribution(solution_of(GAME), sheet) for sheet in (mine, other))
    totals = range(ours.first, ours.first + len(ours.chances))
    beaten = [(theirs.below(total) + theirs.below(total + 1)) / 2 for total in totals]
    return float(ours.chances @ beaten)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, help="by default, one for each core")
    wanted = parser.parse_args()
    gains, begun = [], perf_counter()
    each = [(wanted.seed, game) for game in range(wanted.games)]
    for found in run(Job("winning", {}, gain, each), processes=wanted.processes):
        gains.append(found)
        if len(gains) % 500 == 0:
            print(report(gains), file=sys.stderr, flush=True)
    print(report(gains), f"({perf_counter() - begun:.0f} s)")


def report(gains: list[float]) -> str:
    share, error = 100 * (0.5 + fmean(gains)), 100 * stdev(gains) / sqrt(len(gains))
    low, high = share - 1.96 * error, share + 1.96 * error
    return f"{len(gains)} games: wins {share:.2f} %, 95 % confidence {low:.2f} to {high:.2f} %"


if __name__ == "__main__":
    main()
