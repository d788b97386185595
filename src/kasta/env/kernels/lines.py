"""What the rules say of every full line of a grid, found by a number that grows as the line fills."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.games.grid import NUMBERS, Grid, Numbers

FILLED = 20  # a line's number counts from this bit on how many of its cells are written
VALUE = (1 << FILLED) - 1  # and holds below it what they are


class Lines(NamedTuple):
    """Which lines each cell lies on, and what it is worth in their numbers."""

    count: NDArray[np.int8]  # [cell]
    through: NDArray[np.int8]  # [cell, i]
    weight: NDArray[np.int32]  # [cell, i]
    cells: NDArray[np.int8]  # [line, i]


def make_lines(grid: Grid) -> Lines:
    most = max(map(len, grid.through))
    through, weight = np.zeros((len(grid.cells), most), np.int8), np.zeros((len(grid.cells), most), np.int32)
    for cell in grid.cells:
        for i, line in enumerate(grid.through[cell]):
            through[cell, i] = grid.lines.index(line)
            weight[cell, i] = len(NUMBERS) ** line.cells.index(cell)
    return Lines(
        count=np.array([len(lines) for lines in grid.through], np.int8),
        through=through,
        weight=weight,
        cells=np.array([line.cells for line in grid.lines], np.int8),
    )


def ask_all(side: int, ask: Callable[[Numbers], int]) -> NDArray[np.int8]:
    """What the rules answer for a line of these numbers, by its number; the order in the line makes no difference."""
    hands = list(combinations_with_replacement(NUMBERS, side))
    answers = np.array([ask(numbers) for numbers in hands], np.int8)
    digits = np.array(hands) - NUMBERS.start
    table = np.zeros(len(NUMBERS) ** side, np.int8)
    for order in permutations(range(side)):
        table[digits[:, order] @ (len(NUMBERS) ** np.arange(side))] = answers
    return table
