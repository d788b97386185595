"""What the rules say of every full line of a grid, found by one number for all that stands in it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.env.kernels.words import Row, die
from kasta.games.grid import NUMBERS, Grid, Numbers
from kasta.solve.jit import lean_inline


class Lines(NamedTuple):
    """Which lines each cell lies on, and which cells on each line.

    All cells are said to lie on as many lines: what is missing is one more line, with one more cell that nobody
    writes. So a kernel need not count, which is slower than to look at a line in vain.
    """

    on: NDArray[np.int8]  # [cell]: how many lines it really lies on
    through: NDArray[np.int8]  # [cell, i]
    cells: NDArray[np.int8]  # [line, i]
    bits: NDArray[np.int64]  # [line]: the cells once more


def make_lines(grid: Grid) -> Lines:
    through = np.full((len(grid.cells), max(map(len, grid.through))), len(grid.lines), np.int8)
    for cell in grid.cells:
        numbers = [grid.lines.index(line) for line in grid.through[cell]]
        through[cell, : len(numbers)] = numbers
    return Lines(
        on=np.array([len(lines) for lines in grid.through], np.int8),
        through=through,
        cells=np.array([line.cells for line in grid.lines], np.int8),
        bits=np.array([*(sum(1 << cell for cell in line.cells) for line in grid.lines), 1 << len(grid.cells)]),
    )


def ask_all(side: int, ask: Callable[[Numbers], int]) -> NDArray[np.int8]:
    """What the rules answer for every full line, by its number. Hands count in any order: one is asked about."""
    hands = list(combinations_with_replacement(NUMBERS, side))
    answers = np.array([ask(numbers) for numbers in hands], np.int8)
    digits = np.array(hands) - NUMBERS.start
    table = np.zeros(len(NUMBERS) ** side, np.int8)
    for order in permutations(range(side)):
        table[digits[:, order] @ (len(NUMBERS) ** np.arange(side))] = answers
    return table


@lean_inline
def thrown(dice: int, lowest: int, state: np.uint64) -> tuple[np.uint64, int]:
    """The stream after a throw of so many dice, and their sum, of which this is the lowest."""
    total, word = lowest, state
    for i in range(dice):
        state, word, face = die(state, word, i)
        total += face
    return state, total


@lean_inline
def value(cells: NDArray[np.int8], lowest: int, numbers: int, sheet: Row, line: int) -> int:
    """The number of what stands in a full line."""
    found = 0
    for i in range(cells.shape[1]):
        found = found * numbers + (sheet[cells[line, i]] - lowest)
    return found
