"""Knister and Knaster: how far choices and what is said of them are from perfect.

    python bench/players/perfect.py doubt knister --positions 100 --seed 1
    python bench/players/perfect.py exact knister best --free 8 --positions 100 --seed 1
    python bench/players/perfect.py regret knister best --free 17 --positions 100 --seed 1

`doubt` asks how far advice is off beside whole games. `exact`, for Knister only, asks what choices give away,
computing all that can come; it needs half a gigabyte. `regret` asks the same where too much can come: what is
another choice worth, if somebody who searches plays on? Figures go to bench/results-grid.md by hand.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kasta.bots.grid import estimates_of
from kasta.core import FACES, Over, Throw
from kasta.games import find_game
from kasta.games.grid import FREE
from kasta.games.knister import Knister
from kasta.solve.grid.estimates import AnyEstimates, seed_of
from kasta.solve.grid.halving import Budget
from kasta.solve.knister import estimates as knister
from kasta.solve.knister.endgame import last_cells

Sheet = Any
PLAYS_ON = {
    "knister": Budget(first=8, played=4, games=40, throws=6, tries=2, trust=5.0),
    "knaster": Budget(first=10, played=5, games=100, throws=6, trust=10.0),
}
CLOSE, MOST = 0.5, 4  # choices that a player finds so close to its own might be better, the first of them


def doubt(name: str, positions: int, seed: int) -> None:
    """How far advice is off, as root mean squares, beside whole games: the doubts of `Estimates`."""
    estimates, rng = estimates_of(find_game(name)), Random(seed)
    ahead = Budget(first=25)
    later = estimates.budgets["glance"]._replace(exact=0)
    whole = later._replace(throws=99, games=6000 if name == "knaster" else 1500, trust=0.0)
    off: list[tuple[float, float]] = []
    for _ in range(positions):
        sheet = position(estimates, Budget(), rng.randrange(7, 25), rng)
        by_budget = [
            {option.action: option.value for option in estimates.rank(sheet, budget, seed)}
            for budget in (ahead, later, whole)
        ]
        best = max(by_budget[2], key=by_budget[2].__getitem__)
        off.append((by_budget[0][best] - by_budget[2][best], by_budget[1][best] - by_budget[2][best]))
    at_once, left = np.sqrt(np.mean(np.square(off), axis=0))
    print(
        f"{name}, {positions} positions: two throws ahead off by {at_once:.2f}, games that are left by {left:.2f}"
    )


def exact(bot: str, free: int, positions: int, rng: Random) -> None:
    estimates, lost = knister.estimates(Knister()), list[float]()
    solo, budget = estimates.solo, estimates.budgets[bot]._replace(exact=0)
    for _ in range(positions):
        sheet = position(estimates, PLAYS_ON["knister"], free, rng)
        after = {cell: estimates.encode(solo.act(sheet, cell)) for cell in solo.legal(sheet)}
        worth = {cell: last_cells(estimates.model.arrays, arrays)[1][0] for cell, arrays in after.items()}
        lost.append(max(worth.values()) - worth[estimates.rank(sheet, budget, rng.getrandbits(32))[0].action])
    tell(f"knister {bot}, {free} cells free", lost)


def regret(name: str, bot: str, free: int, positions: int, games: int, rng: Random) -> None:
    """Half of the games find the best choice, and the others what it gains: so chance favours none."""
    estimates, lost = estimates_of(find_game(name)), list[float]()
    for number in range(positions):
        sheet = position(estimates, PLAYS_ON[name], free, rng)
        options = estimates.rank(sheet, estimates.budgets[bot], rng.getrandbits(32))
        close = [option.action for option in options[:MOST] if option.value > options[0].value - CLOSE]
        one, two = (played_on(estimates, PLAYS_ON[name], sheet, close, games // 2, rng) for _ in range(2))
        lost.append((one[two.argmax()] - one[0] + two[one.argmax()] - two[0]) / 2)
        if number % 10 == 9:
            tell(f"{name} {bot}, {free} cells free", lost)


def tell(what: str, lost: list[float]) -> None:
    error = np.std(lost) / len(lost) ** 0.5
    print(
        f"{what}, {len(lost)} positions: gives away {np.mean(lost):.4f} ± {error:.4f} points a choice", flush=True
    )


def position(estimates: AnyEstimates, budget: Budget, free: int, rng: Random) -> Sheet:
    """Where there is something to choose, with so many cells free."""
    solo = estimates.solo
    sheet = solo.start()
    while True:
        if isinstance(expected := solo.next(sheet), Throw):
            sheet = solo.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
        elif sheet.numbers.count(FREE) <= free and len(solo.legal(sheet)) > 1:
            return sheet
        else:
            sheet = solo.act(sheet, estimates.rank(sheet, budget, seed_of(sheet))[0].action)


def played_on(
    estimates: AnyEstimates, budget: Budget, sheet: Sheet, actions: list[Any], games: int, rng: Random
) -> NDArray[np.float64]:
    """What each action comes to, luck apart, on average over games with the same throws."""
    if len(actions) == 1:
        return np.zeros(1)
    after = [estimates.solo.act(sheet, action) for action in actions]
    seeds = [rng.getrandbits(32) for _ in range(games)]
    totals = [[play_on(estimates, budget, one, Random(seed)) for one in after] for seed in seeds]
    return np.asarray(np.mean(totals, axis=0))


def play_on(estimates: AnyEstimates, budget: Budget, sheet: Sheet, rng: Random) -> float:
    """The total of a game that is played on, less its luck."""
    solo, luck = estimates.solo, 0.0
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            before, sheet = sheet, solo.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
            luck += estimates.luck(before, sheet)
        else:
            sheet = solo.act(sheet, estimates.rank(sheet, budget, seed_of(sheet))[0].action)
    return float(solo.total(sheet)) - luck


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["doubt", "exact", "regret"])
    parser.add_argument("game", nargs="?", default="knister")
    parser.add_argument("bot", nargs="?", default="best")
    parser.add_argument("--free", type=int, default=8, help="cells")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--games", type=int, default=300, help="played on from each choice")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    if wanted.what == "exact" and wanted.game != "knister":
        parser.error("only Knister can be computed exactly")
    rng = Random(wanted.seed)
    if wanted.what == "doubt":
        doubt(wanted.game, wanted.positions, wanted.seed)
    elif wanted.what == "exact":
        exact(wanted.bot, wanted.free, wanted.positions, rng)
    else:
        regret(wanted.game, wanted.bot, wanted.free, wanted.positions, wanted.games, rng)


if __name__ == "__main__":
    main()
