"""Knister and Knaster: how fast kernels and players are, and how strong.

    python bench/players/grid.py speed
    python bench/players/grid.py strength knister strong --games 200 --seed 1

Times are of the CPU, also where games are played on all cores (`strength`). Figures go to bench/results-grid.md by
hand.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from random import Random

from kasta.bots.base import find_bot, look
from kasta.bots.grid import estimates_of
from kasta.core import FACES, Over, Pick, Throw
from kasta.games import find_game
from kasta.lab.simulate import simulate

FIRST_ADVICE = """
import time; start = time.perf_counter()
from kasta.games import find_game
from kasta.games.traits import find_valuer
game = find_game({name!r}); solo = game.solo
find_valuer(game).options(solo.throw(solo.start(), (3, 4)))
print(time.perf_counter() - start)
"""


def speed() -> None:
    for name, games in (("knister", 40_000), ("knaster", 10_000)):
        estimates = estimates_of(find_game(name))
        estimates.play(10, 1)
        began = time.process_time()
        estimates.play(games, 1)
        print(f"{name} quick: {games / (time.process_time() - began):,.0f} games/s")
        for bot in ("strong", "best"):
            print(f"{name} {bot}: {1000 * seconds_a_choice(name, bot):.1f} ms a choice")
        began = time.perf_counter()
        for _ in range(2):
            printed = subprocess.run(
                [sys.executable, "-c", FIRST_ADVICE.format(name=name)], capture_output=True, check=True, text=True
            )
        print(f"{name}: first advice {float(printed.stdout):.2f} s after the start, kernels compiled before")


def seconds_a_choice(name: str, bot: str) -> float:
    """The mean over one game, after another that compiles."""
    for _ in range(2):
        game, player, rng = find_game(name), find_bot(bot, find_game(name)), Random(1)
        table, spent, choices = game.start(1), 0.0, 0
        while not isinstance(expected := game.next(table), Over):
            if isinstance(expected, Throw):
                table = game.throw(table, tuple(rng.choices(FACES, k=expected.dice)))
            elif isinstance(expected, Pick):
                legal, began = game.legal(table, 0), time.process_time()
                action = player.choose(look(game, table, 0), legal, rng)
                spent, choices = spent + time.process_time() - began, choices + 1
                table = game.act(table, 0, action)
    return spent / choices


def strength(name: str, bot: str, games: int, seed: int, processes: int | None) -> None:
    began = sum(os.times()[:4])
    summary, _ = simulate(name, "sheet", bot, games=games, seed=seed, processes=processes)
    spent = sum(os.times()[:4]) - began  # with all processes that have ended
    print(f"{name} {bot}, {games} games, seed {seed}: mean {summary.mean:.3f} ± {summary.se:.3f}", end="")
    if summary.mean_less_luck is not None:
        print(f"; less luck {summary.mean_less_luck:.3f} ± {summary.se_less_luck:.3f}", end="")
    print(f"; {spent:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "strength"])
    parser.add_argument("game", nargs="?", default="knister")
    parser.add_argument("bot", nargs="?", default="quick")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, help="that play for `strength`; by default, one for each core")
    wanted = parser.parse_args()
    if wanted.what == "speed":
        speed()
    else:
        strength(wanted.game, wanted.bot, wanted.games, wanted.seed, wanted.processes)


if __name__ == "__main__":
    main()
