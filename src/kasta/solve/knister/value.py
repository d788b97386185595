"""The learned value of a Knister sheet: a table over lines, and one over pairs of lines that cross in a free cell.

V(sheet) is the expected final total, the sum of `lines[turn, kind, content]` over all lines and of
`pairs[turn, crossing]` over all pairs of lines through each free cell, known by what stands in their other cells.
The last two turns need no learning: when one cell is free, all that can happen to each line is known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.solve.grid.geometry import NONE, SYMBOLS, pair
from kasta.solve.jit import lean_inline
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.types import Floats, Ints, Table

Bytes = NDArray[np.uint8]

SHARE = 0.5  # of optimism at the start: 0.3 learns a player that is a point weaker, 1.1 one that is three


class KnisterValue(NamedTuple):
    """Learned tables: numbers of any type that count `unit` points each."""

    lines: Table  # [numbers written, kind of line, content]
    pairs: Table  # [numbers written, pair]
    unit: float


class KnisterCells(NamedTuple):
    """A sheet in a kernel, changed in place."""

    content: Ints  # [line]
    free: Bytes  # [cell]
    symbol: Ints  # [cell]


def random_fill(t: KnisterArrays) -> Floats:
    """What each line is worth if its free cells are filled with whatever comes."""
    worth = t.score.copy()
    for content in range(len(t.after) - 1, -1, -1):  # contents with fewer free cells have larger numbers
        if t.others[content] != NONE:
            worth[:, content] = sum(
                t.chance[symbol] * worth[:, t.after[content, symbol]] for symbol in range(1, SYMBOLS)
            )
    return worth


def optimistic(t: KnisterArrays, share: float) -> Floats:
    """Line values to start learning from: part of the way from random filling to play for that line alone.

    Written numbers say how many throws are left: with many, a line may wait for what it needs.
    """
    cells, fill = len(t.g.count_of), random_fill(t)
    values = np.zeros((cells + 1, *t.score.shape))
    values[cells] = t.score
    for written in range(cells - 1, -1, -1):
        later = values[written + 1]
        values[written] = t.score
        for content in np.flatnonzero(t.others != NONE):
            free = cells - written
            taken = np.array([later[:, t.after[content, symbol]] for symbol in range(1, SYMBOLS)])
            values[written, :, content] = t.chance[1:] @ np.maximum(
                taken, later[:, content] if free > 1 else taken
            )
    mixed = fill + share * np.maximum(values - fill, 0.0)
    mixed[cells - 1] = fill
    mixed[cells] = t.score
    return np.asarray(mixed)


def start_lines(t: KnisterArrays) -> Table:
    """Values of lines before learning."""
    return optimistic(t, SHARE).astype(np.float32)


def new_sheet(t: KnisterArrays) -> KnisterCells:
    cells = len(t.g.count_of)
    return KnisterCells(np.zeros(len(t.g.kind_of), np.int64), np.ones(cells, np.uint8), np.zeros(cells, np.int64))


@lean_inline
def put(t: KnisterArrays, sheet: KnisterCells, cell: int, symbol: int) -> None:
    sheet.free[cell] = 0
    sheet.symbol[cell] = symbol
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        sheet.content[line] = t.after[sheet.content[line], symbol]


@lean_inline
def clear(sheet: KnisterCells) -> None:
    sheet.content[:] = 0
    sheet.free[:] = 1
    sheet.symbol[:] = 0


@lean_inline
def copy(source: KnisterCells, to: KnisterCells) -> None:
    for line in range(len(source.content)):
        to.content[line] = source.content[line]
    for cell in range(len(source.free)):
        to.free[cell] = source.free[cell]
        to.symbol[cell] = source.symbol[cell]


@lean_inline
def total(t: KnisterArrays, sheet: KnisterCells) -> float:
    points = 0.0
    for line in range(len(sheet.content)):
        points += t.score[t.g.kind_of[line], sheet.content[line]]
    return points


@lean_inline
def value_of(t: KnisterArrays, value: KnisterValue, sheet: KnisterCells, written: int) -> float:
    """V, in the table's units."""
    worth = 0.0
    for line in range(len(sheet.content)):
        worth += value.lines[written, t.g.kind_of[line], sheet.content[line]]
    if written < len(value.pairs):
        for cell in range(len(sheet.free)):
            if sheet.free[cell]:
                for i in range(t.g.pairs_of.shape[1]):
                    one, two, kind = t.g.pairs_of[cell, i, 0], t.g.pairs_of[cell, i, 1], t.g.pairs_of[cell, i, 2]
                    if one == NONE:
                        break
                    own, other = t.others[sheet.content[one]], t.others[sheet.content[two]]
                    worth += value.pairs[written, pair(t.others_count, kind, own, other)]
    return worth
