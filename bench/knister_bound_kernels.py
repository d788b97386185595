"""The kernels of `knister_bound`: lines that play for themselves, and the most that they may pay for a throw.

What a line pays depends on the sort of cell, and on how many numbers equal to the throw stand in the line already.
Two lines of a cell share nothing but the cell: so all their equal numbers together came before, each for itself.

All are in one module: numba notices no change elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.splitmix_kernels import Generator, below
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


class Sort(NamedTuple):
    """Lines that are alike. Some of their cells are marked: rows' and columns' on diagonals, diagonals' centre."""

    lines: int
    kind: int
    marked: int
    place: int
    marked_place: int


class Market(NamedTuple):
    """What a line pays, and what it is worth and takes."""

    free: Ints  # [content]
    equal: Ints  # [content, symbol]: how many numbers are equal
    price: Floats  # [turn, symbol, equal numbers]
    marked_price: Floats  # the same, for a marked cell
    worth: Floats  # [turn, marked cells that are free, content]
    mass: Floats  # [marked cells that are free, content]: how likely the line is in that state
    later: Floats  # the same, a turn later
    taken: Floats  # [turn, symbol, equal numbers]: how likely that throw comes and is taken unmarked
    marked_taken: Floats  # the same, in a marked cell


@lean_inline
def compare(
    t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int
) -> tuple[float, float, int]:
    """What leaving a throw is worth, what taking it, and which cell to take it in: unmarked (1) or marked (2)."""
    left, equal = m.free[content], m.equal[content, symbol]
    leave, take, what = NEVER, NEVER, 1
    if left < len(m.price) - turn:
        leave = m.worth[turn + 1, marked, content]
    if left > marked:
        take = m.worth[turn + 1, marked, t.after[content, symbol]] - m.price[turn, symbol, equal]
    if marked > 0:
        worth = m.worth[turn + 1, marked - 1, t.after[content, symbol]] - m.marked_price[turn, symbol, equal]
        if worth > take:
            take, what = worth, 2
    return leave, take, what


@lean_inline
def choose(t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int) -> tuple[float, int]:
    """The best of leaving a throw (0), taking it (1) or taking it in a marked cell (2), and its worth."""
    leave, take, what = compare(t, m, turn, marked, content, symbol)
    if take > leave:
        return take, what
    return leave, 0


@lean_inline
def hope(t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int, softness: float) -> float:
    """What a line hopes for with a throw: somewhat more than the best of leaving and taking, if both are close."""
    leave, take, _ = compare(t, m, turn, marked, content, symbol)
    best, worst = max(leave, take), min(leave, take)
    if softness > 0:
        best += softness * np.log(1 + np.exp((worst - best) / softness))
    return best


@lean_inline
def look_ahead(t: KnisterArrays, m: Market, kind: int, softness: float) -> None:
    turns, states, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    for content in range(contents):
        m.worth[turns, 0, content] = t.score[kind, content]
    for turn in range(turns - 1, -1, -1):
        for marked in range(states):
            for content in range(contents):
                if marked <= m.free[content] <= turns - turn:
                    mean = 0.0
                    for symbol in range(1, SYMBOLS):
                        mean += t.chance[symbol] * hope(t, m, turn, marked, content, symbol, softness)
                    m.worth[turn, marked, content] = mean


@lean_kernel
def hope_alone(t: KnisterArrays, m: Market, kind: int, softness: float) -> None:
    """Fill what a line hopes for before each throw."""
    look_ahead(t, m, kind, softness)


@lean_kernel
def play_alone(t: KnisterArrays, m: Market, kind: int) -> float:
    """What the best player of one line makes, after paying; fills what it takes."""
    look_ahead(t, m, kind, 0.0)
    return follow(t, m)


@lean_inline
def follow(t: KnisterArrays, m: Market) -> float:
    """Fill what the best player of a line takes, from the empty line on; what it makes."""
    turns, states, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    m.mass[:] = 0.0
    m.mass[states - 1, 0] = 1.0
    m.taken[:] = 0.0
    m.marked_taken[:] = 0.0
    for turn in range(turns):
        m.later[:] = 0.0
        for marked in range(states):
            for content in range(contents):
                if m.mass[marked, content] == 0.0:
                    continue
                for symbol in range(1, SYMBOLS):
                    chance = m.mass[marked, content] * t.chance[symbol]
                    what = choose(t, m, turn, marked, content, symbol)[1]
                    if what == 0:
                        m.later[marked, content] += chance
                    else:
                        m.later[marked - (what == 2), t.after[content, symbol]] += chance
                        m.taken[turn, symbol, m.equal[content, symbol]] += chance * (what == 1)
                        m.marked_taken[turn, symbol, m.equal[content, symbol]] += chance * (what == 2)
        for marked in range(states):
            for content in range(contents):
                m.mass[marked, content] = m.later[marked, content]
    return m.worth[0, states - 1, 0]


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


class Road(NamedTuple):
    """One sequence of throws, and what may become of a line."""

    thrown: Ints  # [turn]: symbols
    before: Ints  # [turn]: how many equal ones came before
    contents: Ints  # [i]: in the order in which they become possible
    possible: Ints  # [turn]: how many before that throw


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
