"""How soon the strength of a player settles: by totals, by totals less the ghost's, and by totals less their luck.

    python bench/players/strength.py --games 60 --seed 1 --bots casual,quick
    python bench/players/strength.py --games 300 --bots child,casual,seasoned --ghost quick

All bots get the same throws, as in a challenge; the ghost is `best` there. Luck is looked up two throws ahead
(`find_luck`). Printed are the standard deviation of each over games, and the standard error of its mean after 5,
10 and 20 games. `kasta.results.strength` goes by totals less their luck.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from kasta.bots.base import Sight, find_bot
from kasta.games.traits import find_luck
from kasta.record import Do, Roll
from kasta.series.ghost import ghost_game
from kasta.series.model import SeriesDice

AFTER = (5, 10, 20)  # games


class Made(NamedTuple):
    """What somebody made of a series."""

    total: int
    luck: float


async def made(one: SeriesDice, bot: str, seed: int) -> Made:
    game, rng, player = one.found(), Random(seed), find_bot(bot, one.game)
    solo, luck_of = game.solo, find_luck(game)
    if luck_of is None:
        raise SystemExit(f"nothing tells the luck of throws in {one.game}")

    async def choose(sheet: Any) -> Any:  # noqa: ANN401 - of the game
        return player.choose(Sight(game, sheet), solo.legal(sheet), rng)

    played = await ghost_game(one, choose)
    sheet, luck = solo.start(), 0.0
    for step in played.steps:
        if isinstance(step, Roll):
            before, sheet = sheet, solo.throw(sheet, step.faces)
            luck += luck_of(before, sheet)
        elif isinstance(step, Do):
            sheet = solo.act(sheet, solo.read_action(step.text))
    return Made(played.total, luck)


async def games_of(game: str, bot: str, games: int, seed: int) -> list[Made]:
    given = [SeriesDice(f"challenge/{seed}.{number}", game, b"strength") for number in range(games)]
    return [await made(one, bot, seed + number) for number, one in enumerate(given)]


def row(name: str, measure: str, values: Sequence[float]) -> str:
    spread = stdev(values)
    mean = f"{fmean(values):.1f} ± {spread / sqrt(len(values)):.1f}"
    errors = [f"{spread / sqrt(each):.1f}" for each in AFTER]
    return f"| {' | '.join([name, measure, mean, f'{spread:.1f}', *errors])} |"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("game", nargs="?", default="knister")
    ask.add_argument("--games", type=int, default=60)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--bots", default="casual,quick")
    ask.add_argument("--ghost", default="best")
    ask.add_argument("--quick", action="store_true")
    asked = ask.parse_args()
    games, ghost, bots = asked.games, asked.ghost, asked.bots.split(",")
    if asked.quick:
        games, ghost, bots = 6, "quick", ["casual"]
    began = time.process_time()
    best = asyncio.run(games_of(asked.game, ghost, games, asked.seed))
    print(f"{games} games; {ghost} makes {fmean(each.total for each in best):.1f}\n")
    print("| bot | measured by | mean | sd |", *[f"after {number} games |" for number in AFTER])
    print("| --- " * (4 + len(AFTER)) + "|")
    for name in bots:
        own = asyncio.run(games_of(asked.game, name, games, asked.seed))
        print(row(name, "totals", [each.total for each in own]))
        print(
            row(name, "less the ghost's", [one.total - other.total for one, other in zip(own, best, strict=True)])
        )
        print(row(name, "less their luck", [each.total - each.luck for each in own]), flush=True)
    print(f"\n{time.process_time() - began:.0f} s")


if __name__ == "__main__":
    main()
