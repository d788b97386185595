"""Knister as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import Throw
from kasta.env.kernels.lines import ask_all, make_lines, thrown, value
from kasta.env.kernels.words import OVER, THROW, Notes, Row, below
from kasta.games.grid import NUMBERS, Numbers
from kasta.games.knister import Knister, Sheet


class KnisterTables(NamedTuple):
    """What the rules answered. Notes: the free cells as bits, and how many there are."""

    notes: int
    dice: int
    side: int
    cells: int
    numbers: int  # how many different ones there are
    lowest: int  # of them
    through: NDArray[np.int8]
    line: NDArray[np.int8]  # [line, i]: its cells
    bits: NDArray[np.int64]  # [line]: its cells
    points: NDArray[np.int8]  # [what kind of line and what it holds]
    kind: NDArray[np.int32]  # [line]: where the points of its kind begin


def make(solo: Knister) -> KnisterTables:
    grid, throw = solo.grid, solo.next(solo.start())
    dice = throw.dice if isinstance(throw, Throw) else 0
    lines = make_lines(grid)

    def alone(line: int) -> NDArray[np.int8]:
        def ask(numbers: Numbers) -> int:
            sheet = dict.fromkeys(grid.cells, 0) | dict(zip(grid.lines[line].cells, numbers, strict=True))
            return solo.total(Sheet(tuple(sheet.values())))

        return ask_all(grid.side, ask)

    straight, diagonal = alone(0), alone(len(grid.lines) - 1)
    return KnisterTables(
        notes=2,
        dice=dice,
        side=grid.side,
        cells=len(grid.cells),
        numbers=len(NUMBERS),
        lowest=NUMBERS.start,
        through=lines.through,
        line=lines.cells,
        bits=lines.bits,
        points=np.concatenate([straight, diagonal]),
        kind=np.array([len(straight) * line.is_diagonal for line in grid.lines], np.int32),
    )


def start(t: KnisterTables, sheet: Row, notes: Notes) -> None:
    sheet[:] = 0
    notes[0] = (1 << (t.cells + 1)) - 1  # and one cell that is never written: see Lines
    notes[1] = t.cells


def throw(t: KnisterTables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64:
    state, sheet[t.cells] = thrown(t.dice, t.lowest, state)
    return state


def act(t: KnisterTables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:
    cells, left = t.cells, notes[1] - 1
    sheet[action] = sheet[cells]
    sheet[cells] = 0
    free = notes[0] & ~(1 << action)
    notes[0] = free
    notes[1] = left
    gain = 0
    for i in range(
        t.through.shape[1]
    ):  # always as many: a cell on fewer lines also lies on one that is never full
        line = t.through[action, i]
        if t.bits[line] & free == 0:
            gain += t.points[t.kind[line] + value(t.line, t.lowest, t.numbers, sheet, line)]
    return gain, THROW if left else OVER


def show(t: KnisterTables, sheet: Row, notes: Notes, mask: Row) -> None:
    for cell in range(len(mask)):
        mask[cell] = sheet[cell] == 0


def pick(t: KnisterTables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:
    """The mask holds the free cells, in any order: what the next choice is made of need not wait for this one."""
    free = notes[1]
    if free == t.cells:
        for cell in range(t.cells):
            mask[cell] = cell
    chosen = below(state, free)
    cell = mask[chosen]
    mask[chosen] = mask[free - 1]
    return cell
