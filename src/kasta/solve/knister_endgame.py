"""The last cells of a Knister sheet, reckoned exactly: every filling of them, from the full ones back."""

from __future__ import annotations

import numpy as np

from kasta.solve.knister_tables import Tables
from kasta.solve.knister_value import Sheet
from kasta.solve.lean import kernel, part
from kasta.solve.lines import EMPTY, NONE, SYMBOLS, Floats, Ints


def fillings(free: int) -> int:
    """How many ways there are to fill so many cells, some of them not yet."""
    return int(SYMBOLS**free)


@part
def filled(t: Tables, sheet: Sheet, cells: Ints, symbols: Ints) -> float:
    """The total with these symbols in the cells."""
    points = 0.0
    for line in range(len(sheet.content)):
        content = sheet.content[line]
        for i in range(len(cells)):
            if t.g.place_of[line, cells[i]] != NONE:
                content = t.after[content, symbols[i]]
        points += t.score[t.g.kind_of[line], content]
    return points


@kernel
def solve_last(t: Tables, sheet: Sheet, cells: Ints, worth: Floats, symbols: Ints) -> None:
    """Write the expected final total with best play for every filling of the free cells, numbered like digits.

    `symbols` is room for one filling. Filling a cell makes the number larger, so larger numbers come first.
    """
    free = len(cells)
    for filling in range(len(worth) - 1, -1, -1):
        rest, empty = filling, 0
        for i in range(free):
            symbols[i] = rest % SYMBOLS
            rest //= SYMBOLS
            empty += symbols[i] == EMPTY
        if empty == 0:
            worth[filling] = filled(t, sheet, cells, symbols)
            continue
        mean = 0.0
        for symbol in range(1, SYMBOLS):
            best, step = -1.0, symbol
            for i in range(free):
                if symbols[i] == EMPTY:
                    best = max(best, worth[filling + step])
                step *= SYMBOLS
            mean += t.chance[symbol] * best
        worth[filling] = mean


def last_cells(t: Tables, sheet: Sheet) -> tuple[Ints, Floats]:
    """The free cells, and what every filling of them is worth."""
    cells = np.flatnonzero(sheet.free)
    worth = np.empty(fillings(len(cells)))
    solve_last(t, sheet, cells, worth, np.zeros(len(cells), np.int64))
    return cells, worth
