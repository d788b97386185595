"""The learned value of a Knaster sheet: what is still to come, and the points of lines that are circled already.

V(sheet) is the sum of `lines[written, kind, content]` over all lines, of `counts[written, symbol, n]` over all
numbers that stand there uncircled n times, of `waiting[written, set]` for the set of those numbers, and of `pairs`
over all pairs of lines through each uncircled or free cell, known by their outlines and the cell's symbol. Circles
drawn so far are counted apart. A full sheet needs no learning: one throw is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS
from kasta.solve.grid.halving import NEVER
from kasta.solve.jit import lean_inline, lean_part
from kasta.solve.knaster.arrays import KnasterArrays
from kasta.solve.knaster.sheet import (
    KnasterCells,
    circle,
    circle_all,
    circle_points,
    copy,
    new_sheet,
    uncircled,
    write,
)
from kasta.solve.types import Floats, Ints, Table

WRITTEN_A_STAGE = 2  # numbers between two stages of the game that pairs tell apart
TURNS = 1.7  # throws that an optimist hopes for, for each free cell
HOPE = 0.75  # of a free cell's being circled in the end
SHARE = 0.6  # of hoped-for circles that count


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
    owed: Ints  # [i]: circles earned by the i-th line of a cell
    trial: KnasterCells
    full_trial: KnasterCells


class KnasterPlayer(NamedTuple):
    """Who plays by learned values: what rules say, what was learned, and scratch."""

    t: KnasterArrays
    value: KnasterValue
    work: KnasterWork


def new_player(t: KnasterArrays, value: KnasterValue) -> KnasterPlayer:
    lines, side = t.g.cells_of.shape
    cells = len(t.g.count_of)
    work = KnasterWork(
        worth=np.zeros(2 * cells),
        line_gain=np.zeros(lines),
        part_gain=np.zeros((lines, side)),
        best=np.zeros(SYMBOLS),
        owed=np.zeros(t.g.lines_of.shape[1], np.int64),
        trial=new_sheet(t),
        full_trial=new_sheet(t),
    )
    return KnasterPlayer(t, value, work)


def new_value(t: KnasterArrays, contents: list[tuple[int, ...]]) -> KnasterValue:
    """Where learning starts: each line as if it had its numbers for itself, rather too good than too bad."""
    cells, kinds = len(t.g.count_of), int(t.g.kind_of.max()) + 1
    lines = np.zeros((cells, kinds, len(contents)), np.float32)
    counts = np.zeros((cells, SYMBOLS, cells + 2), np.float32)
    printed = np.zeros(kinds)
    printed[t.g.kind_of] = t.printed
    symbols = np.full(
        (len(contents), t.g.cells_of.shape[1]), 2 * SYMBOLS - 2
    )  # a circled cell, where there is none
    for number, content in enumerate(contents):
        symbols[number, : len(content)] = content
    for written in range(cells):
        throws = TURNS * (cells - written) + 1
        comes = 1 - (1 - t.chance) ** throws
        chance = np.concatenate([[HOPE], comes[1:], np.ones(SYMBOLS - 1)])
        lines[written] = np.outer(printed, chance[symbols].prod(axis=1))
        counts[written] = SHARE * np.minimum(np.arange(cells + 2), throws * t.chance[:, None])
    waiting_sets = np.zeros((cells, 1 << (SYMBOLS - 1)), np.float32)
    pairs = np.zeros((1 + (cells - 1) // WRITTEN_A_STAGE, t.pair_kinds * SYMBOLS * t.outlines**2), np.float32)
    return KnasterValue(lines, counts, waiting_sets, pairs, 1.0)


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
def in_order(t: KnasterArrays, cell: int, i: int, one: int, two: int) -> tuple[int, int]:
    """The outlines of what stands in a pair of lines, as seen from the line that comes first."""
    if t.pair_turned[cell, i]:
        return t.outline[two], t.outline[one]
    return t.outline[one], t.outline[two]


@lean_inline
def cell_value(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, stage: int, cell: int) -> float:
    """The pairs of lines through one cell that is not circled."""
    worth = 0.0
    for i in range(t.pair_kind.shape[1]):
        kind = t.pair_kind[cell, i]
        if kind == NONE:
            break
        one, two = sheet.content[t.g.pairs_of[cell, i, 0]], sheet.content[t.g.pairs_of[cell, i, 1]]
        first, second = in_order(t, cell, i, one, two)
        worth += value.pairs[stage, pair(t.outlines, kind, sheet.symbol[cell], first, second)]
    return worth


@lean_inline
def last_value(p: KnasterPlayer, sheet: KnasterCells) -> float:
    """V of a full sheet, in points: the last throw may circle one number more."""
    t, best, worth = p.t, p.work.best, 0.0
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
def value_of(p: KnasterPlayer, sheet: KnasterCells, written: int) -> float:
    """V without the circles drawn so far, in the table's units, as if so many numbers were written."""
    t, value = p.t, p.value
    if written == len(sheet.symbol):
        return last_value(p, sheet) / value.unit
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
def change_line(p: KnasterPlayer, sheet: KnasterCells, written: int, line: int, new: int) -> None:
    """What V gains if this line gets a new content and nothing else changes."""
    t, value, work = p
    stage, old = written // WRITTEN_A_STAGE, sheet.content[line]
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
def circle_gain(p: KnasterPlayer, sheet: KnasterCells, cell: int) -> float:
    """What circling the number in a cell gains, its circle counted, in the table's units."""
    t, value, work = p
    written, symbol = sheet.written[0], sheet.symbol[cell]
    if written == len(sheet.symbol):
        before = last_value(p, sheet)
        copy(sheet, work.full_trial)
        circle(t, work.full_trial, cell)
        return (1.0 + last_value(p, work.full_trial) - before) / value.unit
    gain = 1.0 / value.unit + count_gain(value, sheet, written, symbol, -1)
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        change_line(p, sheet, written, line, t.circle[sheet.content[line], symbol])
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


