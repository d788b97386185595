"""A finished sheet as a picture to show to others: its total and what that is called, and nobody's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kasta.draw import COLOURS
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.paper.shapes import INK, PENCIL, WHITE, Rectangle, Shape, Text, fitted
from kasta.paper.sheets import Columns, Style, block, block_rows, grid

WIDTH, BAND, MARGIN = 360.0, 46.0, 20.0
ROW, TOTAL, LINE = 19.0, 44.0, 18.0
CREAM = "#f6f1e7"


@dataclass(frozen=True, slots=True)
class CardResult:
    """What a picture tells of a finished sheet; `link` is where others can play."""

    game: AnyGame
    drawn: drawing.Drawing
    total: int
    told: tuple[str, ...]  # one line each: the verdict, the place, what a ghost made of the same dice
    link: str


@dataclass(frozen=True, slots=True)
class Card:
    """A picture; `title` says what it shows."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


def card(result: CardResult, words: Words) -> Card:
    """The picture of a result."""
    traits, colour = result.game.traits, COLOURS[result.game.traits.theme]
    heading, inner = traits.heading(words), WIDTH - 2 * MARGIN
    sheet, below = _sheet(result, words, Style(colour, ROW), BAND + MARGIN)
    points = words.count("{number} point", "{number} points", result.total)
    number, rest = str(result.total), points.replace(str(result.total), "", 1).strip()
    big = Text(MARGIN, below + TOTAL / 2, number, TOTAL, colour, bold=True)
    left = MARGIN + big.width + 10
    shapes: list[Shape] = [
        Rectangle(0, 0, WIDTH, BAND, fill=colour),
        fitted(inner * 0.75, Text(MARGIN, BAND / 2, heading, 20, WHITE, bold=True)),
        Text(WIDTH - MARGIN, BAND / 2, "Kasta", 13, WHITE, anchor="end"),
        *sheet,
        big,
    ]
    for row, line in enumerate((rest, *result.told)):
        shapes.append(fitted(WIDTH - MARGIN - left, Text(left, below + 8 + row * LINE, line, 13, INK)))
    below += max(TOTAL, 8 + (len(result.told) + 1) * LINE) + MARGIN * 0.8
    shapes.append(fitted(inner, Text(MARGIN, below, result.link, 9, PENCIL)))
    height = below + MARGIN
    title = ". ".join([f"{heading}: {points}", *result.told])
    return Card(WIDTH, height, title, (Rectangle(0, 0, WIDTH, height, fill=CREAM), *shapes))


def _sheet(result: CardResult, words: Words, style: Style, y: float) -> tuple[list[Shape], float]:
    """The sheet's shapes, and where they end."""
    inner = WIDTH - 2 * MARGIN
    match result.drawn:
        case drawing.DrawnGrid() as drawn:
            side = len(drawn.columns)
            style = Style(style.colour, inner / (side + 1))
            return [*grid(drawn, MARGIN, y, style)], y + (side + 2) * style.size + MARGIN / 2
        case drawing.Block() as drawn:
            columns = Columns(inner, inner * 0.72, 0, 1)
            total = words.say("Total"), str(result.total)
            end = y + block_rows(drawn) * style.size
            return [*block(_without_offers(drawn), total, MARGIN, y, columns, style)], end + MARGIN
        case drawing.Plain(text):
            lines = text.splitlines()
            return [*_lines(lines, y)], y + len(lines) * ROW + MARGIN


def _without_offers(drawn: drawing.Block) -> drawing.Block:
    """What dice on the table would have paid is no part of a finished sheet."""
    sections = tuple(
        drawing.Section(
            section.heading,
            tuple(drawing.Box(box.name, box.label, box.text) for box in section.boxes),
            section.sums,
        )
        for section in drawn.sections
    )
    return drawing.Block(sections)


def _lines(lines: list[str], y: float) -> Iterator[Shape]:
    for number, line in enumerate(lines):
        yield fitted(WIDTH - 2 * MARGIN, Text(MARGIN, y + (number + 0.5) * ROW, line, 12))
