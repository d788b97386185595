"""Afterstate values in Knister: the best cell for a number, and what the next throw is worth before it is known.

A line that changes alone changes its own entry and its pairs in its free cells; two lines of one cell share only
that cell. So what each line would change tells what every cell is worth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, SYMBOLS, pair
from kasta.solve.grid.halving import NEVER
from kasta.solve.jit import lean_inline, lean_part
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.value import KnisterCells, KnisterValue, value_of
from kasta.solve.types import Floats, Ints


class KnisterWork(NamedTuple):
    """Scratch for one evaluation; what is said for one symbol, and the same for any."""

    gain: Floats  # [cell]: V after writing there, less V of the sheet before
    line_gain: Floats  # [line]: what changing it alone changes
    part_gain: Floats  # [line, place]: the part of that which belongs to one free cell
    others: Ints  # [line]: what stands beside one free cell
    crossed: Floats  # [line, place, i]: what the pair with the crossing line is worth before
    shared: Floats  # [cell, i]: what the pair of lines through it is worth before
    then: Ints  # [symbol]: what stands beside one free cell afterwards
    gains: Floats  # [symbol]
    best: Floats  # [symbol]: the gain in its best cell
    line_gains: Floats  # [line, symbol]
    part_gains: Floats  # [line, place, symbol]


class KnisterPlayer(NamedTuple):
    """Who plays by learned values: what rules say, what was learned, and scratch."""

    t: KnisterArrays
    value: KnisterValue
    work: KnisterWork


def new_player(t: KnisterArrays, value: KnisterValue) -> KnisterPlayer:
    lines, side = t.g.cells_of.shape
    gains, best = np.zeros((2, SYMBOLS))
    work = KnisterWork(
        gain=np.zeros(len(t.g.count_of)),
        line_gain=np.zeros(lines),
        part_gain=np.zeros((lines, side)),
        others=np.zeros(lines, np.int64),
        crossed=np.zeros(t.g.crossing.shape),
        shared=np.zeros(t.g.pairs_of.shape[:2]),
        then=np.zeros(SYMBOLS, np.int64),
        gains=gains,
        best=best,
        line_gains=np.zeros((lines, SYMBOLS)),
        part_gains=np.zeros((lines, side, SYMBOLS)),
    )
    return KnisterPlayer(t, value, work)


@lean_inline
def survey(p: KnisterPlayer, sheet: KnisterCells, written: int) -> float:
    """V of the sheet as if so many numbers were written, in the table's units, and what its pairs contribute."""
    (t, value, work), worth = p, 0.0
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


@lean_inline
def shared_in(t: KnisterArrays, cell: int, with_pairs: bool, work: KnisterWork) -> float:  # noqa: FBT001
    """What the pairs of lines through a free cell are worth before."""
    shared = 0.0
    for i in range(t.g.pairs_of.shape[1] if with_pairs else 0):
        if t.g.pairs_of[cell, i, 0] == NONE:
            break
        shared += work.shared[cell, i]
    return shared


@lean_inline
def change_line(p: KnisterPlayer, sheet: KnisterCells, written: int, line: int, new: int) -> None:
    """What V gains if this line gets a new content and nothing else changes."""
    t, value, work = p
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


@lean_part
def evaluate(p: KnisterPlayer, sheet: KnisterCells, written: int, symbol: int) -> tuple[float, int]:
    """Fill `work.gain` for every free cell that the symbol could be the `written`-th number in.

    Returns V of the sheet as it is, at that turn, in the table's units, and the best cell.
    """
    (t, value, work), base = p, survey(p, sheet, written)
    for line in range(len(sheet.content)):
        new = t.after[sheet.content[line], symbol]
        if new != NONE:
            change_line(p, sheet, written, line, new)
    with_pairs, best, best_cell = written < len(value.pairs), NEVER, NONE
    for cell in range(len(sheet.free)):
        if not sheet.free[cell]:
            continue
        gain = 0.0
        for i in range(t.g.count_of[cell]):
            line = t.g.lines_of[cell, i]
            gain += work.line_gain[line]
            if with_pairs:
                gain -= work.part_gain[line, t.g.place_of[line, cell]]
        gain -= shared_in(t, cell, with_pairs, work)
        work.gain[cell] = gain
        if gain > best:
            best, best_cell = gain, cell
    return base, best_cell


@lean_inline
def change_line_any(p: KnisterPlayer, sheet: KnisterCells, written: int, line: int) -> None:
    """What V gains if this line gets any symbol and nothing else changes."""
    t, value, work = p
    kind, content, gains = t.g.kind_of[line], sheet.content[line], work.line_gains
    before = np.float64(value.lines[written, kind, content])
    for symbol in range(1, SYMBOLS):
        new = t.after[content, symbol]
        gains[line, symbol] = value.lines[written, kind, new] - before
        work.then[symbol] = t.others[new]
    is_last = work.then[1] == NONE  # the line has one free cell
    for place in range(t.g.cells_of.shape[1] if written < len(value.pairs) else 0):
        if not sheet.free[t.g.cells_of[line, place]]:
            continue
        for symbol in range(1, SYMBOLS):
            work.part_gains[line, place, symbol] = 0.0
        for i in range(t.g.crossing.shape[2]):
            other_line = t.g.crossing[line, place, i]
            if other_line == NONE:
                break
            crossing, other = t.g.crossing_kind[line, place, i], work.others[other_line]
            before = work.crossed[line, place, i]
            for symbol in range(1, SYMBOLS):
                work.part_gains[line, place, symbol] -= before
            for symbol in range(1, SYMBOLS if not is_last else 0):
                at = pair(t.others_count, crossing, work.then[symbol], other)
                work.part_gains[line, place, symbol] += value.pairs[written, at]
        for symbol in range(1, SYMBOLS):
            gains[line, symbol] += work.part_gains[line, place, symbol]


@lean_inline
def offer_cell(t: KnisterArrays, cell: int, with_pairs: bool, work: KnisterWork) -> None:  # noqa: FBT001
    """Take a cell for every symbol that gains more here than in any cell before."""
    shared = shared_in(t, cell, with_pairs, work)
    for symbol in range(1, SYMBOLS):
        work.gains[symbol] = -shared
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        place = t.g.place_of[line, cell]
        for symbol in range(1, SYMBOLS):
            work.gains[symbol] += work.line_gains[line, symbol]
        for symbol in range(1, SYMBOLS if with_pairs else 0):
            work.gains[symbol] -= work.part_gains[line, place, symbol]
    for symbol in range(1, SYMBOLS):
        work.best[symbol] = max(work.best[symbol], work.gains[symbol])


@lean_part
def expected_best(p: KnisterPlayer, sheet: KnisterCells, written: int) -> float:
    """V after the next throw and the best cell for it, over all throws: in the table's units."""
    t, value, work = p
    if written >= len(value.pairs):
        return value_of(t, value, sheet, written)  # exact there
    base = survey(p, sheet, written + 1)
    for line in range(len(sheet.content)):
        if work.others[line] != NONE:
            change_line_any(p, sheet, written + 1, line)
    for symbol in range(1, SYMBOLS):
        work.best[symbol] = NEVER
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            offer_cell(t, cell, written + 1 < len(value.pairs), work)
    mean = base
    for symbol in range(1, SYMBOLS):
        mean += t.chance[symbol] * work.best[symbol]
    return mean
