"""The most that lines may pay for one throw, whatever cell it is written into.

What a line pays depends on the sort of cell, and on how many numbers equal to the throw stand in the line already.
Two lines of a cell share nothing but the cell: so all their equal numbers together came before, each for itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.jit import lean_inline
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.types import Floats, Ints

# Places: a cell on no diagonal as its row and column see it, a cell on one, on both; the latter two as a diagonal
# sees them.
PLAIN, CROSSED, CENTRE, OF_DIAGONAL, CENTRE_OF_DIAGONAL = range(5)
PLACES = 5
SEEN = np.array(  # [diagonals through a cell, line]: the place that each of its lines sees
    [
        [PLAIN, PLAIN, NONE, NONE],
        [CROSSED, CROSSED, OF_DIAGONAL, NONE],
        [CENTRE, CENTRE, CENTRE_OF_DIAGONAL, CENTRE_OF_DIAGONAL],
    ]
)
NEVER = -1e300


class Offers(NamedTuple):
    """What cells there are, and scratch to find the best one for a throw."""

    exists: Ints  # [diagonals]: 1 if there is a cell on so many
    best: Floats  # [diagonals, lines, equal numbers in them]: the most that so many lines may pay together
    last: Ints  # the same: equal numbers in the last of these lines


def new_offers(t: KnisterArrays) -> Offers:
    exists = np.array([int(2 + diagonals in t.g.count_of) for diagonals in range(len(SEEN))])
    shape = (len(SEEN), SEEN.shape[1] + 1, SEEN.shape[1] * (t.g.cells_of.shape[1] - 1) + 1)
    return Offers(exists, np.zeros(shape), np.zeros(shape, np.int64))


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


@lean_inline
def combine(o: Offers, prices: Floats, before: int) -> None:
    """Fill `best` for prices [place, equal numbers] and a throw that came at most so often before."""
    own_most = prices.shape[1] - 1
    for diagonals in range(len(o.exists)):
        if o.exists[diagonals]:
            o.best[diagonals, 0, 0] = 0.0
            for line in range(2 + diagonals):
                add_line(
                    o.best[diagonals, line],
                    o.best[diagonals, line + 1],
                    o.last[diagonals, line + 1],
                    prices[SEEN[diagonals, line]],
                    min(before, line * own_most),
                    min(before, (line + 1) * own_most),
                )


@lean_inline
def add_line(fewer: Floats, best: Floats, last: Ints, pays: Floats, most_of_fewer: int, most: int) -> None:
    """From the best for some lines to the best for one more."""
    for equal in range(most + 1):
        best[equal] = NEVER
    for equal in range(most_of_fewer + 1):
        for own in range(min(len(pays) - 1, most - equal) + 1):
            if fewer[equal] + pays[own] > best[equal + own]:
                best[equal + own], last[equal + own] = fewer[equal] + pays[own], own


@lean_inline
def best_offer(o: Offers, before: int, share: float, sold: Floats) -> float:
    """The most for a throw that came so often before; adds its share to `sold` [place, equal numbers]."""
    most, diagonals, equal = NEVER, 0, 0
    for d in range(len(o.exists)):
        if o.exists[d]:
            for e in range(min(before, (2 + d) * (sold.shape[1] - 1)) + 1):
                if o.best[d, 2 + d, e] > most:
                    most, diagonals, equal = o.best[d, 2 + d, e], d, e
    for line in range(1 + diagonals, -1, -1):
        own = o.last[diagonals, line + 1, equal]
        sold[SEEN[diagonals, line], own] += share
        equal -= own
    return most
