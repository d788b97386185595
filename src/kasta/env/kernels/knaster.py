"""Knaster as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import Throw
from kasta.env.kernels.lines import ask_all, make_lines, thrown, value
from kasta.env.kernels.words import OVER, PICK, THROW, Notes, Row, below, count, nth, ones
from kasta.games.grid import FREE, NUMBERS, Numbers
from kasta.games.knaster import Bonus, Knaster, Sheet, Write
from kasta.solve.jit import lean_inline

FREE_CELLS, BARE, OWING = 0, 1, 2  # the notes


class KnasterTables(NamedTuple):
    """What the rules answered, and where things stand in a sheet's row.

    Notes, all as bits: the free cells, those without a circle, the lines that owe. Every cell lies on as many
    lines: see `Lines`, whose one more cell is always free and bare.
    """

    notes: int
    dice: int
    untouched: int  # the notes of the cells when the game begins
    written: int  # that of the free cells when none is left
    numbers: int  # how many different ones there are
    lowest: int  # of them
    owing: int  # where these begin in a row
    sum: int
    serving: int
    left: int
    last: int
    through: NDArray[np.int8]  # [cell, i]: its lines
    line: NDArray[np.int8]  # [line, i]: its cells
    bits: NDArray[np.int64]  # [line]: its cells
    earned: NDArray[np.int8]  # [what a line holds]
    circle: int  # what one is worth
    printed: NDArray[np.int64]  # [line]: what it is worth when all of it is circled


def make(solo: Knaster) -> KnasterTables:
    grid, throw = solo.grid, solo.next(solo.start())
    dice = throw.dice if isinstance(throw, Throw) else 0
    lines, cells = make_lines(grid), len(grid.cells)
    first = grid.lines[0]

    def ask(numbers: Numbers) -> int:
        """Complete a line of an empty sheet, draw its first circle, and see how many are left."""
        held = dict.fromkeys(grid.cells, FREE) | dict(zip(first.cells, (FREE, *numbers[1:]), strict=True))
        done = solo.act(Sheet(tuple(held.values()), sum=numbers[0]), Write(first.cells[0]))
        return 1 + solo.act(done, Bonus(first, first.cells[0])).left if done.owing else 0

    circle = solo.total(Sheet(grid.empty(), circled=frozenset(grid.cells[:1])))
    whole = [solo.total(Sheet(grid.empty(), circled=frozenset(line.cells))) for line in grid.lines]
    owing = 2 * cells
    return KnasterTables(
        notes=3,
        dice=dice,
        untouched=(1 << (cells + 1)) - 1,
        written=1 << cells,
        numbers=len(NUMBERS),
        lowest=NUMBERS.start,
        owing=owing,
        sum=owing + len(grid.lines),
        serving=owing + len(grid.lines) + 1,
        left=owing + len(grid.lines) + 2,
        last=owing + len(grid.lines) + 3,
        through=lines.through,
        line=lines.cells,
        bits=lines.bits,
        earned=ask_all(grid.side, ask),
        circle=circle,
        printed=np.array([*whole, grid.side * circle]) - grid.side * circle,
    )


def start(t: KnasterTables, sheet: Row, notes: Notes) -> None:
    sheet[:] = 0
    notes[FREE_CELLS] = notes[BARE] = t.untouched
    notes[OWING] = 0


def throw(t: KnasterTables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64:
    state, sheet[t.sum] = thrown(t.dice, t.lowest, state)
    sheet[t.last] = notes[FREE_CELLS] == t.written
    return state


@lean_inline
def earned(t: KnasterTables, sheet: Row, line: int) -> int:
    """How many circles a full line has earned."""
    return t.earned[value(t.line, t.lowest, t.numbers, sheet, line)]


@lean_inline
def write(t: KnasterTables, sheet: Row, notes: Notes, cell: int) -> None:
    """Write the sum; a line that is full now owes what it has earned."""
    free = notes[FREE_CELLS] & ~(1 << cell)
    notes[FREE_CELLS] = free
    sheet[cell] = sheet[t.sum]
    for i in range(t.through.shape[1]):
        line = t.through[cell, i]
        if t.bits[line] & free == 0 and earned(t, sheet, line):
            sheet[t.owing + line] = 1
            notes[OWING] |= 1 << line


@lean_inline
def draw(t: KnasterTables, sheet: Row, notes: Notes, cell: int) -> int:
    """Draw a circle; what it adds to the total."""
    bare, gain = notes[BARE] & ~(1 << cell), t.circle
    notes[BARE] = bare
    sheet[t.through.shape[0] + cell] = 1
    for i in range(t.through.shape[1]):
        line = t.through[cell, i]
        gain += t.printed[line] * (t.bits[line] & bare == 0)
    return gain


@lean_inline
def settle(t: KnasterTables, sheet: Row, notes: Notes, line: int) -> None:
    sheet[t.owing + line] = 0
    notes[OWING] &= ~(1 << line)


@lean_inline
def serve(t: KnasterTables, sheet: Row, notes: Notes, line: int, cell: int) -> int:
    """One circle for a line. What the line owes is settled when its first one is drawn."""
    left = sheet[t.left]
    if sheet[t.serving] == 0:
        left = min(earned(t, sheet, line), ones(t.bits[line] & notes[BARE]))
    gain = draw(t, sheet, notes, cell)
    settle(t, sheet, notes, line)
    if left > 1:
        sheet[t.serving] = line + 1
        sheet[t.left] = left - 1
    else:
        sheet[t.serving] = 0
        sheet[t.left] = 0
        if notes[OWING]:
            for other in range(t.line.shape[0]):
                if t.bits[other] & notes[BARE] == 0:
                    settle(t, sheet, notes, other)
    return gain


def act(t: KnasterTables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:
    cells, (lines, side) = t.through.shape[0], t.line.shape
    gain, bonus = 0, action - 2 * cells
    if action < cells:
        write(t, sheet, notes, action)
    elif bonus < 0:
        gain = draw(t, sheet, notes, action - cells)
    elif bonus < lines * side:
        line = bonus // side
        gain = serve(t, sheet, notes, line, t.line[line, bonus % side])
    sheet[t.sum] = 0
    if sheet[t.serving] or notes[OWING]:
        return gain, PICK
    return gain, OVER if sheet[t.last] else THROW


def show(t: KnasterTables, sheet: Row, notes: Notes, mask: Row) -> None:
    # Into variables first: as far as a compiler knows, whatever is written to a row may change the tables.
    cells, (lines, side) = t.through.shape[0], t.line.shape
    total, serving, last, owing = sheet[t.sum], sheet[t.serving] - 1, sheet[t.last], notes[OWING]
    mask[:] = 0
    if total:
        for cell in range(cells):
            mask[cell] = sheet[cell] == 0
            mask[cells + cell] = (sheet[cell] == total) & (sheet[cells + cell] == 0)
        mask[-1] = last
    else:
        for line in range(lines):
            if line == serving or (serving < 0 and owing >> line & 1):
                for i in range(side):
                    mask[2 * cells + line * side + i] = sheet[cells + t.line[line, i]] == 0


def pick(t: KnasterTables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:
    show_part(t, sheet, notes, mask)
    return nth(mask, below(state, count(mask)))


show_part = lean_inline(show)