@lean_inline
def best_circle(p: KnasterPlayer, sheet: KnasterCells, line: int, careful: bool) -> int:  # noqa: FBT001
    """The cell of a line whose circle alone gains most, roughly or carefully."""
    best, most = NONE, NEVER
    for place in range(p.t.g.cells_of.shape[1]):
        cell = p.t.g.cells_of[line, place]
        if sheet.symbol[cell] < SYMBOLS:
            gain = circle_gain(p, sheet, cell) if careful else quick_gain(p.t, p.value, sheet, cell)
            if gain > most:
                best, most = cell, gain
    return best


@lean_part
def serve(p: KnasterPlayer, sheet: KnasterCells, cell: int, careful: bool) -> None:  # noqa: FBT001
    """Draw the circles that a number just written has earned, where each gains most: roughly or carefully."""
    t, owed = p.t, p.work.owed
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        if owed[i] >= uncircled(t, sheet, line):
            circle_all(t, sheet, line)
        else:
            for _ in range(owed[i]):
                circle(t, sheet, best_circle(p, sheet, line, careful))


# Actions: a write into a cell has the cell's number, a circle there that number plus the number of cells.


@lean_inline
def act(p: KnasterPlayer, sheet: KnasterCells, action: int, symbol: int) -> None:
    """Write and serve, or circle."""
    cells = len(sheet.symbol)
    if action >= cells:
        circle(p.t, sheet, action - cells)
    elif write(p.t, sheet, action, symbol, p.work.owed):
        serve(p, sheet, action, True)  # noqa: FBT003


