"""What a drawing of a sheet holds, for pages and for SVG. Texts are in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tap:
    """What a tap on a cell does when dice fall: `do` is the action, `on` the only sum that allows it, if any."""

    do: str
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid: its name, its number as text, and a `label` for screen readers.

    `tap` lets a page take a throw up without asking: it holds for every sheet that has nothing else to do first.
    """

    name: str
    text: str
    label: str
    is_circled: bool = False
    tap: Tap | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a grid: the `text` in its box, the `hand` it makes, and a `sentence` for screen readers.

    `owes` is the number of circles to be drawn for it now.
    """

    name: str
    text: str  # in the box
    hand: str
    sentence: str
    is_double: bool = False
    is_earned: bool = False
    owes: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows, with the boxes of lines to the right, below, and at the ends of the two diagonals."""

    cells: tuple[tuple[Cell, ...], ...]
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    falling: Line
    rising: Line

    @property
    def lines(self) -> dict[str, Line]:
        """All lines by name."""
        return {line.name: line for line in (*self.rows, *self.columns, self.falling, self.rising)}


@dataclass(frozen=True, slots=True)
class Box:
    """A box for one score; `pays` is what the dice on the table would score there."""

    name: str
    label: str
    text: str
    pays: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Boxes under a heading, with sums below them as label and text."""

    heading: str
    boxes: tuple[Box, ...]
    sums: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Boxes in sections, and the dice on the table; `verb` begins the action that keeps some of them."""

    sections: tuple[Section, ...]
    dice: tuple[int, ...] = ()
    verb: str = ""

    @property
    def boxes(self) -> dict[str, Box]:
        """All boxes by name."""
        return {box.name: box for section in self.sections for box in section.boxes}


@dataclass(frozen=True, slots=True)
class Plain:
    """A sheet as text: the drawing of a game that declares no other."""

    text: str


Drawing = Grid | Block | Plain
"""How a sheet is drawn."""


@dataclass(frozen=True, slots=True)
class Legend:
    """A table beside the sheet: hands, and what they are worth."""

    caption: str
    rows: tuple[tuple[str, str], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where on the drawing an action is done: in a cell (perhaps for a line), in a box, or by choosing dice.

    An action without any of these gets a button of its own.
    """

    cell: str | None = None
    line: str | None = None
    box: str | None = None
    dice: tuple[int, ...] | None = None
