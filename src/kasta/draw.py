"""Sheets as SVG pictures, which notebooks show by themselves.

>>> import kasta
>>> game = kasta.find_game(next(iter(kasta.GAMES)))
>>> picture = kasta.draw.svg(game, game.solo.start())
>>> str(picture)[:4]
'<svg'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import DEFAULT, words

CELL, GAP, MARGIN = 44, 3, 6  # sizes are in pixels
ROW, LABEL, VALUE = 26, 170, 70
LETTER = 9  # of the text of a plain sheet
COLOURS = {"teal": "#12555c", "plum": "#6d2a6f", "rust": "#98391f"}
STYLE = """
.kasta text{font:16px system-ui,sans-serif;fill:#1c2b2e;text-anchor:middle;dominant-baseline:central}
.kasta .small{font-size:13px;fill:#566567}
.kasta .left{text-anchor:start}
.kasta .mono{font-family:monospace;white-space:pre}
.kasta .cell{fill:#fffdf8;stroke:#6f7a7a}
.kasta .box{fill:none;stroke:#b9b3a3;stroke-dasharray:3}
.kasta .earned{fill:currentColor}
.kasta text.on{fill:#fff;font-weight:700}
.kasta .circle{fill:none;stroke:currentColor;stroke-width:2.5}
"""
PIPS = {
    1: ((30, 30),),
    2: ((17, 17), (43, 43)),
    3: ((15, 15), (30, 30), (45, 45)),
    4: ((17, 17), (43, 17), (17, 43), (43, 43)),
    5: ((16, 16), (44, 16), (30, 30), (16, 44), (44, 44)),
    6: ((17, 15), (43, 15), (17, 30), (43, 30), (17, 45), (43, 45)),
}
"""Where the pips of a face are, on a die of 60 by 60."""


@dataclass(frozen=True, slots=True)
class Svg:
    """A picture. `str()` is the text of an SVG file; a notebook shows it as a picture."""

    width: int
    height: int
    title: str
    colour: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" class="kasta" color="{self.colour}" role="img">'
            f"<title>{escape(self.title)}</title><style>{STYLE}</style>{''.join(self.parts)}</svg>"
        )

    def _repr_svg_(self) -> str:
        return str(self)


def svg(game: AnyGame, sheet: Any, language: str = DEFAULT) -> Svg:  # noqa: ANN401 - each game has its own sheets
    """Draw a sheet of a game, with its words in a language: en, sv, nb, de or fr."""
    traits, said = game.traits, words(language)
    colour = COLOURS[traits.theme]
    title = f"{traits.heading(said)}: {game.solo.total(sheet)}"
    match traits.draw(game.solo, sheet, said):
        case drawing.Grid() as grid:
            side = len(grid.columns) + 1
            return Svg(_at(side) + MARGIN, _at(side + 1) + MARGIN, title, colour, tuple(_grid(grid)))
        case drawing.Block() as block:
            most = max(len(section.boxes) + len(section.sums) for section in block.sections) + 1
            width = len(block.sections) * (LABEL + VALUE + MARGIN) + MARGIN
            return Svg(width, most * ROW + 2 * MARGIN, title, colour, tuple(_block(block)))
        case drawing.Plain(text):
            lines = text.splitlines()
            width = LETTER * max(map(len, lines), default=1) + 2 * MARGIN
            parts = (_text(MARGIN, (i + 1) * ROW, line, "left mono") for i, line in enumerate(lines))
            return Svg(width, (len(lines) + 1) * ROW, title, colour, tuple(parts))


def _grid(grid: drawing.Grid) -> Iterable[str]:
    """Cells, with the boxes of lines to the right, below, and at the ends of the diagonals."""
    side = len(grid.columns)
    yield from _end(side, 0, grid.rising)
    for y, (line, cells) in enumerate(zip(grid.rows, grid.cells, strict=True), 1):
        for x, cell in enumerate(cells):
            yield _square(x, y, "cell")
            yield _text(_middle(x), _middle(y), cell.text)
            if cell.is_circled:
                yield f'<circle class="circle" cx="{_middle(x)}" cy="{_middle(y)}" r="{CELL // 2 - 4}"/>'
        yield from _end(side, y, line)
    for x, line in enumerate((*grid.columns, grid.falling)):
        yield from _end(x, side + 1, line)


def _end(x: int, y: int, line: drawing.Line) -> Iterable[str]:
    yield _square(x, y, "earned" if line.is_earned else "box")
    text = line.text or ("\N{MULTIPLICATION SIGN}2" if line.is_double else "")
    yield _text(_middle(x), _middle(y), text, "on" if line.is_earned else "small")


def _block(block: drawing.Block) -> Iterable[str]:
    """Sections side by side."""
    for column, section in enumerate(block.sections):
        left = MARGIN + column * (LABEL + VALUE + MARGIN)
        yield _text(left, MARGIN + ROW // 2, section.heading, "left small")
        rows = [*((box.label, box.text) for box in section.boxes), *section.sums]
        for number, (label, text) in enumerate(rows, 1):
            top = MARGIN + number * ROW
            yield f'<rect class="cell" x="{left}" y="{top}" width="{LABEL + VALUE}" height="{ROW}"/>'
            yield _text(left + MARGIN, top + ROW // 2, label, "left")
            yield _text(left + LABEL + VALUE // 2, top + ROW // 2, text)


def _at(place: int) -> int:
    return MARGIN + place * (CELL + GAP)


def _middle(place: int) -> int:
    return _at(place) + CELL // 2


def _square(x: int, y: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{_at(x)}" y="{_at(y)}" width="{CELL}" height="{CELL}" rx="8"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>' if text else ""