@lean_part
def evaluate(p: KnasterPlayer, sheet: KnasterCells, symbol: int) -> int:
    """Fill `work.worth` for every action that the rules allow with this symbol, NEVER for others; the best one.

    A line that changes alone changes its own entry and its pairs in its cells; two lines of one cell share only
    that cell. Where circles are earned, they are drawn on a copy.
    """
    work, cells, then = p.work, len(sheet.symbol), sheet.written[0] + 1
    work.worth[:] = NEVER
    if sheet.uncircled[symbol] > 0:
        now = value_of(p, sheet, sheet.written[0])
        for cell in range(cells):
            if sheet.symbol[cell] == symbol:
                work.worth[cells + cell] = now + circle_gain(p, sheet, cell)
    if then < cells:
        evaluate_plain(p, sheet, then, symbol)
    for cell in range(cells):
        if sheet.symbol[cell] == EMPTY and work.worth[cell] == NEVER:
            evaluate_served(p, sheet, cell, symbol)
    best = 2 * cells - 1
    for action in range(2 * cells - 1):
        if work.worth[action] > work.worth[best]:
            best = action
    return best


@lean_inline
def evaluate_plain(p: KnasterPlayer, sheet: KnasterCells, then: int, symbol: int) -> None:
    """Fill `work.worth` for writing into cells that earn no circles."""
    t, base = p.t, value_of(p, sheet, then) + count_gain(p.value, sheet, then, symbol, 1)
    for line in range(len(sheet.content)):
        new = t.write[sheet.content[line], symbol]
        if new != NONE:
            change_line(p, sheet, then, line, new)
    for cell in range(len(sheet.symbol)):
        if sheet.symbol[cell] == EMPTY and not earns(t, sheet, cell, symbol):
            p.work.worth[cell] = base + write_gain(p, sheet, then // WRITTEN_A_STAGE, cell, symbol)


@lean_inline
def earns(t: KnasterArrays, sheet: KnasterCells, cell: int, symbol: int) -> bool:
    """Whether writing here earns circles."""
    found = False
    for i in range(t.g.count_of[cell]):
        found |= t.earned[sheet.content[t.g.lines_of[cell, i]], symbol] > 0
    return found


@lean_inline
def evaluate_served(p: KnasterPlayer, sheet: KnasterCells, cell: int, symbol: int) -> None:
    """Fill `work.worth` for writing into a cell that earns circles."""
    work, trial = p.work, p.work.trial
    copy(sheet, trial)
    write(p.t, trial, cell, symbol, work.owed)
    serve(p, trial, cell, False)  # noqa: FBT003
    drawn = trial.circles[0] - sheet.circles[0]
    work.worth[cell] = value_of(p, trial, trial.written[0]) + drawn / p.value.unit


@lean_inline
def write_gain(p: KnasterPlayer, sheet: KnasterCells, stage: int, cell: int, symbol: int) -> float:
    """What writing gains where no circles are earned, given the gains of its lines."""
    (t, value, work), gain = p, 0.0
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        gain += work.line_gain[line] - work.part_gain[line, t.g.place_of[line, cell]]
    for i in range(t.pair_kind.shape[1]):
        kind = t.pair_kind[cell, i]
        if kind == NONE:
            break
        one, two = sheet.content[t.g.pairs_of[cell, i, 0]], sheet.content[t.g.pairs_of[cell, i, 1]]
        first, second = in_order(t, cell, i, one, two)
        first_then, second_then = in_order(t, cell, i, t.write[one, symbol], t.write[two, symbol])
        gain += np.float64(value.pairs[stage, pair(t.outlines, kind, symbol, first_then, second_then)])
        gain -= value.pairs[stage, pair(t.outlines, kind, EMPTY, first, second)]
    return gain


@lean_part
def expected_best(p: KnasterPlayer, sheet: KnasterCells) -> float:
    """V after the next throw and the best action for it, over all throws, without circles drawn so far."""
    if sheet.written[0] == len(sheet.symbol):
        return last_value(p, sheet) / p.value.unit
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        best = evaluate(p, sheet, symbol)
        mean += p.t.chance[symbol] * p.work.worth[best]
    return mean
