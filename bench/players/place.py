"""What playing for the place is worth in Knister and Knaster, at a table with one who plays for the total.

    python bench/players/place.py knaster --games 200 --seed 1

Both search as far, by default as `strong` does, which is quicker than `best`; the dice are the same for both, as
always in these games. An equal total counts half. `--resume FILE` goes on where a run was stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from kasta.bots.base import Bot, Sight
from kasta.bots.grid import Searching
from kasta.games import find_game
from kasta.jobs.job import Job
from kasta.jobs.run import run
from kasta.lab.simulate import play_once


class Blind:
    """A bot that looks at nobody else's sheet."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        return self._bot.choose(replace(view, others=(), others_lack=None), legal, rng)


class Asked(NamedTuple):
    """A game, and against whom."""

    game: str
    budget: str
    blind: bool
    seed: str


def totals(asked: Asked) -> tuple[int, int]:
    """Of whoever plays for the place, and of the other."""
    other: Bot = Searching(asked.budget)
    players: list[Bot] = [Searching(asked.budget, for_the_place=True), Blind(other) if asked.blind else other]
    own, others = play_once(find_game(asked.game), players, Random(asked.seed))
    return own, others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="knaster")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", default="strong", help="how far both search: quick, strong or best")
    parser.add_argument("--blind", action="store_true", help="the other does not even look how near the end is")
    parser.add_argument("--resume", type=Path, help="a file of what was played, to go on from")
    parser.add_argument("--processes", type=int, help="by default, one for each core")
    wanted = parser.parse_args()
    each = [Asked(wanted.game, wanted.budget, wanted.blind, f"{wanted.seed} {n}") for n in range(wanted.games)]
    job = Job("place", {}, totals, each)
    played = np.array(list(run(job, processes=wanted.processes, resume=wanted.resume)))
    won = (played[:, 0] > played[:, 1]) + (played[:, 0] == played[:, 1]) / 2
    root = len(played) ** 0.5
    print(f"{wanted.game}, {wanted.budget}, {len(played)} games: wins {100 * won.mean():.1f} ", end="")
    print(f"± {100 * won.std(ddof=1) / root:.1f} %, equal {100 * np.mean(won == 0.5):.0f} %; totals", end="")
    print(" and ".join(f" {one.mean():.1f} ± {one.std(ddof=1) / root:.1f}" for one in played.T))


if __name__ == "__main__":
    main()
