"""Knister as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import Throw
from kasta.env.kernels.lines import FILLED, VALUE, ask_all, make_lines
from kasta.env.kernels.words import OVER, THROW, Notes, Row, advance, below, face, nth_bit
from kasta.games.grid import NUMBERS, Numbers
from kasta.games.knister import Knister, Sheet


class KnisterTables(NamedTuple):
    """What the rules answered. Notes: a number for each line, then the free cells as bits."""

    notes: int
    dice: int
    side: int
    cells: int
    lines: int
    lowest: int  # number that dice can show
    count: NDArray[np.int8]
    through: NDArray[np.int8]
    weight: NDArray[np.int32]
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
        notes=len(grid.lines) + 1,
        dice=dice,
        side=grid.side,
        cells=len(grid.cells),
        lines=len(grid.lines),
        lowest=NUMBERS.start,
        count=lines.count,
        through=lines.through,
        weight=lines.weight,
        points=np.concatenate([straight, diagonal]),
        kind=np.array([len(straight) * line.is_diagonal for line in grid.lines], np.int32),
    )


def start(t: KnisterTables, sheet: Row, notes: Notes) -> None:
    sheet[:] = 0
    notes[:] = 0
    notes[t.lines] = (1 << t.cells) - 1


def throw(t: KnisterTables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64:  # noqa: ARG001 - all games alike
    total = t.lowest
    for _ in range(t.dice):
        state = advance(state)
        total += face(state)
    sheet[t.cells] = total
    return state


def act(t: KnisterTables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:
    number = sheet[t.cells]
    sheet[action] = number
    sheet[t.cells] = 0
    free = notes[t.lines] & ~(1 << action)
    notes[t.lines] = free
    gain = 0
    for i in range(t.count[action]):
        line = t.through[action, i]
        holds = notes[line] + (number - t.lowest) * t.weight[action, i] + (1 << FILLED)
        notes[line] = holds
        if holds >> FILLED == t.side:
            gain += t.points[t.kind[line] + (holds & VALUE)]
    return gain, THROW if free else OVER


def allow(t: KnisterTables, sheet: Row, notes: Notes, mask: Row) -> None:  # noqa: ARG001
    for cell in range(t.cells):
        mask[cell] = sheet[cell] == 0


def pick(t: KnisterTables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:  # noqa: ARG001
    free = notes[t.lines]
    count = 0
    left = free
    while left:
        left &= left - 1
        count += 1
    return nth_bit(free, below(state, count))
