"""How well one plays by the estimates that come with Kasta: `python bench/players/estimates.py maxi no_saving`.

Totals spread widely, but most of that is luck, and the luck of dice is nothing on average: what is left of a game
without it is what the estimate expects at the start, plus what it was mistaken in each turn. So few games tell the
mean of all to within thousandths of a point.
"""

from __future__ import annotations

import argparse
from random import Random

import numpy as np

from kasta.core import FACES, Pick, Throw
from kasta.games import find_game
from kasta.solve.yatzy.estimate import Estimate, found_estimate


def play(estimate: Estimate, rng: Random) -> tuple[int, float]:
    """The total of a game, and what is left of it without luck."""
    space = estimate.space
    game, sheet = space.game, space.game.start()
    less_luck = estimate.value(sheet)
    while None in sheet.boxes:
        match game.next(sheet):
            case Throw(dice):
                if not sheet.throws:
                    turn = estimate.turn(space.position(sheet))
                    less_luck += space.counted(sheet) + turn.begin(sheet.saved) - estimate.value(sheet)
                sheet = game.throw(sheet, tuple(rng.choices(FACES, k=dice)))
            case Pick():
                sheet = game.act(sheet, estimate.options(sheet)[0].action)
    return game.total(sheet), less_luck


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("rules")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    estimate = found_estimate(find_game(wanted.game, wanted.rules).solo)
    if estimate is None:
        parser.error("no estimate comes with Kasta for these rules")
    rng = Random(wanted.seed)
    totals, less_luck = np.array([play(estimate, rng) for _ in range(wanted.games)]).T
    root = wanted.games**0.5
    print(f"{wanted.game} {wanted.rules}, {wanted.games} games: the best player {estimate.about['value']:.4f}")
    print(f"mean {totals.mean():.3f} ± {totals.std(ddof=1) / root:.3f}")
    print(f"less luck {less_luck.mean():.4f} ± {less_luck.std(ddof=1) / root:.4f}")


if __name__ == "__main__":
    main()
