"""A square grid as some games have it: cells, lines, and the hands of full lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

from kasta.errors import Unreadable

Numbers = tuple[int, ...]

NUMBERS = range(2, 13)
FREE = 0

HANDS = {
    (2,): "pair",
    (2, 2): "two_pairs",
    (3,): "three_of_a_kind",
    (3, 2): "full_house",
    (4,): "four_of_a_kind",
    (5,): "five_of_a_kind",
}
"""Hands by how often each repeated number occurs."""


@lru_cache(10_000)
def hand(numbers: Numbers) -> str | None:
    """The hand that the numbers of a full line make, in any order; None if they make none."""
    repeats = tuple(sorted((n for n in Counter(numbers).values() if n > 1), reverse=True))
    if not repeats and max(numbers) - min(numbers) == len(numbers) - 1:
        return "straight"
    return HANDS.get(repeats)


class Cell(int):
    """A cell of the grid: an index, counted row by row from the top left, that prints as `c3`."""

    name: str

    def __new__(cls, index: int, name: str) -> Self:
        cell = super().__new__(cls, index)
        cell.name = name
        return cell

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.name

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class Line:
    """A row, a column or a diagonal: its name, and its cells."""

    name: str
    cells: tuple[Cell, ...]

    def __hash__(self) -> int:  # a key of much that is kept
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    @property
    def is_diagonal(self) -> bool:
        """Whether it is one of the two diagonals."""
        return self.name in {"\\", "/"}

    def numbers(self, numbers: Numbers) -> Numbers:
        """The numbers of this line in a grid."""
        return tuple([numbers[cell] for cell in self.cells])


@dataclass(frozen=True)
class Grid:
    """A square of cells. The games have five a side; smaller grids are for proofs."""

    side: int = 5

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row from the top left."""
        names = [f"{letter}{row + 1}" for row in range(self.side) for letter in "abcde"[: self.side]]
        return tuple(Cell(index, name) for index, name in enumerate(names))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Rows, columns, the diagonal from the top left, the one from the top right."""
        cells, side, end = self.cells, self.side, self.side**2
        rows = [Line("12345"[i], cells[i * side : (i + 1) * side]) for i in range(side)]
        columns = [Line("abcde"[i], cells[i::side]) for i in range(side)]
        falling, rising = cells[:: side + 1], cells[side - 1 : end - 1 : side - 1]
        return (*rows, *columns, Line("\\", falling), Line("/", rising))

    @cached_property
    def through(self) -> tuple[tuple[Line, ...], ...]:
        """The lines that each cell lies on."""
        return tuple(tuple(line for line in self.lines if cell in line.cells) for cell in self.cells)

    @cached_property
    def cell_named(self) -> dict[str, Cell]:
        """Cells by name: `a1` to `e5`."""
        return {cell.name: cell for cell in self.cells}

    @cached_property
    def line_named(self) -> dict[str, Line]:
        """Lines by name."""
        return {line.name: line for line in self.lines}

    def empty(self) -> Numbers:
        """A grid without numbers."""
        return (FREE,) * len(self.cells)

    def read_cell(self, text: str) -> Cell:
        """The cell of that name; `Unreadable` where there is none."""
        try:
            return self.cell_named[text]
        except KeyError:
            raise Unreadable("unknown_cell", text=text, last=self.cells[-1]) from None

    def read(self, text: str) -> tuple[Numbers, frozenset[Cell]]:
        """The numbers of a grid written as text, and its circled cells."""
        lines = text.rstrip().splitlines()
        rows = text.strip().splitlines()  # a text in triple quotes begins with an empty line
        above = len(lines) - len(rows)
        if len(rows) != self.side:
            raise Unreadable("wrong_number_of_rows", rows=self.side, found=len(rows), line=len(lines) + 1)
        found = [_read_row(row, self.side, line) for line, row in enumerate(rows, above + 1)]
        numbers, circled = zip(*[cell for row in found for cell in row], strict=True)
        return numbers, frozenset(cell for cell in self.cells if circled[cell])

    def write(self, numbers: Numbers, circled: Iterable[Cell] = ()) -> str:
        """The grid as text: `.` for a free cell, `(7)` for a circled 7."""
        shown = [str(number or ".") for number in numbers]
        for cell in circled:
            shown[cell] = f"({shown[cell]})"
        return "".join(
            " ".join(text.rjust(4 if circled else 2) for text in shown[i : i + self.side]) + "\n"
            for i in range(0, len(shown), self.side)
        )


def _read_row(row: str, side: int, line: int) -> list[tuple[int, bool]]:
    texts = row.split()
    if len(texts) != side:
        raise Unreadable("wrong_number_of_cells", cells=side, found=len(texts), line=line)
    return [_read_number(text, line) for text in texts]


def _read_number(text: str, line: int) -> tuple[int, bool]:
    if text == ".":
        return FREE, False
    match = re.fullmatch(r"(\(?)([1-9][0-9]?)(\)?)", text, re.ASCII)
    if not match or bool(match[1]) != bool(match[3]) or int(match[2]) not in NUMBERS:
        raise Unreadable("unknown_number", text=text, line=line)
    return int(match[2]), bool(match[1])


def written(numbers: Numbers, cell: Cell, number: int) -> Numbers:
    """The grid with one more number."""
    return (*numbers[:cell], number, *numbers[cell + 1 :])
