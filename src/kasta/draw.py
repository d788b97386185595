"""Sheets as SVG pictures, which notebooks display.

>>> import kasta
>>> game = kasta.find_game(next(iter(kasta.GAMES)))
>>> picture = kasta.draw.svg(game, game.solo.start())
>>> str(picture)[:4]
'<svg'
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from math import hypot
from typing import Any

from kasta.core import Faces
from kasta.errors import Unreadable
from kasta.games import drawing
from kasta.games.traits import AnyGame, AnyTraits
from kasta.i18n import DEFAULT, words

CELL, GAP, MARGIN = 44, 3, 6  # sizes are in pixels
ROW, LABEL, VALUE = 26, 188, 78
LETTER = 9  # of the text of a plain sheet
HEAD = 14  # of an arrow
MARK = "gold"
COLOURS = {"teal": "#12555c", "plum": "#6d2a6f", "rust": "#98391f"}
STYLE = """
.kasta text{font:16px system-ui,sans-serif;fill:#1c2b2e;text-anchor:middle;dominant-baseline:central}
.kasta .small{font-size:13px;fill:#566567}
.kasta .name{font-size:14px;font-weight:700;fill:currentColor}
.kasta .tiny{font-size:10px;font-weight:700;fill:currentColor}
.kasta .left{text-anchor:start}
.kasta .mono{font-family:monospace;white-space:pre}
.kasta .cell{fill:#fffdf8;stroke:#6f7a7a}
.kasta .box{fill:none;stroke:#b9b3a3;stroke-dasharray:3}
.kasta .earned{fill:currentColor}
.kasta text.on{fill:#fff;font-weight:700}
.kasta .owes{fill:none;stroke:currentColor;stroke-width:2}
.kasta .fresh{stroke:currentColor;stroke-width:3}
.kasta .circle{fill:none;stroke:currentColor;stroke-width:2.5}
.kasta .mark{fill-opacity:.35;stroke-width:2}
.kasta .arrow line{stroke:currentColor;stroke-width:5;stroke-opacity:.7}
.kasta .arrow polygon{fill:currentColor;fill-opacity:.7}
.kasta .die rect{fill:#fffdf8;stroke:#6f7a7a;stroke-width:2}
.kasta .die circle{fill:#1c2b2e}
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


Box = tuple[int, int, int, int]
"""Where a cell or box is drawn: left, top, width, height."""


@dataclass(frozen=True, slots=True)
class Svg:
    """A picture. `str()` is the text of an SVG file; a notebook shows it as a picture.

    `size` is how wide it is shown, if not as wide as it was drawn.
    """

    width: int
    height: int
    title: str
    colour: str
    parts: tuple[str, ...]
    size: int | None = None

    def __str__(self) -> str:
        inside = f"<title>{escape(self.title)}</title><style>{STYLE}</style>{''.join(self.parts)}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" {self._size} color="{self.colour}">{inside}</svg>'

    def inline(self, label: str) -> str:
        """The picture as a part of a page that has styles for it; `label` says what it shows."""
        return f'<svg {self._size} aria-label="{escape(label)}">{"".join(self.parts)}</svg>'

    @property
    def _size(self) -> str:
        wide = self.size or self.width
        high = round(self.height * wide / self.width)
        box = f'viewBox="0 0 {self.width} {self.height}" width="{wide}" height="{high}"'
        return f'{box} class="kasta" role="img"'

    def _repr_svg_(self) -> str:
        return str(self)


def svg(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - each game has its own sheets
    language: str = DEFAULT,
    *,
    size: int | None = None,
    dice: Faces = (),
    coordinates: bool = False,
    marks: Iterable[str] | Mapping[str, str] = (),
    arrows: Iterable[tuple[str, str]] = (),
) -> Svg:
    """Draw a sheet of a game, with its words in a language: en, sv, nb, de or fr.

    `size` is its width in pixels, `dice` lie above it, `coordinates` name rows and columns of a grid. `marks` are
    cells or boxes that stand out, perhaps each with a colour: `{"c3": "gold"}`. `arrows` lead from one to another.
    """
    said = words(language)
    title = f"{game.traits.heading(said)}: {game.solo.total(sheet)}"
    drawn = game.traits.draw(game.solo, sheet, said)
    plain = picture(game.traits, drawn, title, dice=dice)
    places = _places(drawn, dice or drawn.dice)
    colours = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, MARK)
    arrows = tuple(arrows)
    for name in (*colours, *chain(*arrows)):
        if name not in places:
            raise Unreadable("not_on_sheet", text=name)
    extra = (
        *(_mark(places[name], colour) for name, colour in colours.items()),
        *(_arrow(places[start], places[end]) for start, end in arrows),
    )
    names = _coordinates(drawn) if coordinates and isinstance(drawn, drawing.DrawnGrid) else ()
    return replace(plain, parts=(*plain.parts, *extra, *names), size=size)


def picture(
    traits: AnyTraits,
    drawn: drawing.Drawing,
    title: str,
    *,
    before: drawing.Drawing | None = None,
    dice: Faces = (),
    named: Container[str] = (),
) -> Svg:
    """Draw what a game has made of a sheet, with dice above it. What was not there `before` stands out.

    Cells of a grid that are `named` show what they are called.
    """
    fresh = set() if before is None else _fresh(drawn, before)
    match drawn:
        case drawing.DrawnGrid():
            width, height, parts = _of_grid(drawn, _dice(dice, with_sum=traits.shows == "sum"), fresh, named)
        case drawing.Block():
            width, height, parts = _of_block(drawn, dice or drawn.dice, fresh)
        case drawing.Plain():
            width, height, parts = _of_text(drawn, dice)
    return Svg(width, height, title, COLOURS[traits.theme], parts)


def row(game: AnyGame, texts: Sequence[str]) -> Svg:
    """Draw numbers in a row: as dice where sheets have boxes for them, else as cells; `(7)` is circled."""
    if isinstance(game.traits.draw(game.solo, game.solo.start(), words(DEFAULT)), drawing.DrawnGrid):
        cells = (drawing.DrawnCell("", text.strip("()"), "", text.startswith("(")) for text in texts)
        parts = tuple(part for x, cell in enumerate(cells) for part in _cell(x, 0, cell, "cell"))
    else:
        parts = tuple(_dice(tuple(map(int, texts))))
    return Svg(_at(len(texts)), _at(1), " ".join(texts), COLOURS[game.traits.theme], parts)


def _places(drawn: drawing.Drawing, dice: Faces) -> dict[str, Box]:
    """Where cells and boxes are drawn, by their names."""
    match drawn:
        case drawing.DrawnGrid():
            rows = enumerate(drawn.cells, 1)
            return {cell.name: (_at(x), _at(y), CELL, CELL) for y, row in rows for x, cell in enumerate(row)}
        case drawing.Block():
            found, top = dict[str, Box](), _above(dice)
            for section in drawn.sections:
                for place, box in enumerate(section.boxes, 1):
                    found[box.name] = (MARGIN, top + place * ROW, LABEL + VALUE, ROW)
                top += (len(section.rows) + 1) * ROW
            return found
    return {}


def _mark(box: Box, colour: str) -> str:
    x, y, wide, high = box
    place = f'x="{x + 2}" y="{y + 2}" width="{wide - 4}" height="{high - 4}"'
    return f'<rect class="mark" {place} rx="6" fill="{escape(colour)}" stroke="{escape(colour)}"/>'


def _arrow(start: Box, end: Box) -> str:
    """From the middle of one to the middle of the other, with a head drawn as a triangle."""
    (x, y), (to_x, to_y) = ((left + wide / 2, top + high / 2) for left, top, wide, high in (start, end))
    length = hypot(to_x - x, to_y - y) or 1.0
    along, across = (to_x - x) / length, (to_y - y) / length
    neck_x, neck_y = to_x - HEAD * along, to_y - HEAD * across
    sides = [(neck_x + side * HEAD / 2 * across, neck_y - side * HEAD / 2 * along) for side in (1, -1)]
    head = " ".join(f"{a:.1f},{b:.1f}" for a, b in ((to_x, to_y), *sides))
    line = f'x1="{x:.1f}" y1="{y:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}"'
    return f'<g class="arrow"><line {line}/><polygon points="{head}"/></g>'


def _coordinates(grid: drawing.DrawnGrid) -> Iterable[str]:
    """Letters in the lowest cells, numbers in the first ones, in their corners as on a chess board of today."""
    for x, line in enumerate(grid.columns):
        yield _text(_at(x) + CELL - 8, _at(len(grid.rows)) + CELL - 8, line.name, "tiny")
    for y, line in enumerate(grid.rows, 1):
        yield _text(_at(0) + 8, _at(y) + 9, line.name, "tiny")


Drawn = tuple[int, int, tuple[str, ...]]
"""Width, height and parts."""


def _of_grid(drawn: drawing.DrawnGrid, dice: Iterable[str], fresh: Container[str], named: Container[str]) -> Drawn:
    side = len(drawn.columns) + 1
    return _at(side) + MARGIN, _at(side + 1) + MARGIN, (*dice, *_grid(drawn, fresh, named))


def _of_block(drawn: drawing.Block, dice: Faces, fresh: Container[str]) -> Drawn:
    top, width = _above(dice), max(LABEL + VALUE + 2 * MARGIN, _at(len(dice)))
    rows = sum(len(section.rows) + 1 for section in drawn.sections)
    return width, top + rows * ROW + MARGIN, (*_dice(dice), *_block(drawn, fresh, top))


def _of_text(drawn: drawing.Plain, dice: Faces) -> Drawn:
    top, lines = _above(dice), drawn.text.splitlines()
    width = max(LETTER * max(map(len, lines), default=1) + 2 * MARGIN, _at(len(dice)))
    plain = (_text(MARGIN, top + (i + 1) * ROW, line, "left mono") for i, line in enumerate(lines))
    return width, top + (len(lines) + 1) * ROW, (*_dice(dice), *plain)


def _above(dice: Faces) -> int:
    return _at(1) if dice else 0


def _fresh(now: drawing.Drawing, before: drawing.Drawing) -> set[str]:
    """The names of the cells or boxes in which something else stands than before."""
    match now, before:
        case drawing.DrawnGrid(), drawing.DrawnGrid():
            cells = zip(chain(*now.cells), chain(*before.cells), strict=True)
            return {cell.name for cell, was in cells if cell != was}
        case drawing.Block(), drawing.Block():
            return {name for name, box in now.boxes.items() if box.text != before.boxes[name].text}
    return set()


def _dice(faces: Faces, *, with_sum: bool = False) -> Iterable[str]:
    """Dice in the topmost row."""
    for x, face in enumerate(faces):
        pips = "".join(f'<circle cx="{cx}" cy="{cy}" r="5.5"/>' for cx, cy in PIPS[face])
        yield (
            f'<g class="die" transform="translate({_at(x)} {_at(0)}) scale({CELL / 60:.3f})">'
            f'<rect x="2" y="2" width="56" height="56" rx="12"/>{pips}</g>'
        )
    if faces and with_sum:
        yield _text(_middle(len(faces)), _middle(0), f"= {sum(faces)}")


def _grid(grid: drawing.DrawnGrid, fresh: Container[str], named: Container[str]) -> Iterable[str]:
    """Cells, with the boxes of lines to the right, below, and at the ends of the diagonals."""
    side = len(grid.columns)
    yield from _end(side, 0, grid.rising)
    for y, (line, cells) in enumerate(zip(grid.rows, grid.cells, strict=True), 1):
        for x, cell in enumerate(cells):
            yield from _cell(x, y, cell, "cell fresh" if cell.name in fresh else "cell")
            if cell.name in named:
                foot = _at(y) + CELL - 8
                yield _text(
                    _middle(x), foot if cell.text else _middle(y), cell.name, "tiny" if cell.text else "name"
                )
        yield from _end(side, y, line)
    for x, line in enumerate((*grid.columns, grid.falling)):
        yield from _end(x, side + 1, line)


def _cell(x: int, y: int, cell: drawing.DrawnCell, kind: str) -> Iterable[str]:
    yield _square(x, y, kind)
    yield _text(_middle(x), _middle(y), cell.text)
    if cell.is_circled:
        yield f'<circle class="circle" cx="{_middle(x)}" cy="{_middle(y)}" r="{CELL // 2 - 4}"/>'


def _end(x: int, y: int, line: drawing.DrawnLine) -> Iterable[str]:
    """The box of a line: its points, or how many circles are to be drawn."""
    if line.owes:
        yield _square(x, y, "owes")
        yield _text(_middle(x), _middle(y), f"{line.owes} ○")
        return
    yield _square(x, y, "earned" if line.is_earned else "box")
    text = line.text or ("\N{MULTIPLICATION SIGN}2" if line.is_double else "")
    yield _text(_middle(x), _middle(y), text, "on" if line.is_earned else "small")


def _block(block: drawing.Block, fresh: Container[str], top: int) -> Iterable[str]:
    """Sections one below the other, as on paper."""
    for section in block.sections:
        yield _text(MARGIN, top + ROW // 2, section.heading, "left small")
        boxes = [(box.label, box.text, "cell fresh" if box.name in fresh else "cell") for box in section.boxes]
        for label, text, kind in [*boxes, *((label, text, "cell") for label, text in section.sums)]:
            top += ROW
            yield f'<rect class="{kind}" x="{MARGIN}" y="{top}" width="{LABEL + VALUE}" height="{ROW}"/>'
            yield _text(2 * MARGIN, top + ROW // 2, label, "left")
            yield _text(MARGIN + LABEL + VALUE // 2, top + ROW // 2, text)
        top += ROW


def _at(place: int) -> int:
    return MARGIN + place * (CELL + GAP)


def _middle(place: int) -> int:
    return _at(place) + CELL // 2


def _square(x: int, y: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{_at(x)}" y="{_at(y)}" width="{CELL}" height="{CELL}" rx="8"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>' if text else ""
