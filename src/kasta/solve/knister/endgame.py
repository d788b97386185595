"""The last cells of a Knister sheet, solved exactly: every filling of them, from the full ones back.

A filling is given by what stands in the first of these cells, EMPTY or a symbol, and by a number for the rest,
with symbols for digits. All symbols in the first cell are solved side by side, as processors do best.
"""

from __future__ import annotations

import numpy as np

from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.value import KnisterCells
from kasta.solve.types import Floats, Ints


@lean_inline
def read(rest: int, symbols: Ints) -> int:
    """Write down the symbols in all cells but the first; how many of these are free."""
    empty = 0
    for i in range(1, len(symbols)):
        symbols[i] = rest % SYMBOLS
        rest //= SYMBOLS
        empty += symbols[i] == EMPTY
    return empty


@lean_inline
def fill(t: KnisterArrays, sheet: KnisterCells, cells: Ints, symbols: Ints, points: Floats) -> None:
    """The total for each symbol in the first cell, with these symbols in the others."""
    for line in range(len(sheet.content)):
        content, kind = sheet.content[line], t.g.kind_of[line]
        for i in range(1, len(cells)):
            if t.g.place_of[line, cells[i]] != NONE:
                content = t.after[content, symbols[i]]
        crosses = t.g.place_of[line, cells[0]] != NONE
        for symbol in range(1, SYMBOLS):
            points[symbol] += t.score[kind, t.after[content, symbol] if crosses else content]


@lean_inline
def play_others(t: KnisterArrays, worth: Floats, rest: int, symbols: Ints, best: Floats) -> None:
    """The mean over throws that are written into the others, for each symbol in the first cell."""
    for thrown in range(1, SYMBOLS):
        best[:] = 0.0
        step = thrown
        for i in range(1, len(symbols)):
            if symbols[i] == EMPTY:
                for symbol in range(SYMBOLS):
                    best[symbol] = max(best[symbol], worth[rest + step, symbol])
            step *= SYMBOLS
        for symbol in range(SYMBOLS):
            worth[rest, symbol] += t.chance[thrown] * best[symbol]


@lean_inline
def play_any(t: KnisterArrays, worth: Floats, rest: int, symbols: Ints) -> float:
    """The mean over throws while the first cell is free."""
    mean = 0.0
    for thrown in range(1, SYMBOLS):
        best, step = worth[rest, thrown], thrown
        for i in range(1, len(symbols)):
            if symbols[i] == EMPTY:
                best = max(best, worth[rest + step, EMPTY])
            step *= SYMBOLS
        mean += t.chance[thrown] * best
    return mean


@lean_kernel
def solve_last(
    t: KnisterArrays, sheet: KnisterCells, cells: Ints, worth: Floats, symbols: Ints, best: Floats
) -> None:
    """Fill `worth[rest, symbol]`, the expected final total with best play, for every filling of the free cells.

    `symbols` and `best` are scratch. Filling a cell makes the rest's number larger, so larger numbers come first.
    """
    for rest in range(len(worth) - 1, -1, -1):
        worth[rest] = 0.0
        if read(rest, symbols) == 0:
            fill(t, sheet, cells, symbols, worth[rest])
        else:
            play_others(t, worth, rest, symbols, best)
        worth[rest, EMPTY] = play_any(t, worth, rest, symbols)


def last_cells(t: KnisterArrays, sheet: KnisterCells) -> tuple[Ints, Floats]:
    """The free cells, and what every filling of them is worth, numbered like digits with the first cell last."""
    cells = np.flatnonzero(sheet.free)
    worth = np.empty((SYMBOLS ** (len(cells) - 1), SYMBOLS))
    solve_last(t, sheet, cells, worth, np.zeros(len(cells), np.int64), np.zeros(SYMBOLS))
    return cells, worth.ravel()
