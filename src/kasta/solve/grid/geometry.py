"""The lines of a square grid as arrays for kernels: which cells they have, where they cross, which are alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np

from kasta.core import FACES
from kasta.games.grid import NUMBERS, Grid
from kasta.solve.jit import lean_inline
from kasta.solve.types import Floats, Ints

NONE = -1

EMPTY = 0  # the symbol of a free cell; numbers have the symbols from 1
SYMBOLS = 1 + len(NUMBERS)

# How two lines cross in a cell, as seen from the first: row and column off or on the diagonals, a row or column
# with a diagonal, a diagonal with a row or column. Two diagonals do not count: one cell alone would know of them.
OFF_DIAGONALS, ON_DIAGONAL, WITH_DIAGONAL, AS_DIAGONAL = range(4)
CROSSINGS = 3  # of one line, in one cell, at most
PAIRS = 6  # of lines in one cell, at most


class Geometry(NamedTuple):
    """A grid for kernels. Lists are filled up with NONE."""

    cells_of: Ints  # [line, place]
    lines_of: Ints  # [cell, i]
    count_of: Ints  # [cell]: how many lines
    place_of: Ints  # [line, cell]
    kind_of: Ints  # [line]: lines of one kind are worth the same wherever they are
    crossing: Ints  # [line, place, i]: the other line
    crossing_kind: Ints  # [line, place, i]
    pairs_of: Ints  # [cell, i]: first line, second line, how they cross
    crossing_of: Ints  # [cell, i]: the second line among those that the first one crosses here, and vice versa


def symbol(number: int) -> int:
    return number - NUMBERS.start + 1


def sums() -> Ints:
    """The symbol of each of the equally likely throws of two dice."""
    return np.array([symbol(sum(faces)) for faces in product(FACES, repeat=2)])


def chances() -> Floats:
    """How likely each symbol is thrown."""
    counts = np.bincount(sums(), minlength=SYMBOLS)
    return np.asarray(counts / counts.sum())


def symmetries(grid: Grid, worth: Sequence[Hashable]) -> Iterator[list[int]]:
    """Ways to move the cells about so that lines stay lines that are worth the same: where each line goes."""
    side, number = grid.side, {frozenset(line.cells): number for number, line in enumerate(grid.lines)}
    square = np.arange(side**2).reshape(side, side)
    for order in map(list, permutations(range(side))):
        for columns, axes in product((order, order[::-1]), ((0, 1), (1, 0))):
            moved = square[order][:, columns].transpose(axes).ravel()  # which cell comes to each place
            images = [frozenset(moved[list(line.cells)].tolist()) for line in grid.lines]
            found = [number[image] for image in images if image in number]
            if [worth[line] for line in found] == list(worth):
                yield found


def kinds(grid: Grid, worth: Sequence[Hashable]) -> list[int]:
    """Numbers for lines: equal where a symmetry takes one to the other."""
    first = [min(images) for images in zip(*symmetries(grid, worth), strict=True)]
    return [sorted(set(first)).index(line) for line in first]


def geometry(grid: Grid, worth: Sequence[Hashable]) -> Geometry:
    lines, cells, side = grid.lines, grid.cells, grid.side
    lines_of = np.full((len(cells), 4), NONE)
    place_of = np.full((len(lines), len(cells)), NONE)
    crossing, crossing_kind = np.full((2, len(lines), side, CROSSINGS), NONE)
    pairs_of, crossing_of = np.full((len(cells), PAIRS, 3), NONE), np.full((len(cells), PAIRS, 2), NONE)
    for cell, through in zip(cells, grid.through, strict=True):
        own = [lines.index(line) for line in through]
        lines_of[cell, : len(own)] = own
        place_of[own, cell] = [line.cells.index(cell) for line in through]
        pairs = [pair for pair in combinations(own, 2) if _crossing(*pair, grid) != NONE]
        crossed = dict.fromkeys(own, 0)  # how many lines each one has crossed here
        for at, (one, two) in enumerate(pairs):
            pairs_of[cell, at] = one, two, _crossing(one, two, grid)
            crossing_of[cell, at] = crossed[one], crossed[two]
            for line, other in ((one, two), (two, one)):
                here = line, place_of[line, cell], crossed[line]
                crossing[here], crossing_kind[here] = other, _crossing(line, other, grid)
                crossed[line] += 1
    return Geometry(
        cells_of=np.array([line.cells for line in lines]),
        lines_of=lines_of,
        count_of=(lines_of != NONE).sum(axis=1),
        place_of=place_of,
        kind_of=np.array(kinds(grid, worth)),
        crossing=crossing,
        crossing_kind=crossing_kind,
        pairs_of=pairs_of,
        crossing_of=crossing_of,
    )


def _crossing(one: int, two: int, grid: Grid) -> int:
    """How two lines cross, NONE if both are diagonals."""
    first, second = grid.lines[one], grid.lines[two]
    match first.is_diagonal, second.is_diagonal:
        case True, True:
            return NONE
        case True, False:
            return AS_DIAGONAL
        case False, True:
            return WITH_DIAGONAL
    cell = next(cell for cell in first.cells if cell in second.cells)
    return ON_DIAGONAL if any(line.is_diagonal for line in grid.through[cell]) else OFF_DIAGONALS


def pairs_count(contents: int) -> int:
    """How many pairs of crossing lines there are, if so many contents are distinguished."""
    return contents * (contents + 1) + contents**2


@lean_inline
def pair(contents: int, kind: int, own: int, other: int) -> int:
    """The number of a pair of lines: how they cross, and what stands in their other cells."""
    if kind <= ON_DIAGONAL:
        more, less = max(own, other), min(own, other)
        return ((kind * contents * (contents + 1)) + more * (more + 1)) // 2 + less
    if kind == WITH_DIAGONAL:
        return contents * (contents + 1) + own * contents + other
    return contents * (contents + 1) + other * contents + own
