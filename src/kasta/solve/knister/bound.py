"""A Lagrangian upper bound on the mean of any Knister player, without sampling: prices instead of rules.

What is relaxed is that all lines must take the same throws into the same cells; the prices are the multipliers.
Let each line play for itself and choose which throws to take, but pay for each: by turn, number, whether the cell
is one on a diagonal, and how many equal numbers the line has. Let somebody else, who sells, choose for each throw
one sort of cell, and how many equal numbers each of its lines has: together no more than came before, because no
two numbers stand together in two lines. Who plays by the rules pays what one of the seller's choices would bring,
so no more than the best of them. Hence the best that all lines can make by themselves, plus the best for the
seller, is an upper bound for everybody, whatever the prices are: good ones make it low.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.adam import Adam
from kasta.solve.grid.geometry import SYMBOLS
from kasta.solve.jit import lean_kernel
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.bound_line import new_market, play_alone, sorts
from kasta.solve.knister.bound_offers import PLACES, Offers, best_offer, combine, new_offers
from kasta.solve.types import Floats
from kasta.values import Progress, quietly

FIRST_STEP, LAST_STEP, LEAST_SIZE = 0.1, 0.001, 0.001  # of the way to good prices


@lean_kernel
def sell(t: KnisterArrays, o: Offers, prices: Floats, times: Floats, sold: Floats) -> float:
    """What the best seller makes with prices [turn, symbol, place, equal numbers]; fills what is sold."""
    made = 0.0
    sold[:] = 0.0
    for turn in range(len(prices)):
        for symbol in range(1, SYMBOLS):
            combine(o, prices[turn, symbol], turn)
            for before in range(turn + 1):
                share = t.chance[symbol] * times[turn, symbol, before]
                made += share * best_offer(o, before, share, sold[turn, symbol])
    return made


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


def bound(t: KnisterArrays, rounds: int = 500, progress: Progress = quietly) -> Bound:
    """The bound found in so many rounds of subgradient descent, and its prices; every round's bound is valid."""
    prices = np.zeros((len(t.g.count_of), SYMBOLS, PLACES, t.g.cells_of.shape[1]))
    sold, offers, times = np.zeros_like(prices), new_offers(t), equal_before(t)
    markets = [(sort, new_market(t, sort)) for sort in sorts(t)]
    chance = np.maximum(t.chance, t.chance[1:].min())[:, None, None]
    adam = Adam(prices, rounds, FIRST_STEP, LAST_STEP, LEAST_SIZE)
    lowest = Bound(np.inf, prices)
    for done in range(rounds):
        limit = sell(t, offers, prices, times, sold)
        for sort, m in markets:
            m.price[:], m.marked_price[:] = prices[:, :, sort.place], prices[:, :, sort.marked_place]
            limit += sort.lines * play_alone(t, m, sort.kind)
            sold[:, :, sort.place] -= sort.lines * m.taken
            sold[:, :, sort.marked_place] -= sort.lines * m.marked_taken
        if limit < lowest.limit:
            lowest = Bound(float(limit), prices.copy())
        adam.step(sold / chance)
        progress(done + 1, rounds)
    return lowest
