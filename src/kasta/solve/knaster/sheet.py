"""A Knaster sheet in kernels, and what can be done with it.

The rules' moves exist three times, because a sheet is laid out three ways: `games.knaster` to be read; here as the
contents of its lines, so that a move is a look into an array, the value a sum over contents, and all that a throw
brings is done at once; `env.kernels.knaster` as the row that a player of an environment observes, one action at
a time. Lockstep tests hold both kernels to the rules (tests/solve/test_grid_lockstep.py, tests/env).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS
from kasta.solve.jit import lean_inline
from kasta.solve.knaster.arrays import CIRCLED, KnasterArrays
from kasta.solve.types import Ints


class KnasterCells(NamedTuple):
    """A sheet in a kernel, changed in place."""

    content: Ints  # [line]
    symbol: Ints  # [cell]
    uncircled: Ints  # [symbol]: how many stand there
    written: Ints  # one number
    circles: Ints  # one number


def new_sheet(t: KnasterArrays) -> KnasterCells:
    cells = len(t.g.count_of)
    return KnasterCells(
        np.zeros(len(t.g.kind_of), np.int64),
        np.zeros(cells, np.int64),
        np.zeros(SYMBOLS, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )


@lean_inline
def clear(sheet: KnasterCells) -> None:
    sheet.content[:] = 0
    sheet.symbol[:] = EMPTY
    sheet.uncircled[:] = 0
    sheet.written[0] = 0
    sheet.circles[0] = 0


@lean_inline
def copy(source: KnasterCells, to: KnasterCells) -> None:
    for line in range(len(source.content)):
        to.content[line] = source.content[line]
    for cell in range(len(source.symbol)):
        to.symbol[cell] = source.symbol[cell]
    for symbol in range(SYMBOLS):
        to.uncircled[symbol] = source.uncircled[symbol]
    to.written[0] = source.written[0]
    to.circles[0] = source.circles[0]


@lean_inline
def write(t: KnasterArrays, sheet: KnasterCells, cell: int, symbol: int, owed: Ints) -> int:
    """Write a number; returns how many circles its lines have earned, which `owed` tells line by line."""
    sheet.symbol[cell] = symbol
    sheet.uncircled[symbol] += 1
    sheet.written[0] += 1
    earned = 0
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        owed[i] = t.earned[sheet.content[line], symbol]
        earned += owed[i]
        sheet.content[line] = t.write[sheet.content[line], symbol]
    return earned


@lean_inline
def circle(t: KnasterArrays, sheet: KnasterCells, cell: int) -> None:
    symbol = sheet.symbol[cell]
    sheet.symbol[cell] = symbol + CIRCLED
    sheet.uncircled[symbol] -= 1
    sheet.circles[0] += 1
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        sheet.content[line] = t.circle[sheet.content[line], symbol]


@lean_inline
def uncircled(t: KnasterArrays, sheet: KnasterCells, line: int) -> int:
    """How many cells of a line have no circle."""
    found = 0
    for place in range(t.g.cells_of.shape[1]):
        found += sheet.symbol[t.g.cells_of[line, place]] < SYMBOLS
    return found


@lean_inline
def circle_all(t: KnasterArrays, sheet: KnasterCells, line: int) -> None:
    for place in range(t.g.cells_of.shape[1]):
        cell = t.g.cells_of[line, place]
        if sheet.symbol[cell] < SYMBOLS:
            circle(t, sheet, cell)


@lean_inline
def total(t: KnasterArrays, sheet: KnasterCells) -> float:
    points = np.float64(sheet.circles[0])
    for line in range(len(sheet.content)):
        if sheet.content[line] == t.full:
            points += t.printed[line]
    return points


@lean_inline
def circle_points(t: KnasterArrays, sheet: KnasterCells, cell: int) -> float:
    """What a circle here pays at once."""
    points = 1.0
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        if t.circle[sheet.content[line], sheet.symbol[cell]] == t.full:
            points += t.printed[line]
    return points


@lean_inline
def last_throw(t: KnasterArrays, sheet: KnasterCells, symbol: int) -> None:
    """Use the last throw on a full sheet where it pays most."""
    best, cell_of_best = 0.0, NONE
    for cell in range(len(sheet.symbol)):
        if sheet.symbol[cell] == symbol:
            points = circle_points(t, sheet, cell)
            if points > best:
                best, cell_of_best = points, cell
    if cell_of_best != NONE:
        circle(t, sheet, cell_of_best)
