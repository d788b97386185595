"""A finished sheet as a picture to show to others: its total and what that is called, and nobody's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kasta.draw import COLOURS
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.paper.handwriting import ringed, written
from kasta.paper.shapes import CRAYON, INK, LEAD, PENCIL, WHITE, Rectangle, Shape, Text, fitted
from kasta.paper.sheets import Columns, Style, block, block_rows, grid

WIDTH, BAND, MARGIN = 360.0, 46.0, 20.0
EDGE, GLUE = 10.0, 7.0  # of the pad
ROW, TOTAL, LINE = 19.0, 62.0, 14.0
GLUES = {"teal": "#b9523c", "plum": "#7d4a9c", "rust": "#2f6f68"}
SHEET, BELOW = "#fcf8ed", "#e3dbc6"


@dataclass(frozen=True, slots=True)
class CardResult:
    """What a picture tells of a finished sheet; `link` is where others can play."""

    game: AnyGame
    drawn: drawing.Drawing
    total: int
    told: str  # what the total is called, or its place
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
    traits, felt = result.game.traits, COLOURS[result.game.traits.theme]
    heading, inner = traits.heading(words), WIDTH - 2 * MARGIN
    sheet, below = _sheet(result, words, Style(felt, ROW, SHEET), BAND + GLUE + MARGIN)
    points = words.count("{number} point", "{number} points", result.total)
    end = below + TOTAL + 2 * LINE
    shapes: list[Shape] = [
        fitted(inner * 0.75, Text(MARGIN, BAND / 2, heading, 20, WHITE, bold=True)),
        Text(WIDTH - MARGIN, BAND / 2, "Kasta", 13, WHITE, anchor="end"),
        Rectangle(EDGE, BAND + 4, WIDTH - 2 * EDGE, end - BAND, fill=BELOW, rounded=9),  # the sheets below it
        Rectangle(EDGE, BAND, WIDTH - 2 * EDGE, end - BAND, fill=SHEET, rounded=8),
        Rectangle(EDGE, BAND, WIDTH - 2 * EDGE, GLUE, fill=GLUES[traits.theme], rounded=3),
        *sheet,
        *_total(result, words, below),
        fitted(inner, Text(WIDTH / 2, end + MARGIN, result.link, 10, WHITE, anchor="middle")),
    ]
    height = end + 2 * MARGIN
    title = ". ".join(filter(None, [f"{heading}: {points}", result.told]))
    return Card(WIDTH, height, title, (Rectangle(0, 0, WIDTH, height, fill=felt), *shapes))


def _total(result: CardResult, words: Words, y: float) -> Iterator[Shape]:
    """The total, ringed, with what it is called below it."""
    middle, number = y + TOTAL / 2, str(result.total)
    width = len(number) * TOTAL * 0.36 + 34
    yield fitted(
        WIDTH / 2 - width / 2 - MARGIN, Text(MARGIN + 4, middle, words.say("Total"), 16, PENCIL, bold=True)
    )
    yield from written(number, WIDTH / 2, middle, TOTAL * 0.6, LEAD)
    yield ringed(WIDTH / 2, middle, width, TOTAL * 0.98, CRAYON, 2.2)
    told = result.told[:1].upper() + result.told[1:]
    yield fitted(WIDTH - 2 * MARGIN, Text(WIDTH / 2, y + TOTAL + LINE * 0.8, told, 13, INK, anchor="middle"))


def _sheet(result: CardResult, words: Words, style: Style, y: float) -> tuple[list[Shape], float]:
    """The sheet's shapes, and where they end."""
    inner = WIDTH - 2 * MARGIN
    match result.drawn:
        case drawing.DrawnGrid() as drawn:
            side = len(drawn.columns)
            style = Style(style.colour, inner / (side + 1), SHEET)
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
