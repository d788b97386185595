"""Knister as numbers: its sheets and actions, and what it can come to."""

from __future__ import annotations

from kasta.env.bounds import Bounds
from kasta.env.coding import Coding
from kasta.games.grid import NUMBERS, Cell, Grid, Numbers
from kasta.games.knister import Knister, Sheet


def coding(solo: Knister) -> Coding[Sheet, Cell]:
    cells = solo.grid.cells
    return Coding(
        solo=solo,
        actions=cells,
        names=(*map(str, cells), "sum"),
        sizes=(NUMBERS.stop,) * (len(cells) + 1),  # 0 for none, else the number
        to_row=lambda sheet: (*sheet.numbers, sheet.sum or 0),
        to_sheet=lambda row: Sheet(tuple(row[:-1]), row[-1] or None),
        thrown=lambda sheet: (sheet.sum or 0,),
    )


def bounds(solo: Knister) -> Bounds:
    """All lines at their best is all of them straights without a 7, at their worst none of them anything."""
    lowest = NUMBERS.start
    straights = tuple(range(lowest, lowest + solo.grid.side))
    nothing = (*straights[:-1], straights[-1] + 1)
    least, most = (solo.total(Sheet(_all_lines(solo.grid, numbers))) for numbers in (nothing, straights))
    return Bounds(least, most, actions=len(solo.grid.cells), throws=len(solo.grid.cells))


def _all_lines(grid: Grid, numbers: Numbers) -> Numbers:
    """A grid with these numbers in every line, whose side is odd and no multiple of three."""
    side = grid.side
    return tuple(numbers[(column + 2 * row) % side] for row in range(side) for column in range(side))
