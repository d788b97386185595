"""Knaster as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import Throw
from kasta.env.kernels.lines import FILLED, VALUE, ask_all, make_lines
from kasta.env.kernels.words import OVER, PICK, THROW, Notes, Row, advance, below, face, nth, part
from kasta.games.grid import FREE, NUMBERS, Numbers
from kasta.games.knaster import Bonus, Knaster, Sheet, Write


class KnasterTables(NamedTuple):
    """What the rules answered, and where things stand in a sheet's row.

    Notes: for each line what it holds, how many of its cells are circled, what it has earned; then how many cells
    are written and how many lines owe.
    """

    notes: int
    dice: int
    side: int
    cells: int
    lines: int
    lowest: int
    owing: int  # where these begin in a row
    sum: int
    serving: int
    left: int
    last: int
    count: NDArray[np.int8]
    through: NDArray[np.int8]
    weight: NDArray[np.int32]
    line: NDArray[np.int8]  # [line, i]: its cells
    earned: NDArray[np.int8]  # [what a line holds]
    circle: int  # what one is worth
    printed: NDArray[np.int64]  # [line]


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
        notes=3 * len(grid.lines) + 2,
        dice=dice,
        side=grid.side,
        cells=cells,
        lines=len(grid.lines),
        lowest=NUMBERS.start,
        owing=owing,
        sum=owing + len(grid.lines),
        serving=owing + len(grid.lines) + 1,
        left=owing + len(grid.lines) + 2,
        last=owing + len(grid.lines) + 3,
        count=lines.count,
        through=lines.through,
        weight=lines.weight,
        line=lines.cells,
        earned=ask_all(grid.side, ask),
        circle=circle,
        printed=np.array(whole) - grid.side * circle,
    )


def start(t: KnasterTables, sheet: Row, notes: Notes) -> None:  # noqa: ARG001 - all games alike
    sheet[:] = 0
    notes[:] = 0


def throw(t: KnasterTables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64:
    total = t.lowest
    for _ in range(t.dice):
        state = advance(state)
        total += face(state)
    sheet[t.sum] = total
    sheet[t.last] = notes[3 * t.lines] == t.cells
    return state


@part
def write(t: KnasterTables, sheet: Row, notes: Notes, cell: int) -> None:
    """Write the sum; a line that is full now owes what it has earned."""
    number = sheet[t.sum]
    sheet[cell] = number
    sheet[t.sum] = 0
    notes[3 * t.lines] += 1
    for i in range(t.count[cell]):
        line = t.through[cell, i]
        holds = notes[line] + (number - t.lowest) * t.weight[cell, i] + (1 << FILLED)
        notes[line] = holds
        if holds >> FILLED == t.side and t.earned[holds & VALUE]:
            notes[2 * t.lines + line] = t.earned[holds & VALUE]
            sheet[t.owing + line] = 1
            notes[3 * t.lines + 1] += 1


@part
def draw(t: KnasterTables, sheet: Row, notes: Notes, cell: int) -> int:
    """Draw a circle; what it adds to the total."""
    sheet[t.cells + cell] = 1
    gain = t.circle
    for i in range(t.count[cell]):
        line = t.through[cell, i]
        notes[t.lines + line] += 1
        if notes[t.lines + line] == t.side:
            gain += t.printed[line]
    return gain


@part
def settle(t: KnasterTables, sheet: Row, notes: Notes, line: int) -> None:
    if sheet[t.owing + line]:
        sheet[t.owing + line] = 0
        notes[3 * t.lines + 1] -= 1


@part
def serve(t: KnasterTables, sheet: Row, notes: Notes, line: int, cell: int) -> int:
    """One circle for a line. What the line owes is settled when its first one is drawn."""
    left = sheet[t.left]
    if sheet[t.serving] == 0:
        left = min(notes[2 * t.lines + line], t.side - notes[t.lines + line])
    gain = draw(t, sheet, notes, cell)
    settle(t, sheet, notes, line)
    if left > 1:
        sheet[t.serving] = line + 1
        sheet[t.left] = left - 1
    else:
        sheet[t.serving] = 0
        sheet[t.left] = 0
        for other in range(t.lines):
            if notes[t.lines + other] == t.side:
                settle(t, sheet, notes, other)
    return gain


def act(t: KnasterTables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:
    gain = 0
    bonus = action - 2 * t.cells
    if action < t.cells:
        write(t, sheet, notes, action)
    elif bonus < 0:
        sheet[t.sum] = 0
        gain = draw(t, sheet, notes, action - t.cells)
    elif bonus < t.lines * t.side:
        line = bonus // t.side
        gain = serve(t, sheet, notes, line, t.line[line, bonus % t.side])
    else:
        sheet[t.sum] = 0
    if sheet[t.serving] or notes[3 * t.lines + 1]:
        return gain, PICK
    return gain, OVER if sheet[t.last] else THROW


def allow(t: KnasterTables, sheet: Row, notes: Notes, mask: Row) -> None:  # noqa: ARG001
    mask[:] = 0
    total = sheet[t.sum]
    if total:
        for cell in range(t.cells):
            mask[cell] = sheet[cell] == 0
            mask[t.cells + cell] = (sheet[cell] == total) & (sheet[t.cells + cell] == 0)
        mask[-1] = sheet[t.last]
    else:
        serving = sheet[t.serving] - 1
        for line in range(t.lines):
            if line == serving or (serving < 0 and sheet[t.owing + line]):
                for i in range(t.side):
                    mask[2 * t.cells + line * t.side + i] = sheet[t.cells + t.line[line, i]] == 0


def pick(t: KnasterTables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:
    allow_part(t, sheet, notes, mask)
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    return nth(mask, below(state, count))


allow_part = part(allow)
