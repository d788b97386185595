"""How fast the environments are, beside OpenSpiel's yacht in the same run. Prints the tables of results-env.md.

Times are CPU time of this process, on one core. Yacht is the nearest game that OpenSpiel has in C++: Yatzy with
twelve boxes. Its rollouts are those of its own C++ loop with its own random player; ours are games of a player who
takes any legal action, too.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pyspiel

import kasta.env
import kasta.env.spiel
from kasta.env.batch import simulate
from kasta.env.vector import Chooser


@dataclass(frozen=True)
class Size:
    """How long is measured; the best of the rounds counts: what slows one down is somebody else's work."""

    seconds: float = 2.0
    rounds: int = 5
    simulated: int = 20_000


QUICK = Size(seconds=0.01, rounds=1, simulated=10)
SIZES = {
    "kasta/Knister-v0": 4096,
    "kasta/Knaster-v0": 2048,
    "kasta/Yatzy-v0": 1024,
    "kasta/Yatzy15-v0": 1024,
    "kasta/Maxi-v0": 512,
}
GOALS = {"knister": (100, 500), "knaster": (60, None), "yatzy": (30, 100)}  # batched steps, simulator: times yacht


def rate(work: Callable[[], int], size: Size) -> float:
    """How much of it is done a second, the best of some rounds."""
    work()  # compiles, and fills caches
    best = 0.0
    for _ in range(size.rounds):
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < size.seconds / size.rounds:
            done += work()
        best = max(best, done / spent)
    return best


def yacht_rollouts() -> int:
    game, bot = pyspiel.load_game("yacht(players=1)"), pyspiel.make_uniform_random_bot(0, 1)
    for seed in range(20):
        pyspiel.evaluate_bots(game.new_initial_state(), [bot], seed)
    return 20


def python_rollout(name: str) -> int:
    """One game in a Python loop over OpenSpiel's states."""
    state, rng = pyspiel.load_game(name).new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(numbers, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return 1


def single(name: str) -> Callable[[], int]:
    env: Any = gymnasium.make(name).unwrapped
    rng = np.random.default_rng(1)

    def game() -> int:
        observation, _ = env.reset()
        steps, over = 0, False
        while not over:
            legal = np.flatnonzero(observation["action_mask"])
            observation, _, over, _, _ = env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return steps

    return game


def batched(name: str) -> Callable[[], int]:
    """Games through `step`, with all it returns and the choice of actions: a hundred steps of all environments."""
    env, chooser = gymnasium.make_vec(name, num_envs=SIZES[name]), Chooser(SIZES[name])
    observation, _ = env.reset(seed=1)

    def steps() -> int:
        nonlocal observation
        ended = 0
        for _ in range(100):
            observation, _, terminated, _, _ = env.step(chooser.choose(observation["action_mask"]))
            ended += int(terminated.sum())
        return ended

    return steps


def simulated(game: str, games: int) -> int:
    return len(simulate(game, games))


def main(size: Size) -> None:
    yacht = rate(yacht_rollouts, size)
    print(
        f"Python {platform.python_version()}, {platform.machine()}, numpy {np.__version__}, CPU time of one core\n"
    )
    print("| random games a second | | times yacht |\n| --- | --- | --- |")
    print(f"| OpenSpiel yacht, C++ rollouts, one player | {yacht:,.0f} | 1 |")
    loops = rate(partial(python_rollout, "yacht(players=1)"), size)
    print(f"| OpenSpiel yacht, Python loop | {loops:,.0f} | |")
    for game in kasta.env.IDS.values():
        loops = rate(partial(python_rollout, f"kasta_{game}"), size)
        print(f"| Kasta's {game} in OpenSpiel, Python loop | {loops:,.0f} | |")
    for name, game in kasta.env.IDS.items():
        in_step = rate(batched(name), size)
        alone = rate(partial(simulated, game, size.simulated), size)
        for what, games, goal in zip(
            (f"batched `step`, {SIZES[name]:,} environments", "batch simulator"),
            (in_step, alone),
            GOALS.get(game, (None, None)),
            strict=True,
        ):
            wanted = f" (goal {goal})" if goal else ""
            print(f"| {game}, {what} | {games:,.0f} | {games / yacht:,.0f}{wanted} |")
    print("\n| single Gymnasium environment | steps a second |\n| --- | --- |")
    for name in kasta.env.IDS:
        print(f"| {name} | {rate(single(name), size):,.0f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    main(QUICK if parser.parse_args().quick else Size())
