"""Upper bounds on the mean of any Knister player: `python bench/knister_bound.py --paths 300 --rounds 1000`.

`bound` is a Lagrangian bound, without sampling: prices instead of rules. What is relaxed is that all lines must
take the same throws into the same cells; the prices are the multipliers. Let each line play for itself and choose
which throws to take, but pay for each: by turn, number, whether the cell is one on a diagonal, and how many equal
numbers the line has. Let somebody else, who sells, choose for each throw one sort of cell, and how many equal
numbers each of its lines has: together no more than came before, because no two numbers stand together in two
lines. Who plays by the rules pays what one of the seller's choices would bring, so no more than the best of them.
Hence the best that all lines can make by themselves, plus the best for the seller, is an upper bound for
everybody, whatever the prices are: good ones make it low.

`Paths` is tighter, by sampling: throws are known in advance, and luck is taken away. This is a bound by
information relaxation, with a martingale as penalty. For one sequence of throws, let every line of `bound` know
all of them, but pay for its luck: in each turn, by how much the throw that came raises what the line hopes for,
compared with the mean throw. For a player who does not know the throws, luck is 0 on average, whatever is done and
whatever is hoped for: so the mean over sequences of the most that anybody could have made, less luck, is an upper
bound for everybody. For each sequence that most is bounded as before, by lines alone and a seller, but with prices
of its own, which are found by gradient descent.

A line hopes for what it would make alone, at the bound's prices. They are the prices of a sequence, too, to begin
with: then its bound is the bound itself, because to know the throws is worth just the luck. A little softness in
hopes makes bounds still lower: what others pay depends on the throws, and blurs prices.

Times are of the CPU. Figures go to bench/results-grid.md by hand.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from knister_bound_kernels import (
    CENTRE,
    CENTRE_OF_DIAGONAL,
    CROSSED,
    OF_DIAGONAL,
    PLACES,
    PLAIN,
    SEEN,
    Market,
    Offers,
    Road,
    Sort,
    compute_luck,
    hope_alone,
    play_alone,
    sell,
    sell_known,
    survey,
    throw,
    travel,
)

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.knaster.arrays import KnasterModel
from kasta.solve.knister.arrays import KnisterArrays, KnisterModel
from kasta.solve.splitmix_kernels import new_generator
from kasta.solve.types import Floats, Ints

FIRST_STEP, LAST_STEP = 0.1, 0.001  # of the way to good prices
FRESH, FRESH_SQUARE = (
    0.1,
    0.01,
)  # 1 - beta: how much the newest gradient counts in the mean, and in the mean square
SOFTNESS = 0.2  # points: found by trying


@dataclass
class Adam:
    """Stochastic gradient descent (Kingma and Ba, 2014), here with a step size that falls geometrically."""

    at: Floats
    rounds: int
    least_size: float  # epsilon
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._mean, self._square = np.zeros_like(self.at), np.zeros_like(self.at)

    def step(self, gradient: Floats) -> None:
        """Move, in place."""
        share = self._done / max(1, self.rounds - 1)
        self._done += 1
        self._mean += FRESH * (gradient - self._mean)
        self._square += FRESH_SQUARE * (gradient**2 - self._square)
        mean = self._mean / (1 - (1 - FRESH) ** self._done)
        size = np.sqrt(self._square / (1 - (1 - FRESH_SQUARE) ** self._done))
        length = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** share
        self.at -= length * mean / (size + self.least_size)


def sorts(t: KnisterArrays) -> list[Sort]:
    lines = len(t.g.kind_of)
    diagonals = range(lines - 2, lines)
    found: dict[tuple[int, int, int, int], int] = {}
    for line, cells in enumerate(t.g.cells_of):
        on = [sum(int(t.g.place_of[d, cell] != NONE) for d in diagonals) for cell in cells]
        if line in diagonals:
            key = (int(t.g.kind_of[line]), on.count(2), OF_DIAGONAL, CENTRE_OF_DIAGONAL)
        else:
            key = (int(t.g.kind_of[line]), len(on) - on.count(0), PLAIN, CENTRE if 2 in on else CROSSED)
        found[key] = found.get(key, 0) + 1
    return [Sort(count, *key) for key, count in found.items()]


def new_market(t: KnisterArrays, sort: Sort) -> Market:
    turns, contents, states = len(t.g.count_of), len(t.after), sort.marked + 1
    taken = np.zeros((turns, SYMBOLS, t.g.cells_of.shape[1]))
    return Market(
        free_cells(t),
        equal_numbers(t),
        taken.copy(),
        taken.copy(),
        np.zeros((turns + 1, states, contents)),
        np.zeros((states, contents)),
        np.zeros((states, contents)),
        taken,
        taken.copy(),
    )


def free_cells(t: KnisterArrays) -> Ints:
    """How many cells of each content are free."""
    free = np.zeros(len(t.after), np.int64)
    for content in range(len(t.after) - 1, -1, -1):
        if t.others[content] != NONE:
            free[content] = free[t.after[content, 1]] + 1
    return free


def equal_numbers(t: KnisterArrays) -> Ints:
    """How many numbers [content, symbol] equal to a throw a line has."""
    found = np.zeros((len(t.after), SYMBOLS), np.int64)
    for content in range(len(t.after)):
        for symbol in range(1, SYMBOLS):
            more = t.after[content, symbol]
            if more != NONE:
                found[more] = found[content]
                found[more, symbol] += 1
    return found


def new_offers(t: KnisterArrays) -> Offers:
    exists = np.array([int(2 + diagonals in t.g.count_of) for diagonals in range(len(SEEN))])
    shape = (len(SEEN), SEEN.shape[1] + 1, SEEN.shape[1] * (t.g.cells_of.shape[1] - 1) + 1)
    return Offers(exists, np.zeros(shape), np.zeros(shape, np.int64))


def new_road(t: KnisterArrays) -> Road:
    turns, contents = len(t.g.count_of), len(t.after)
    return Road(*(np.zeros(size, np.int64) for size in (turns, turns, contents, turns + 1)))


def equal_before(t: KnisterArrays) -> Floats:
    """How likely a symbol has come so many times before a turn: [turn, symbol, times]."""
    turns = len(t.g.count_of)
    times = np.zeros((turns, SYMBOLS, turns + 1))
    times[0, :, 0] = 1.0
    for turn in range(1, turns):
        times[turn] = times[turn - 1] * (1 - t.chance[:, None])
        times[turn, :, 1:] += times[turn - 1, :, :-1] * t.chance[:, None]
    return times


class Bound(NamedTuple):
    limit: float
    prices: Floats  # [turn, symbol, place, equal numbers]


def bound(t: KnisterArrays, rounds: int) -> Bound:
    """The bound found in so many rounds of subgradient descent, and its prices; every round's bound is valid."""
    prices = np.zeros((len(t.g.count_of), SYMBOLS, PLACES, t.g.cells_of.shape[1]))
    sold, offers, times = np.zeros_like(prices), new_offers(t), equal_before(t)
    markets = [(sort, new_market(t, sort)) for sort in sorts(t)]
    chance = np.maximum(t.chance, t.chance[1:].min())[:, None, None]
    adam = Adam(prices, rounds, least_size=0.001)
    lowest = Bound(np.inf, prices)
    for _ in range(rounds):
        limit = sell(t, offers, prices, times, sold)
        for sort, m in markets:
            m.price[:], m.marked_price[:] = prices[:, :, sort.place], prices[:, :, sort.marked_place]
            limit += sort.lines * play_alone(t, m, sort.kind)
            sold[:, :, sort.place] -= sort.lines * m.taken
            sold[:, :, sort.marked_place] -= sort.lines * m.marked_taken
        if limit < lowest.limit:
            lowest = Bound(float(limit), prices.copy())
        adam.step(sold / chance)
    return lowest


