"""A sheet of any game as shapes: the same on a pad, where it is empty, and on a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kasta.games import drawing
from kasta.paper.handwriting import ringed, written
from kasta.paper.shapes import CRAYON, INK, LEAD, PALE, PENCIL, WHITE, Rectangle, Rule, Shape, Text, fitted

DOUBLE = "\N{MULTIPLICATION SIGN}2"
TINT = "#f3efe6"  # of headings and sums


@dataclass(frozen=True, slots=True)
class Style:
    """The colours of a game, and how large its cells or rows are."""

    colour: str
    size: float
    paper: str = WHITE


def grid(drawn: drawing.DrawnGrid, x: float, y: float, style: Style) -> Iterator[Shape]:
    """Cells, with the boxes of lines to the right, below, and at the ends of the diagonals."""
    side, size = len(drawn.columns), style.size

    def end(column: int, row: int, line: drawing.DrawnLine) -> Iterator[Shape]:
        return _end(line, x + column * size, y + row * size, style)

    yield from end(side, 0, drawn.rising)
    for row, (line, cells) in enumerate(zip(drawn.rows, drawn.cells, strict=True), 1):
        for column, cell in enumerate(cells):
            yield from _cell(cell, x + column * size, y + row * size, style)
        yield from end(side, row, line)
    for column, line in enumerate((*drawn.columns, drawn.falling)):
        yield from end(column, side + 1, line)
    yield Rectangle(x, y + size, side * size, side * size, edge=INK, thick=1.2)


def _cell(cell: drawing.DrawnCell, x: float, y: float, style: Style) -> Iterator[Shape]:
    size, middle = style.size, style.size / 2
    yield Rectangle(x, y, size, size, fill=style.paper, edge=PENCIL)
    yield from written(cell.text, x + middle, y + middle, size * 0.56, LEAD)
    if cell.is_circled:
        yield ringed(x + middle, y + middle, size * 0.86, size * 0.86, CRAYON, size * 0.045)


def _end(line: drawing.DrawnLine, x: float, y: float, style: Style) -> Iterator[Shape]:
    """The box of a line, a little smaller than a cell: its points, or what is printed there."""
    size, room = style.size, style.size * 0.12
    text = line.text or (DOUBLE if line.is_double else "")
    inner, edge = size - 2 * room, CRAYON if line.is_earned else PALE
    thick = 1.6 if line.is_earned and line.is_double else 0.8
    yield Rectangle(x + room, y + room, inner, inner, edge=edge, thick=thick, rounded=size * 0.18)
    if line.is_earned:
        yield from written(text, x + size / 2, y + size / 2, size * 0.4, CRAYON)
    elif text:
        yield fitted(inner * 0.85, Text(x + size / 2, y + size / 2, text, size * 0.3, PENCIL, anchor="middle"))


@dataclass(frozen=True, slots=True)
class Columns:
    """Of a block: where labels end, where what a box can bring ends, and how many columns are for players."""

    width: float
    label: float
    worth: float
    players: int

    def edges(self, x: float) -> list[float]:
        """The left edge of each player's column, and the right edge of the last."""
        first = x + self.label + self.worth
        each = (self.width - self.label - self.worth) / self.players
        return [first + number * each for number in range(self.players + 1)]


def block_rows(drawn: drawing.Block) -> int:
    """How many rows a block has, with a heading for each section and the total at its end."""
    return sum(1 + len(section.boxes) + len(section.sums) for section in drawn.sections) + 1


def block(
    drawn: drawing.Block, total: tuple[str, str], x: float, y: float, columns: Columns, style: Style
) -> Iterator[Shape]:
    """Sections one below the other. A box's `text` stands in the first player's column, `pays` before them all."""
    top = y
    for section in drawn.sections:
        yield from _row(section.heading, "", "", x, y, columns, style, is_heading=True)
        y += style.size
        for box in section.boxes:
            yield from _row(box.label[:1].upper() + box.label[1:], box.pays, box.text, x, y, columns, style)
            y += style.size
        for label, text in section.sums:
            texts = (text, "") if columns.worth else ("", text)
            yield from _row(label, *texts, x, y, columns, style, is_sum=True)
            y += style.size
    yield from _row(total[0], "", total[1], x, y, columns, style, is_sum=True, is_total=True)
    y += style.size
    yield Rectangle(x, top, columns.width, y - top, edge=INK, thick=1.2)


def _row(
    label: str,
    worth: str,
    text: str,
    x: float,
    y: float,
    columns: Columns,
    style: Style,
    *,
    is_heading: bool = False,
    is_sum: bool = False,
    is_total: bool = False,
) -> Iterator[Shape]:
    size, middle, edges = style.size, y + style.size / 2, columns.edges(x)
    letters, room = min(style.size * 0.55, 10.0), 4.0
    fill = style.colour if is_heading else TINT if is_sum else style.paper
    colour = WHITE if is_heading else INK
    yield Rectangle(x, y, columns.width, size, fill=fill)
    is_bold = is_heading or is_total
    most = columns.label + (columns.worth if not worth else 0) - 2 * room
    yield fitted(most, Text(x + room, middle, label, letters, colour, is_bold))
    if worth:
        right = edges[0] - room
        yield fitted(columns.worth - room, Text(right, middle, worth, letters * 0.8, PENCIL, anchor="end"))
    if text.isdecimal():
        yield from written(text, (edges[0] + edges[1]) / 2, middle, size * 0.76, LEAD)
    elif text:
        yield Text((edges[0] + edges[1]) / 2, middle, text, letters * 1.1, colour, is_bold, "middle")
    for edge in edges[:-1]:
        yield Rule(edge, y, edge, y + size, PENCIL)
    yield Rule(x, y + size, x + columns.width, y + size, PENCIL)
