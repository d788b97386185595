"""The learned value of a Knister sheet: a table over lines, and one over pairs of lines that cross in a free cell.

V(sheet) is the expected final total, the sum of `lines[turn, kind, content]` over all lines and of
`pairs[turn, crossing]` over all pairs of lines through each free cell, told by what stands in their other cells.
The last two turns need no learning: when one cell is free, all that can happen to each line is known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.solve.budget import NEVER
from kasta.solve.knister_tables import Tables
from kasta.solve.lean import part, routine
from kasta.solve.lines import NONE, SYMBOLS, Floats, Ints, Table, pair

Bytes = NDArray[np.uint8]


class Value(NamedTuple):
    """Learned tables: numbers of any type that count `unit` points each."""

    lines: Table  # [numbers written, kind of line, content]
    pairs: Table  # [numbers written, pair]
    unit: float


class Sheet(NamedTuple):
    """A sheet in a kernel, changed in place."""

    content: Ints  # [line]
    free: Bytes  # [cell]
    symbol: Ints  # [cell]


class Work(NamedTuple):
    """Room for one evaluation."""

    gain: Floats  # [cell]: V after writing there, less V of the sheet before
    line_gain: Floats  # [line]: what changing it alone changes
    part_gain: Floats  # [line, place]: the part of that which belongs to one free cell
    others: Ints  # [line]
    crossed: Floats  # [line, place, i]: what the pair with the crossing line is worth before
    shared: Floats  # [cell, i]: what the pair of lines through it is worth before


def random_fill(t: Tables) -> Floats:
    """What each line is worth if its free cells are filled with whatever comes."""
    worth = t.score.copy()
    for content in range(len(t.after) - 1, -1, -1):  # contents with fewer free cells have larger numbers
        if t.others[content] != NONE:
            worth[:, content] = sum(
                t.chance[symbol] * worth[:, t.after[content, symbol]] for symbol in range(1, SYMBOLS)
            )
    return worth


def optimistic(t: Tables, share: float) -> Floats:
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


def new_sheet(t: Tables) -> Sheet:
    cells = len(t.g.count_of)
    return Sheet(np.zeros(len(t.g.kind_of), np.int64), np.ones(cells, np.uint8), np.zeros(cells, np.int64))


def new_work(t: Tables) -> Work:
    lines, side = t.g.cells_of.shape
    return Work(
        gain=np.zeros(len(t.g.count_of)),
        line_gain=np.zeros(lines),
        part_gain=np.zeros((lines, side)),
        others=np.zeros(lines, np.int64),
        crossed=np.zeros(t.g.crossing.shape),
        shared=np.zeros(t.g.pairs_of.shape[:2]),
    )


@part
def put(t: Tables, sheet: Sheet, cell: int, symbol: int) -> None:
    sheet.free[cell] = 0
    sheet.symbol[cell] = symbol
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        sheet.content[line] = t.after[sheet.content[line], symbol]


@part
def clear(sheet: Sheet) -> None:
    sheet.content[:] = 0
    sheet.free[:] = 1
    sheet.symbol[:] = 0


@part
def copy(source: Sheet, to: Sheet) -> None:
    for line in range(len(source.content)):
        to.content[line] = source.content[line]
    for cell in range(len(source.free)):
        to.free[cell] = source.free[cell]
        to.symbol[cell] = source.symbol[cell]


@part
def total(t: Tables, sheet: Sheet) -> float:
    points = 0.0
    for line in range(len(sheet.content)):
        points += t.score[t.g.kind_of[line], sheet.content[line]]
    return points


@part
def value_of(t: Tables, value: Value, sheet: Sheet, written: int) -> float:
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


@part
def change_line(t: Tables, value: Value, sheet: Sheet, written: int, line: int, new: int, work: Work) -> None:
    """What V gains if this line gets a new content and nothing else changes."""
    kind, content = t.g.kind_of[line], sheet.content[line]
    gain = value.lines[written, kind, new] - np.float64(value.lines[written, kind, content])
    if written < len(value.pairs):
        own_then = t.others[new]
        for place in range(t.g.cells_of.shape[1]):
            if not sheet.free[t.g.cells_of[line, place]]:
                continue
            part_gain = 0.0
            for i in range(t.g.crossing.shape[2]):
                other_line = t.g.crossing[line, place, i]
                if other_line == NONE:
                    break
                crossing, other = t.g.crossing_kind[line, place, i], work.others[other_line]
                part_gain -= work.crossed[line, place, i]
                if own_then != NONE:
                    part_gain += value.pairs[written, pair(t.others_count, crossing, own_then, other)]
            work.part_gain[line, place] = part_gain
            gain += part_gain
    work.line_gain[line] = gain


@part
def lines_gain(t: Tables, cell: int, with_pairs: bool, work: Work) -> float:  # noqa: FBT001
    """What the lines of a cell gain, but for what they share in this cell."""
    gain = 0.0
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        gain += work.line_gain[line]
        if with_pairs:
            gain -= work.part_gain[line, t.g.place_of[line, cell]]
    return gain


@part
def survey(t: Tables, value: Value, sheet: Sheet, written: int, work: Work) -> float:
    """V of the sheet as if so many numbers were written, in the table's units, and what its pairs contribute."""
    worth = 0.0
    for line in range(len(sheet.content)):
        work.others[line] = t.others[sheet.content[line]]
        worth += value.lines[written, t.g.kind_of[line], sheet.content[line]]
    for cell in range(len(sheet.free) if written < len(value.pairs) else 0):
        for i in range(t.g.pairs_of.shape[1] if sheet.free[cell] else 0):
            one, two, kind = t.g.pairs_of[cell, i, 0], t.g.pairs_of[cell, i, 1], t.g.pairs_of[cell, i, 2]
            if one == NONE:
                break
            at = pair(t.others_count, kind, work.others[one], work.others[two])
            work.shared[cell, i] = value.pairs[written, at]
            work.crossed[one, t.g.place_of[one, cell], t.g.crossing_of[cell, i, 0]] = work.shared[cell, i]
            work.crossed[two, t.g.place_of[two, cell], t.g.crossing_of[cell, i, 1]] = work.shared[cell, i]
            worth += work.shared[cell, i]
    return worth


