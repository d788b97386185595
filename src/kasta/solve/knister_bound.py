"""A limit that no Knister player can exceed on average, and that needs no sampling: prices instead of rules.

Take away the rule that every throw is written into exactly one row and one column, and that what stands on a
diagonal stands in a row and a column, too. Instead let each line play for itself and choose which throws to take,
but pay a price for every throw, by turn and number; for a cell on a diagonal, the diagonal pays a price to row and
column. For who plays by the rules, payments are the same whatever the play: so the best that all lines can make by
themselves, plus what they paid, is a limit for everybody. Good prices make it low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kasta.solve.knister_tables import Tables
from kasta.solve.lean import kernel, part
from kasta.solve.lines import NONE, SYMBOLS, Floats, Ints
from kasta.values import Progress, quietly

FIRST_STEP, LAST_STEP = 0.6, 0.01  # points by which prices move


class Market(NamedTuple):
    """What a line pays, and room for what it is worth and takes."""

    price: Floats  # [turn, symbol]
    diagonal_price: Floats  # [turn, symbol]: in a cell on a diagonal
    worth: Floats  # [turn, free cells on diagonals, content]
    mass: Floats  # [free cells on diagonals, content]: how likely the line is in that state
    later: Floats  # the same, a turn later
    taken: Floats  # [turn, symbol]: how likely that throw comes and is taken, in a cell off the diagonals
    diagonal_taken: Floats  # [turn, symbol]: in a cell on a diagonal


@part
def choose(
    t: Tables, m: Market, free: Ints, turn: int, diagonal: int, content: int, symbol: int
) -> tuple[float, int]:
    """The best of leaving a throw (0), taking it (1) or taking it in a cell on a diagonal (2), and its worth."""
    turns, left = len(m.price), free[content]
    best, what = -1e300, 0
    if left < turns - turn:
        best = m.worth[turn + 1, diagonal, content]
    if left > diagonal:
        worth = m.worth[turn + 1, diagonal, t.after[content, symbol]] - m.price[turn, symbol]
        if worth > best:
            best, what = worth, 1
    if diagonal > 0:
        worth = m.worth[turn + 1, diagonal - 1, t.after[content, symbol]] - m.diagonal_price[turn, symbol]
        if worth > best:
            best, what = worth, 2
    return best, what


@kernel
def play_alone(t: Tables, m: Market, kind: int, free: Ints) -> float:
    """What the best player of one line makes, after paying; fills what it takes."""
    turns, diagonals, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    for content in range(contents):
        m.worth[turns, 0, content] = t.score[kind, content]
    for turn in range(turns - 1, -1, -1):
        for diagonal in range(diagonals):
            for content in range(contents):
                if diagonal <= free[content] <= turns - turn:
                    mean = 0.0
                    for symbol in range(1, SYMBOLS):
                        mean += t.chance[symbol] * choose(t, m, free, turn, diagonal, content, symbol)[0]
                    m.worth[turn, diagonal, content] = mean
    return follow(t, m, free)


@part
def follow(t: Tables, m: Market, free: Ints) -> float:
    """Fill what the best player of a line takes, from the empty line on; what it makes."""
    turns, diagonals, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    m.mass[:] = 0.0
    m.mass[diagonals - 1, 0] = 1.0
    for turn in range(turns):
        m.later[:] = 0.0
        for symbol in range(SYMBOLS):
            m.taken[turn, symbol] = m.diagonal_taken[turn, symbol] = 0.0
        for diagonal in range(diagonals):
            for content in range(contents):
                if m.mass[diagonal, content] == 0.0:
                    continue
                for symbol in range(1, SYMBOLS):
                    chance = m.mass[diagonal, content] * t.chance[symbol]
                    what = choose(t, m, free, turn, diagonal, content, symbol)[1]
                    if what == 0:
                        m.later[diagonal, content] += chance
                    else:
                        m.later[diagonal - (what == 2), t.after[content, symbol]] += chance  # noqa: PLR2004
                        m.taken[turn, symbol] += chance * (what == 1)
                        m.diagonal_taken[turn, symbol] += chance * (what == 2)  # noqa: PLR2004
        for diagonal in range(diagonals):
            for content in range(contents):
                m.mass[diagonal, content] = m.later[diagonal, content]
    return m.worth[0, diagonals - 1, 0]


@dataclass(frozen=True)
class Sort:
    """Rows and columns with equally many cells on diagonals; or, with `crossed` 0, the diagonals themselves."""

    lines: int
    kind: int
    cells: int  # on diagonals
    crossed: int  # diagonals in each of these cells


def sorts(t: Tables) -> list[Sort]:
    diagonals = [line for line in range(len(t.g.kind_of)) if line >= len(t.g.kind_of) - 2]
    found: dict[tuple[int, int, int], int] = {}
    for line, cells in enumerate(t.g.cells_of[:-2]):
        on = [sum(int(t.g.place_of[d, cell] != NONE) for d in diagonals) for cell in cells]
        key = (int(t.g.kind_of[line]), sum(n > 0 for n in on), int(max(on)))
        found[key] = found.get(key, 0) + 1
    rows = [Sort(lines, kind, cells, crossed) for (kind, cells, crossed), lines in found.items()]
    return [*rows, Sort(len(diagonals), int(t.g.kind_of[-1]), 0, 0)]


def bound(t: Tables, rounds: int = 300, progress: Progress = quietly) -> float:
    """The limit for prices found in so many rounds; more rounds make it lower, and every round's is valid."""
    turns, contents = len(t.g.count_of), len(t.after)
    free = _free(t)
    price, diagonal_price = np.zeros((turns, SYMBOLS)), np.zeros((turns, SYMBOLS))
    lowest = np.inf
    for done in range(rounds):
        limit = 2 * float((price * t.chance).sum())  # what rows and columns pay for a throw that is theirs
        slope, diagonal_slope = 2 * np.tile(t.chance, (turns, 1)), np.zeros((turns, SYMBOLS))
        for sort in sorts(t):
            is_diagonal = not sort.crossed
            pays = 2 * diagonal_price if is_diagonal else price
            market = Market(
                pays,
                pays - sort.crossed * diagonal_price,
                np.zeros((turns + 1, sort.cells + 1, contents)),
                np.zeros((sort.cells + 1, contents)),
                np.zeros((sort.cells + 1, contents)),
                np.zeros((turns, SYMBOLS)),
                np.zeros((turns, SYMBOLS)),
            )
            limit += sort.lines * play_alone(t, market, sort.kind, free)
            if is_diagonal:
                diagonal_slope -= 2 * sort.lines * market.taken
            else:
                slope -= sort.lines * (market.taken + market.diagonal_taken)
                diagonal_slope += sort.lines * sort.crossed * market.diagonal_taken
        lowest = min(lowest, limit)
        step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (done / max(1, rounds - 1))
        chance = np.maximum(t.chance, t.chance[1:].min())
        price -= step * slope / chance / 2
        diagonal_price -= step * diagonal_slope / chance / 4
        progress(done + 1, rounds)
    return lowest


def _free(t: Tables) -> Ints:
    """How many cells of each content are free."""
    free = np.zeros(len(t.after), np.int64)
    for content in range(len(t.after) - 1, -1, -1):
        if t.others[content] != NONE:
            free[content] = free[t.after[content, 1]] + 1
    return free
