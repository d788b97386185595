"""Knaster as numbers: its sheets and actions, and what it can come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

from kasta.env.bounds import Bounds
from kasta.env.coding import Coding
from kasta.games.grid import NUMBERS, Grid
from kasta.games.knaster import CIRCLES, Action, Bonus, Circle, Knaster, Pass, Sheet, Write


def coding(solo: Knaster) -> Coding[Sheet, Action]:
    cells, lines = solo.grid.cells, solo.grid.lines
    writes, circles = map(Write, cells), map(Circle, cells)
    bonuses = (Bonus(line, cell) for line in lines for cell in line.cells)
    most, number = max(CIRCLES.values()), NUMBERS.stop  # 0 for none, else the number
    return Coding(
        solo=solo,
        actions=(*writes, *circles, *bonuses, Pass()),
        names=(
            *(str(cell) for cell in cells),
            *(f"({cell})" for cell in cells),
            *(f"owing {line}" for line in lines),
            *("sum", "serving", "left", "last"),
        ),
        sizes=(number,) * len(cells) + (2,) * (len(cells) + len(lines)) + (number, 1 + len(lines), most, 2),
        to_row=partial(_to_row, solo.grid),
        to_sheet=partial(_to_sheet, solo.grid),
        thrown=lambda sheet: (sheet.sum or 0,),
    )


def _to_row(grid: Grid, sheet: Sheet) -> Sequence[int]:
    serving = 0 if sheet.serving is None else 1 + grid.lines.index(sheet.serving)
    circled = [cell in sheet.circled for cell in grid.cells]
    owing = [line in sheet.owing for line in grid.lines]
    return (*sheet.numbers, *circled, *owing, sheet.sum or 0, serving, sheet.left, sheet.last)


def _to_sheet(grid: Grid, row: Sequence[int]) -> Sheet:
    n = len(grid.cells)
    numbers, circled, owing, (total, serving, left, last) = row[:n], row[n : 2 * n], row[2 * n : -4], row[-4:]
    return Sheet(
        numbers=tuple(numbers),
        circled=frozenset(compress(grid.cells, circled)),
        sum=total or None,
        serving=grid.lines[serving - 1] if serving else None,
        left=left,
        owing=tuple(compress(grid.lines, owing)),
        last=bool(last),
    )


def bounds(solo: Knaster) -> Bounds:
    """At best all is circled, at worst nothing. Every cell is written once, circled once, and then comes a pass.

    The longest game has no bonus circles: all but one cell written, all these circled, the last one written, and
    the last throw.
    """
    cells = solo.grid.cells
    empty = solo.start()
    whole = replace(empty, circled=frozenset(cells))
    return Bounds(solo.total(empty), solo.total(whole), actions=2 * len(cells) + 1, throws=2 * len(cells))
