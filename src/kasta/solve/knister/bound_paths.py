"""A tighter upper bound for Knister, by sampling: throws are known in advance, and luck is taken away.

This is a bound by information relaxation, with a martingale as penalty. For one sequence of throws, let every line
of `bound` know all of them, but pay for its luck: in each turn, by how much the throw that came raises what the
line hopes for, compared with the mean throw. For a player who does not know the throws, luck is 0 on average,
whatever is done and whatever is hoped for: so the mean over sequences of the most that anybody could have made,
less luck, is an upper bound for everybody. For each sequence that most is bounded as before, by lines alone and a
seller, but with prices of its own, which are found by gradient descent.

A line hopes for what it would make alone, at the bound's prices. They are the prices of a sequence, too, to begin
with: then its bound is the bound itself, because to know the throws is worth just the luck. A little softness in
hopes makes bounds still lower: what others pay depends on the throws, and blurs prices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.adam import Adam
from kasta.solve.grid.geometry import NONE
from kasta.solve.jit import lean_kernel
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.bound import Bound, equal_before, sell
from kasta.solve.knister.bound_line import Market, Sort, choose, hope, hope_alone, new_market, sorts
from kasta.solve.knister.bound_offers import Offers, best_offer, combine, new_offers
from kasta.solve.splitmix_kernels import Generator, below, new_generator
from kasta.solve.types import Floats, Ints
from kasta.values import Progress, quietly

FIRST_STEP, LAST_STEP, LEAST_SIZE = 0.1, 0.001, 0.1  # of the way to good prices
SOFTNESS = 0.2  # points: found by trying


class Road(NamedTuple):
    """One sequence of throws, and what may become of a line."""

    thrown: Ints  # [turn]: symbols
    before: Ints  # [turn]: how many equal ones came before
    contents: Ints  # [i]: in the order in which they become possible
    possible: Ints  # [turn]: how many before that throw


def new_road(t: KnisterArrays) -> Road:
    turns, contents = len(t.g.count_of), len(t.after)
    return Road(*(np.zeros(size, np.int64) for size in (turns, turns, contents, turns + 1)))


@lean_kernel
def throw(t: KnisterArrays, chance: Generator, thrown: Ints) -> None:
    for turn in range(len(thrown)):
        thrown[turn] = t.sums[below(chance, len(t.sums))]


@lean_kernel
def survey(t: KnisterArrays, r: Road, known: Ints) -> None:
    """Fill a road for its throws; `known` is scratch [content]."""
    known[:] = 0
    r.contents[0], count = 0, 1
    for turn in range(len(r.thrown)):
        r.possible[turn] = count
        r.before[turn] = 0
        for earlier in range(turn):
            r.before[turn] += r.thrown[earlier] == r.thrown[turn]
        for i in range(r.possible[turn]):
            content = t.after[r.contents[i], r.thrown[turn]]
            if content != NONE and not known[content]:
                known[content] = 1
                r.contents[count] = content
                count += 1
    r.possible[len(r.thrown)] = count


@lean_kernel
def compute_luck(t: KnisterArrays, m: Market, r: Road, softness: float, luck: Floats) -> None:
    """By how much each throw raises what a line hopes for."""
    turns = len(r.thrown)
    for turn in range(turns):
        for marked in range(luck.shape[1]):
            for i in range(r.possible[turn]):
                content = r.contents[i]
                if marked <= m.free[content] <= turns - turn:
                    then = hope(t, m, turn, marked, content, r.thrown[turn], softness)
                    luck[turn, marked, i] = then - m.worth[turn, marked, content]


@lean_kernel
def travel(t: KnisterArrays, m: Market, r: Road, luck: Floats, sort: Sort, sold: Floats) -> float:
    """What a line makes that knows all throws, less payments and luck; what it takes is taken from `sold`."""
    turns, states = len(r.thrown), m.worth.shape[1]
    for i in range(r.possible[turns]):
        m.worth[turns, 0, r.contents[i]] = t.score[sort.kind, r.contents[i]]
    for turn in range(turns - 1, -1, -1):
        for marked in range(states):
            for i in range(r.possible[turn]):
                content = r.contents[i]
                if marked <= m.free[content] <= turns - turn:
                    best = choose(t, m, turn, marked, content, r.thrown[turn])[0]
                    m.worth[turn, marked, content] = best - luck[turn, marked, i]
    marked, content = states - 1, 0
    for turn in range(turns):
        symbol = r.thrown[turn]
        what = choose(t, m, turn, marked, content, symbol)[1]
        if what:
            place = sort.place if what == 1 else sort.marked_place
            sold[turn, place, m.equal[content, symbol]] -= sort.lines
            marked -= what - 1
            content = t.after[content, symbol]
    return m.worth[0, states - 1, 0]


@lean_kernel
def sell_known(o: Offers, r: Road, prices: Floats, sold: Floats) -> float:
    """What the best seller makes with prices [turn, place, equal numbers]; fills what is sold."""
    made = 0.0
    sold[:] = 0.0
    for turn in range(len(prices)):
        combine(o, prices[turn], r.before[turn])
        made += best_offer(o, r.before[turn], 1.0, sold[turn])
    return made


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
        adam = Adam(prices, rounds, FIRST_STEP, LAST_STEP, LEAST_SIZE)
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

    def sample(self, paths: int, rounds: int, seed: int, progress: Progress = quietly) -> Floats:
        """The upper bounds for so many sequences of throws."""
        chance, thrown, limits = new_generator(seed), np.zeros(len(self.road.thrown), np.int64), np.zeros(paths)
        for path in range(paths):
            throw(self.t, chance, thrown)
            limits[path] = self.limit(thrown, rounds)
            progress(path + 1, paths)
        return limits