class Paths:
    """Upper bounds for sequences of throws, with luck by the prices of a bound."""

    def __init__(self, t: KnisterArrays, found: Bound, softness: float = SOFTNESS) -> None:
        self.t, self.prices, self.softness = t, found.prices, softness
        self.offers, self.road, self._known = new_offers(t), new_road(t), np.zeros(len(t.after), np.int64)
        self.mean_sold = sell(t, self.offers, self.prices, equal_before(t), np.zeros_like(self.prices))
        self.sorts = sorts(t)
        self.markets = [new_market(t, sort) for sort in self.sorts]  # for players who do not know the throws
        for sort, m in zip(self.sorts, self.markets, strict=True):
            m.price[:], m.marked_price[:] = self.prices[:, :, sort.place], self.prices[:, :, sort.marked_place]
            hope_alone(t, m, sort.kind, softness)
        self._known_markets = [
            m._replace(price=m.price.copy(), marked_price=m.marked_price.copy(), worth=np.zeros_like(m.worth))
            for m in self.markets
        ]

    def limit(self, thrown: Ints, rounds: int) -> float:
        """The most that anybody could have made with these throws, less luck."""
        t, r, turns = self.t, self.road, np.arange(len(thrown))
        r.thrown[:] = thrown
        survey(t, r, self._known)
        lucks = [np.zeros_like(m.worth) for m in self.markets]
        for m, luck in zip(self.markets, lucks, strict=True):
            compute_luck(t, m, r, self.softness, luck)
        prices = self.prices[turns, thrown]
        sold = np.zeros_like(prices)
        adam = Adam(prices, rounds, least_size=0.1)
        luck_of_seller = self.luck_of_seller(thrown)
        lowest = np.inf
        for _ in range(rounds):
            limit = sell_known(self.offers, r, prices, sold) - luck_of_seller
            for sort, m, luck in zip(self.sorts, self._known_markets, lucks, strict=True):
                m.price[turns, thrown], m.marked_price[turns, thrown] = (
                    prices[:, sort.place],
                    prices[:, sort.marked_place],
                )
                limit += sort.lines * travel(t, m, r, luck, sort, sold)
            lowest = min(lowest, limit)
            adam.step(sold)
        return float(lowest)

    def luck_of_seller(self, thrown: Ints) -> float:
        """By how much these throws are better for the seller than throws are on average."""
        r, prices = self.road, self.prices[np.arange(len(thrown)), thrown]
        r.thrown[:] = thrown
        survey(self.t, r, self._known)
        return sell_known(self.offers, r, prices, np.zeros_like(prices)) - self.mean_sold

    def sample(self, paths: int, rounds: int, seed: int) -> Floats:
        """The upper bounds for so many sequences of throws."""
        chance, thrown, limits = new_generator(seed), np.zeros(len(self.road.thrown), np.int64), np.zeros(paths)
        for path in range(paths):
            throw(self.t, chance, thrown)
            limits[path] = self.limit(thrown, rounds)
        return limits


def limits(paths: int, rounds: int, seed: int) -> None:
    began, t = time.process_time(), KnisterModel().arrays
    found = bound(t, rounds)
    print(f"no Knister player's mean exceeds {found.limit:.3f}; {time.process_time() - began:.0f} s", flush=True)
    sample = Paths(t, found).sample(paths, rounds, seed)
    error = sample.std(ddof=1) / paths**0.5
    print(f"nor {sample.mean():.3f} ± {error:.3f}, {paths} paths; {time.process_time() - began:.0f} s", flush=True)
    knaster = KnasterModel()
    most = sum(knaster.game.printed) + len(knaster.game.grid.cells)
    print(f"no Knaster player's mean exceeds {most}, the largest total", flush=True)
    circles = [float(knaster.earns.get(content, 0)) for content in KnisterModel().contents]
    earned = bound(t._replace(score=np.array([circles] * len(t.score))), rounds).limit
    print(f"by the same argument, hands may earn {earned:.1f} circles in {len(t.g.count_of)} throws")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", type=int, default=300, help="sequences of throws that limits are sampled with")
    parser.add_argument("--rounds", type=int, default=1000, help="in which prices are found")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    limits(wanted.paths, wanted.rounds, wanted.seed)


if __name__ == "__main__":
    main()
