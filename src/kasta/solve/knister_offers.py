"""The most that lines may pay for one throw, whatever cell it is written into.

What a line pays depends on the cell's sort and on the line's *slot*: how many numbers it has already, and how many
equal to the throw. A cell's lines have nothing but the cell in common, so that what stands in them was thrown
before, and the rest of what was thrown before has room outside them: not all slots go together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.knister_tables import Tables
from kasta.solve.lean import part
from kasta.solve.lines import NONE, SYMBOLS, Floats, Ints

# Sorts of places: a cell on no diagonal as its row and column see it, a cell on one, on both; the same two as a
# diagonal sees them.
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
    """What cells there are, and room to find the best one for a throw."""

    outside: Ints  # [diagonals]: cells that share no line with such a cell, NONE if there is none such
    best: Floats  # [diagonals, lines, numbers in them, equal ones]: the most that so many lines may pay together
    slot: Ints  # the same: of the last of these lines


def new_offers(t: Tables) -> Offers:
    side, cells = t.g.cells_of.shape[1], len(t.g.count_of)
    outside = [cells - 1 - lines * (side - 1) if lines in t.g.count_of else NONE for lines in (2, 3, 4)]
    most = 4 * (side - 1) + 1
    return Offers(np.array(outside), np.zeros((3, 5, most, most)), np.zeros((3, 5, most, most), np.int64))


def slots(t: Tables) -> Ints:
    """The slot [content, symbol] that a throw takes; there are as many as a side squared."""
    side, found = t.g.cells_of.shape[1], np.zeros((len(t.after), SYMBOLS), np.int64)
    for content in range(len(t.after)):
        for symbol in range(1, SYMBOLS):
            more = t.after[content, symbol]
            if more != NONE:
                found[more] = found[content]
                found[more, 1:] += side
                found[more, symbol] += 1
    return found


@part
def combine(o: Offers, prices: Floats, side: int, turn: int, equal: int) -> None:
    """Fill `best` for prices [place, slot], with at most `turn` numbers, at most `equal` of them equal."""
    for diagonals in range(len(o.outside)):
        if o.outside[diagonals] == NONE:
            continue
        best, slot = o.best[diagonals], o.slot[diagonals]
        best[0, 0, 0] = 0.0
        for line in range(2 + diagonals):
            pays, most = prices[SEEN[diagonals, line]], min(turn, (line + 1) * (side - 1))
            for numbers in range(most + 1):
                for same in range(min(numbers, equal) + 1):
                    best[line + 1, numbers, same] = NEVER
            add_line(
                best[line], best[line + 1], slot[line + 1], pays, side, min(turn, line * (side - 1)), turn, equal
            )


@part
def add_line(
    before: Floats, best: Floats, slot: Ints, pays: Floats, side: int, most: int, turn: int, equal: int
) -> None:
    """From the best with at most so many numbers in some lines to the best with one line more."""
    for numbers in range(most + 1):
        for same in range(min(numbers, equal) + 1):
            for own in range(min(side - 1, turn - numbers) + 1):
                for own_same in range(min(own, equal - same) + 1):
                    together = before[numbers, same] + pays[own * side + own_same]
                    if together > best[numbers + own, same + own_same]:
                        best[numbers + own, same + own_same] = together
                        slot[numbers + own, same + own_same] = own * side + own_same


@part
def best_offer(o: Offers, side: int, turn: int, equal: int, share: float, sold: Floats) -> float:
    """The most for a throw that came `equal` times in the `turn` throws before; adds its share to `sold`."""
    most, diagonals, numbers, same = NEVER, 0, 0, 0
    for d in range(len(o.outside)):
        if o.outside[d] == NONE:
            continue
        for n in range(max(0, turn - o.outside[d]), min(turn, (2 + d) * (side - 1)) + 1):
            for s in range(max(0, n - turn + equal), min(n, equal) + 1):
                if o.best[d, 2 + d, n, s] > most:
                    most, diagonals, numbers, same = o.best[d, 2 + d, n, s], d, n, s
    for line in range(1 + diagonals, -1, -1):
        slot = o.slot[diagonals, line + 1, numbers, same]
        sold[SEEN[diagonals, line], slot] += share
        numbers -= slot // side
        same -= slot % side
    return most
