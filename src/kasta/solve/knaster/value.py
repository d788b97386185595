"""The learned value of a Knaster sheet: what is still to come, and the points of lines that are circled already.

V(sheet) is the sum of `lines[written, kind, content]` over all lines, of `counts[written, symbol, n]` over all
numbers that stand there uncircled n times, of `waiting[written, set]` for the set of those numbers, and of `pairs`
over all pairs of lines through each uncircled or free cell, known by their outlines and the cell's symbol. Circles
drawn so far are counted apart. A full sheet needs no learning: one throw is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.budget import NEVER
from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS
from kasta.solve.jit import lean_inline, lean_part
from kasta.solve.knaster.arrays import KnasterArrays
from kasta.solve.knaster.sheet import KnasterCells, circle, circle_points, copy, new_sheet, write
from kasta.solve.types import Floats, Ints, Table

WRITTEN_A_STAGE = 2  # numbers between two stages of the game that pairs tell apart


class KnasterValue(NamedTuple):
    """Learned tables: numbers of any type that count `unit` points each."""

    lines: Table  # [numbers written, kind of line, content]
    counts: Table  # [numbers written, symbol, how many]
    waiting: Table  # [numbers written, set of symbols]
    pairs: Table  # [stage, pair]
    unit: float


class KnasterWork(NamedTuple):
    """Scratch for one evaluation."""

    worth: Floats  # [action]: V after it and the circles it draws
    line_gain: Floats  # [line]: what changing it alone changes
    part_gain: Floats  # [line, place]: the part of that which belongs to one cell
    best: Floats  # [symbol]
    gain: Floats  # [cell]: of circling there
    owed: Ints  # [i]: circles earned by the i-th line of a cell
    trial: KnasterCells
    full_trial: KnasterCells


def new_work(t: KnasterArrays) -> KnasterWork:
    lines, side = t.g.cells_of.shape
    cells = len(t.g.count_of)
    return KnasterWork(
        worth=np.zeros(2 * cells),
        line_gain=np.zeros(lines),
        part_gain=np.zeros((lines, side)),
        best=np.zeros(SYMBOLS),
        gain=np.zeros(cells),
        owed=np.zeros(t.g.lines_of.shape[1], np.int64),
        trial=new_sheet(t),
        full_trial=new_sheet(t),
    )


def pairs_count(t: KnasterArrays) -> int:
    return t.pair_kinds * SYMBOLS * t.outlines**2


@lean_inline
def pair(outlines: int, kind: int, symbol: int, first: int, second: int) -> int:
    return ((kind * SYMBOLS + symbol) * outlines + first) * outlines + second


@lean_inline
def waiting(count: Ints) -> int:
    """The set of numbers that could be circled, as a number."""
    found = 0
    for symbol in range(1, SYMBOLS):
        found |= (count[symbol] > 0) << (symbol - 1)
    return found


@lean_inline
def line_value(t: KnasterArrays, value: KnasterValue, written: int, line: int, content: int) -> float:
    if content == t.full:
        return t.printed[line] / value.unit
    return np.float64(value.lines[written, t.g.kind_of[line], content])


@lean_inline
def cell_value(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, stage: int, cell: int) -> float:
    """The pairs of lines through one cell that is not circled."""
    worth = 0.0
    for i in range(t.pair_kind.shape[1]):
        kind = t.pair_kind[cell, i]
        if kind == NONE:
            break
        first = t.outline[sheet.content[t.g.pairs_of[cell, i, 0]]]
        second = t.outline[sheet.content[t.g.pairs_of[cell, i, 1]]]
        if t.pair_turned[cell, i]:
            first, second = second, first
        worth += value.pairs[stage, pair(t.outlines, kind, sheet.symbol[cell], first, second)]
    return worth


@lean_inline
def last_value(t: KnasterArrays, sheet: KnasterCells, best: Floats) -> float:
    """V of a full sheet, in points: the last throw may circle one number more."""
    worth = 0.0
    for symbol in range(SYMBOLS):
        best[symbol] = 0.0
    for cell in range(len(sheet.symbol)):
        symbol = sheet.symbol[cell]
        if symbol < SYMBOLS:
            best[symbol] = max(best[symbol], circle_points(t, sheet, cell))
    for symbol in range(1, SYMBOLS):
        worth += t.chance[symbol] * best[symbol]
    for line in range(len(sheet.content)):
        if sheet.content[line] == t.full:
            worth += t.printed[line]
    return worth


@lean_inline
def value_of(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, written: int, best: Floats) -> float:
    """V without the circles drawn so far, in the table's units, as if so many numbers were written."""
    if written == len(sheet.symbol):
        return last_value(t, sheet, best) / value.unit
    worth = np.float64(value.waiting[written, waiting(sheet.uncircled)])
    for line in range(len(sheet.content)):
        worth += line_value(t, value, written, line, sheet.content[line])
    for symbol in range(1, SYMBOLS):
        worth += value.counts[written, symbol, sheet.uncircled[symbol]]
    for cell in range(len(sheet.symbol)):
        if sheet.symbol[cell] < SYMBOLS:
            worth += cell_value(t, value, sheet, written // WRITTEN_A_STAGE, cell)
    return worth


@lean_inline
def change_line(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    written: int,
    line: int,
    new: int,
    work: KnasterWork,
) -> None:
    """What V gains if this line gets a new content and nothing else changes."""
    stage = written // WRITTEN_A_STAGE
    old = sheet.content[line]
    gain = line_value(t, value, written, line, new) - line_value(t, value, written, line, old)
    own, own_then = t.outline[old], t.outline[new]
    for place in range(t.g.cells_of.shape[1]):
        symbol = sheet.symbol[t.g.cells_of[line, place]]
        part_gain = 0.0
        if symbol < SYMBOLS and own != own_then:
            for i in range(t.g.crossing.shape[2]):
                other_line = t.g.crossing[line, place, i]
                if other_line == NONE:
                    break
                kind, other = t.crossing_kind[line, place, i], t.outline[sheet.content[other_line]]
                if t.crossing_turned[line, place, i]:
                    part_gain -= value.pairs[stage, pair(t.outlines, kind, symbol, other, own)]
                    part_gain += value.pairs[stage, pair(t.outlines, kind, symbol, other, own_then)]
                else:
                    part_gain -= value.pairs[stage, pair(t.outlines, kind, symbol, own, other)]
                    part_gain += value.pairs[stage, pair(t.outlines, kind, symbol, own_then, other)]
        work.part_gain[line, place] = part_gain
        gain += part_gain
    work.line_gain[line] = gain


@lean_inline
def count_gain(value: KnasterValue, sheet: KnasterCells, written: int, symbol: int, change: int) -> float:
    """What V gains if one uncircled number more or less stands there, lines apart."""
    count = sheet.uncircled
    gain = -np.float64(value.waiting[written, waiting(count)]) - value.counts[written, symbol, count[symbol]]
    count[symbol] += change
    gain += np.float64(value.waiting[written, waiting(count)]) + value.counts[written, symbol, count[symbol]]
    count[symbol] -= change
    return gain


@lean_inline
def circle_gain(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, cell: int, work: KnasterWork) -> float:
    """What circling the number in a cell gains, its circle counted, in the table's units."""
    written, symbol = sheet.written[0], sheet.symbol[cell]
    if written == len(sheet.symbol):
        before = last_value(t, sheet, work.best)
        copy(sheet, work.full_trial)
        circle(t, work.full_trial, cell)
        return (1.0 + last_value(t, work.full_trial, work.best) - before) / value.unit
    gain = 1.0 / value.unit + count_gain(value, sheet, written, symbol, -1)
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        change_line(t, value, sheet, written, line, t.circle[sheet.content[line], symbol], work)
        gain += work.line_gain[line] - work.part_gain[line, t.g.place_of[line, cell]]
    return gain - cell_value(t, value, sheet, written // WRITTEN_A_STAGE, cell)


@lean_inline
def quick_gain(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, cell: int) -> float:
    """Roughly what circling the number in a cell gains: pairs apart."""
    written, symbol = min(sheet.written[0], len(value.lines) - 1), sheet.symbol[cell]
    gain = np.float64(value.counts[written, symbol, sheet.uncircled[symbol] - 1])
    gain -= value.counts[written, symbol, sheet.uncircled[symbol]]
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        gain += line_value(t, value, written, line, t.circle[sheet.content[line], symbol])
        gain -= line_value(t, value, written, line, sheet.content[line])
    return gain


@lean_part
def serve(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    cell: int,
    owed: Ints,
    work: KnasterWork,
    careful: bool,  # noqa: FBT001
) -> None:
    """Draw the circles that a number just written has earned, where each gains most: roughly or carefully."""
    for i in range(t.g.count_of[cell]):
        line, left = t.g.lines_of[cell, i], owed[i]
        if left == 0:
            continue
        uncircled = 0
        for place in range(t.g.cells_of.shape[1]):
            uncircled += sheet.symbol[t.g.cells_of[line, place]] < SYMBOLS
        forced = uncircled <= left
        while left > 0 and uncircled > 0:
            best = NONE
            for place in range(t.g.cells_of.shape[1]):
                at = t.g.cells_of[line, place]
                if sheet.symbol[at] >= SYMBOLS:
                    continue
                if not forced:
                    work.gain[at] = (
                        circle_gain(t, value, sheet, at, work) if careful else quick_gain(t, value, sheet, at)
                    )
                if best == NONE or (not forced and work.gain[at] > work.gain[best]):
                    best = at
            circle(t, sheet, best)
            left -= 1
            uncircled -= 1


# Actions: a write into a cell has the cell's number, a circle there that number plus the number of cells.


@lean_inline
def act(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, action: int, symbol: int, work: KnasterWork
) -> None:
    """Write and serve, or circle."""
    cells = len(sheet.symbol)
    if action >= cells:
        circle(t, sheet, action - cells)
    elif write(t, sheet, action, symbol, work.owed):
        serve(t, value, sheet, action, work.owed, work, True)  # noqa: FBT003


@lean_part
def evaluate(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, symbol: int, work: KnasterWork) -> int:
    """Fill `work.worth` for every action that the rules allow with this symbol, NEVER for others; the best one.

    A line that changes alone changes its own entry and its pairs in its cells; two lines of one cell share only
    that cell. Where circles are earned, they are drawn on a copy.
    """
    cells, then = len(sheet.symbol), sheet.written[0] + 1
    work.worth[:] = NEVER
    if sheet.uncircled[symbol] > 0:
        now = value_of(t, value, sheet, sheet.written[0], work.best)
        for cell in range(cells):
            if sheet.symbol[cell] == symbol:
                work.worth[cells + cell] = now + circle_gain(t, value, sheet, cell, work)
    if then < cells:
        evaluate_plain(t, value, sheet, then, symbol, work)
    for cell in range(cells):
        if sheet.symbol[cell] == EMPTY and work.worth[cell] == NEVER:
            evaluate_served(t, value, sheet, cell, symbol, work, False)  # noqa: FBT003
    best = 2 * cells - 1
    for action in range(2 * cells - 1):
        if work.worth[action] > work.worth[best]:
            best = action
    return best


@lean_inline
def evaluate_plain(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, then: int, symbol: int, work: KnasterWork
) -> None:
    """Fill `work.worth` for writing into cells that earn no circles."""
    base = value_of(t, value, sheet, then, work.best) + count_gain(value, sheet, then, symbol, 1)
    for line in range(len(sheet.content)):
        new = t.write[sheet.content[line], symbol]
        if new != NONE:
            change_line(t, value, sheet, then, line, new, work)
    for cell in range(len(sheet.symbol)):
        if sheet.symbol[cell] == EMPTY and not earns(t, sheet, cell, symbol):
            work.worth[cell] = base + write_gain(t, value, sheet, then // WRITTEN_A_STAGE, cell, symbol, work)


@lean_inline
def earns(t: KnasterArrays, sheet: KnasterCells, cell: int, symbol: int) -> bool:
    """Whether writing here earns circles."""
    found = False
    for i in range(t.g.count_of[cell]):
        found |= t.earned[sheet.content[t.g.lines_of[cell, i]], symbol] > 0
    return found


@lean_inline
def evaluate_served(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    cell: int,
    symbol: int,
    work: KnasterWork,
    careful: bool,  # noqa: FBT001
) -> None:
    """Fill `work.worth` for writing into a cell that earns circles."""
    copy(sheet, work.trial)
    write(t, work.trial, cell, symbol, work.owed)
    serve(t, value, work.trial, cell, work.owed, work, careful)
    drawn = work.trial.circles[0] - sheet.circles[0]
    work.worth[cell] = value_of(t, value, work.trial, work.trial.written[0], work.best) + drawn / value.unit


@lean_inline
def write_gain(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    stage: int,
    cell: int,
    symbol: int,
    work: KnasterWork,
) -> float:
    """What writing gains where no circles are earned, given the gains of its lines."""
    gain = 0.0
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        gain += work.line_gain[line] - work.part_gain[line, t.g.place_of[line, cell]]
    for i in range(t.pair_kind.shape[1]):
        kind = t.pair_kind[cell, i]
        if kind == NONE:
            break
        one, two = sheet.content[t.g.pairs_of[cell, i, 0]], sheet.content[t.g.pairs_of[cell, i, 1]]
        first, second = t.outline[one], t.outline[two]
        first_then, second_then = t.outline[t.write[one, symbol]], t.outline[t.write[two, symbol]]
        if t.pair_turned[cell, i]:
            first, second, first_then, second_then = second, first, second_then, first_then
        gain += np.float64(value.pairs[stage, pair(t.outlines, kind, symbol, first_then, second_then)])
        gain -= value.pairs[stage, pair(t.outlines, kind, EMPTY, first, second)]
    return gain


@lean_part
def expected_best(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, work: KnasterWork) -> float:
    """V after the next throw and the best action for it, over all throws, without circles drawn so far."""
    if sheet.written[0] == len(sheet.symbol):
        return last_value(t, sheet, work.best) / value.unit
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        best = evaluate(t, value, sheet, symbol, work)
        mean += t.chance[symbol] * work.worth[best]
    return mean