@part
def weigh_surveyed(t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, work: Work) -> int:
    """Fill `work.gain` as `weigh` does; the best cell.

    A line that changes alone changes its own entry and its pairs in its free cells; two lines of one cell share
    only that cell.
    """
    with_pairs = written < len(value.pairs)
    for line in range(len(sheet.content)):
        new = t.after[sheet.content[line], symbol]
        if new != NONE:
            change_line(t, value, sheet, written, line, new, work)
    best, best_cell = NEVER, NONE
    for cell in range(len(sheet.free)):
        if not sheet.free[cell]:
            continue
        gain = lines_gain(t, cell, with_pairs, work)
        for i in range(t.g.pairs_of.shape[1] if with_pairs else 0):
            if t.g.pairs_of[cell, i, 0] == NONE:
                break
            gain -= work.shared[cell, i]
        work.gain[cell] = gain
        if gain > best:
            best, best_cell = gain, cell
    return best_cell


@routine
def weigh(t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, work: Work) -> tuple[float, int]:
    """Fill `work.gain` for every free cell that the symbol could be the `written`-th number in.

    Returns V of the sheet as it is, at that turn, in the table's units, and the best cell.
    """
    base = survey(t, value, sheet, written, work)
    return base, weigh_surveyed(t, value, sheet, written, symbol, work)


@routine
def mean_of_best(t: Tables, value: Value, sheet: Sheet, written: int, work: Work) -> float:
    """V after the next throw and the best cell for it, over all throws: in the table's units."""
    if written >= len(value.pairs):
        return value_of(t, value, sheet, written)  # exact there
    mean, base = 0.0, survey(t, value, sheet, written + 1, work)
    for symbol in range(1, SYMBOLS):
        best = weigh_surveyed(t, value, sheet, written + 1, symbol, work)
        mean += t.chance[symbol] * (base + work.gain[best])
    return mean
