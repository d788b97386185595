"""Compile the kernels that most tests need, once: processes that begin at the same time would each do it.

Everything is called as people's commands call it, on as little as there is.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from kasta.bots.base import Sight, bots_of
from kasta.bots.grid import estimates_of
from kasta.env.batch import simulate
from kasta.env.vector import BatchEnv, Chooser
from kasta.games import OURS, find_game
from kasta.games.grid import Grid
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.yatzy import Yatzy
from kasta.solve.grid.training import Plan, find_training, train
from kasta.solve.yatzy.distribution import distribution
from kasta.solve.yatzy.solution import solve
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.target import reaching

GRIDS = {"knister": Knister(Grid(2)), "knaster": Knaster(Grid(2), printed=(8,) * 6)}
TINY = Yatzy(dice=3, throws=2, boxes=("ones", "yatzy", "full_house"), upper_goal=5)


def play_on_a_grid(name: str) -> None:
    """Every bot answers a throw, and the learned value plays by itself and tells what sheets are worth."""
    game = find_game(name)
    sheet = game.solo.throw(game.solo.start(), (3, 4))
    for bot in bots_of(game).by_name.values():
        bot.choose(Sight(game, sheet), game.solo.legal(sheet), random.Random(0))  # noqa: S311 - no dice
    estimates = estimates_of(game)
    estimates.play(1, 0, with_luck=True)
    estimates.before_throw(game.solo.start())
    estimates.after_throw(sheet)


def learn(name: str) -> None:
    with TemporaryDirectory() as folder:
        learner = find_training(find_game(name)).learner(GRIDS[name])
        train(learner, [Plan(1, 0.5, 0.01, parts=1)], Path(folder, "tiny"))


def solve_a_tiny_yatzy() -> None:
    with TemporaryDirectory() as folder:
        solution = solve(StateSpace(TINY), Path(folder, "tiny"))
        solution.find_sd()
        solution.totals(1, 0)
        distribution(solution)
        reaching(solution.space, TINY.start(), 15)


def step(name: str) -> None:
    simulate(name, 1)
    env = BatchEnv(name, 1)
    env.reset(seed=0)
    env.step(Chooser(1).choose(env.action_masks()))


def main() -> None:
    begun = time.monotonic()
    work: list[Callable[[], None]] = [
        *(partial(play_on_a_grid, name) for name in GRIDS),
        solve_a_tiny_yatzy,
        *(partial(learn, name) for name in GRIDS),
        *(partial(step, name) for name in OURS),
    ]
    for each in work:
        each()
    sys.stdout.write(f"kernels are compiled, in {time.monotonic() - begun:.0f} s\n")


if __name__ == "__main__":
    main()
