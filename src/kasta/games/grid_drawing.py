"""How sheets on a grid are drawn and said: what the games on one have in common."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from kasta.games import drawing
from kasta.games.grid import Cell, Grid, Line, Numbers
from kasta.i18n import Words


def draw_grid(
    grid: Grid, numbers: Numbers, circled: Collection[Cell], line: Callable[[Line], drawing.Line], words: Words
) -> drawing.Grid:
    """A grid with its numbers and circles; `line` draws each of its lines."""
    cells = [_cell(cell, numbers[cell], cell in circled, words) for cell in grid.cells]
    lines, side = [line(each) for each in grid.lines], grid.side
    return drawing.Grid(
        cells=tuple(tuple(cells[i : i + side]) for i in range(0, len(cells), side)),
        rows=tuple(lines[:side]),
        columns=tuple(lines[side : 2 * side]),
        falling=lines[-2],
        rising=lines[-1],
    )


def _cell(cell: Cell, number: int, is_circled: bool, words: Words) -> drawing.Cell:  # noqa: FBT001
    what = str(number) if number else words.say("free")
    if is_circled:
        what = words.say("{number}, circled", number=number)
    return drawing.Cell(str(cell), str(number or ""), f"{cell}: {what}", is_circled)


def sentence(line: Line, numbers: Sequence[int], rest: str, words: Words) -> str:
    """A line read aloud: which one it is, what stands in it, and what that is."""
    shown = ", ".join(str(number) if number else words.say("free") for number in numbers)
    return f"{line_name(line, words)}: {shown}" + (f"; {rest}" if rest else "")


def line_name(line: Line, words: Words) -> str:
    match line.name:
        case "\\":
            return words.say("Diagonal from the top left")
        case "/":
            return words.say("Diagonal from the top right")
        case digit if digit.isdigit():
            return words.say("Row {number}", number=digit)
        case letter:
            return words.say("Column {letter}", letter=letter)


def points(number: int, words: Words) -> str:
    return words.count("{number} point", "{number} points", number)
