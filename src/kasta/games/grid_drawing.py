"""How sheets on a grid are drawn and said: what the games on one have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from kasta.games import drawing
from kasta.games.grid import Cell, Grid, Line
from kasta.i18n import Words

MOST_LINES = 20_000  # that are kept: all sheets share them


def draw_grid(
    grid: Grid, cell: Callable[[Cell], drawing.DrawnCell], line: Callable[[Line], drawing.DrawnLine]
) -> drawing.DrawnGrid:
    """A grid; `cell` and `line` draw each of its cells and lines."""
    cells, lines, side = [cell(each) for each in grid.cells], [line(each) for each in grid.lines], grid.side
    return drawing.DrawnGrid(
        cells=tuple(tuple(cells[i : i + side]) for i in range(0, len(cells), side)),
        rows=tuple(lines[:side]),
        columns=tuple(lines[side : 2 * side]),
        falling=lines[-2],
        rising=lines[-1],
    )


@cache
def free_cell(name: str, words: Words) -> drawing.DrawnCell:
    """A cell that any number may be written into."""
    return drawing.DrawnCell(name, "", f"{name}: {words.say('free')}", tap=drawing.Tap(name))


@cache
def written_cell(name: str, number: int, tap: drawing.Tap | None = None) -> drawing.DrawnCell:
    """A cell with a number."""
    return drawing.DrawnCell(name, str(number), f"{name}: {number}", tap=tap)


@cache
def circled_cell(name: str, number: int, words: Words) -> drawing.DrawnCell:
    """A cell with a number in a circle."""
    what = words.say("{number}, circled", number=number)
    return drawing.DrawnCell(name, str(number), f"{name}: {what}", is_circled=True)


def sentence(line: Line, numbers: Sequence[int], rest: str, words: Words) -> str:
    """A line read aloud: which one it is, what stands in it, and what that is."""
    shown = ", ".join(str(number) if number else words.say("free") for number in numbers)
    return f"{line_name(line, words)}: {shown}" + (f"; {rest}" if rest else "")


def line_receipt(line: Line, rest: str, words: Words) -> str:
    """What is told of a line when it is full, or has its points."""
    return words.say("{line}: {rest}", line=line_name(line, words), rest=rest) if rest else ""


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
