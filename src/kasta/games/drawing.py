"""The parts of a drawing of a sheet, for pages and for SVG. Texts are in the reader's language."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from kasta.i18n import Words


def die_signs(faces: Iterable[int]) -> str:
    """Dice within a sentence, each as one letter that shows its pips: pages draw them."""
    return "".join(chr(ord("\N{DIE FACE-1}") - 1 + face) for face in faces)


@dataclass(frozen=True, slots=True)
class Tap:
    """The action of a tap on a cell: `do` is its notation, `on` the only sum that allows it, if any."""

    do: str
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Feast:
    """Something to be glad of: a tick (1), a smile (2), a small feast (3) or a big one (4), and its call."""

    size: int
    call: str


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell of a grid: its name, its number as text, and a `label` for screen readers.

    `tap` lets a page take a throw up without asking: it holds for every sheet that has nothing else to do first.
    """

    name: str
    text: str
    label: str
    is_circled: bool = False
    tap: Tap | None = None

    @property
    def letters(self) -> str:
        """How it looks in a text."""
        return f"({self.text})" if self.is_circled else f"{self.text or '.'} "


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of a grid: the `text` in its box, the `hand` it makes, and a `sentence` for screen readers.

    `owes` is the number of circles to draw for it now; `receipt` is its sentence when it is new: "Row 4: pair".
    """

    name: str
    text: str  # in the box
    hand: str
    sentence: str
    is_double: bool = False
    is_earned: bool = False
    owes: int = 0
    feast: Feast | None = None
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class DrawnGrid:
    """Cells in rows, with the boxes of lines to the right, below, and at the ends of the two diagonals."""

    cells: tuple[tuple[DrawnCell, ...], ...]
    rows: tuple[DrawnLine, ...]
    columns: tuple[DrawnLine, ...]
    falling: DrawnLine
    rising: DrawnLine
    dice: ClassVar[tuple[int, ...]] = ()  # none stay on the table
    verb: ClassVar[str] = ""
    costs: ClassVar[str] = ""

    @property
    def lines(self) -> dict[str, DrawnLine]:
        """All lines by name."""
        return {line.name: line for line in (*self.rows, *self.columns, self.falling, self.rising)}

    def along(self, line: DrawnLine) -> tuple[DrawnCell, ...]:
        """The cells of a line."""
        falling = tuple(row[number] for number, row in enumerate(self.cells))
        rising = tuple(row[-1 - number] for number, row in enumerate(self.cells))
        cells = (*self.cells, *zip(*self.cells, strict=True), falling, rising)
        return dict(zip(self.lines, cells, strict=True))[line.name]

    def rows_of_text(self) -> Iterator[str]:
        """The grid made of letters, line by line."""
        wide = 5
        yield " " * wide * (len(self.columns) + 1) + self.rising.text.rjust(wide)
        for cells, line in zip(self.cells, self.rows, strict=True):
            yield "".join(cell.letters.rjust(wide) for cell in cells) + line.text.rjust(2 * wide)
        ends = [f"{line.text} ".rjust(wide) for line in self.columns]
        yield "".join(ends) + self.falling.text.rjust(2 * wide)

    def sentences(self, words: Words) -> Iterator[str]:
        """Its rows, its other lines where they are full, its circles."""
        yield from (line.sentence for line in self.rows)
        yield from (line.sentence for line in (*self.columns, self.falling, self.rising) if line.hand)
        if circled := [cell.name for cells in self.cells for cell in cells if cell.is_circled]:
            yield words.say("Circled: {cells}", cells=", ".join(circled))


@dataclass(frozen=True, slots=True)
class Box:
    """A box for one score; `pays` is the score that the dice on the table would make there."""

    name: str
    label: str
    text: str
    pays: str = ""
    feast: Feast | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Boxes under a heading, with sums below them as label and text."""

    heading: str
    boxes: tuple[Box, ...]
    sums: tuple[tuple[str, str], ...] = ()

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Labels and texts of its boxes, then of its sums."""
        return [*((box.label, box.text) for box in self.boxes), *self.sums]


@dataclass(frozen=True, slots=True)
class Block:
    """Boxes in sections, and the dice on the table; `verb` begins the action that keeps some of them.

    `costs` is the price of throwing the others again, such as a throw that was saved; their button shows it.
    """

    sections: tuple[Section, ...]
    dice: tuple[int, ...] = ()
    verb: str = ""
    costs: str = ""

    @property
    def boxes(self) -> dict[str, Box]:
        """All boxes by name."""
        return {box.name: box for section in self.sections for box in section.boxes}

    def filled_since(self, old: Block) -> list[Box]:
        """The boxes in which nothing stood when the block was drawn before."""
        before = old.boxes
        return [box for name, box in self.boxes.items() if box.text and not before[name].text]

    def only(self, names: Container[str]) -> Block:
        """The block without other boxes, without sections of which none is left, and without empty sums."""
        sections = []
        for section in self.sections:
            boxes = tuple(box for box in section.boxes if box.name in names)
            sums = tuple((label, text) for label, text in section.sums if text)
            sections += [Section(section.heading, boxes, sums)] if boxes else []
        return replace(self, sections=tuple(sections))

    def rows_of_text(self) -> Iterator[str]:
        """The block made of letters, line by line."""
        for section in self.sections:
            yield section.heading
            yield from (f"  {label:<30}{text:>10}" for label, text in section.rows)

    def sentences(self, words: Words) -> Iterator[str]:
        """The boxes that are filled, section by section."""
        for section in self.sections:
            filled = [f"{label} {text}" for label, text in section.rows if text]
            yield f"{section.heading}: {', '.join(filled) or words.say('free')}"


@dataclass(frozen=True, slots=True)
class Plain:
    """A sheet as text: the drawing of a game that declares no other."""

    text: str
    dice: ClassVar[tuple[int, ...]] = ()
    verb: ClassVar[str] = ""
    costs: ClassVar[str] = ""

    def rows_of_text(self) -> Iterator[str]:
        """The text, line by line."""
        yield from self.text.splitlines()

    def sentences(self, words: Words) -> Iterator[str]:
        """The text in one line."""
        yield ", ".join(self.text.split())


Drawing = DrawnGrid | Block | Plain
"""How a sheet is drawn."""

Cell = DrawnCell  # this and the next two: as games of others may still call them
Line = DrawnLine
Grid = DrawnGrid


def rows_of_text(drawing: Drawing) -> Iterator[str]:
    """A drawing made of letters, line by line."""
    return drawing.rows_of_text()


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

    @property
    def place(self) -> str:
        """The name of the cell or box; "" if it is neither."""
        return self.cell or self.box or ""
