"""A sheet as a small picture, for pages where nothing is tapped: what is written, and what lines brought.

Figures are those of components/pencil.html. What is `late` is written while one looks, in that order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape

from markupsafe import Markup

from kasta.core import FACES
from kasta.draw import PIPS
from kasta.games.drawing import Block, Box, Drawing, DrawnCell, DrawnGrid, DrawnLine
from kasta.games.traits import AnyTraits
from kasta.i18n import DEFAULT, words
from kasta.page.sheet_html import DIGIT_HEIGHT, DIGIT_WIDTH
from kasta.page.sheet_model import BlockPart

SIZE, GRID, GAP = 124, 100, 3  # of the picture, of a grid's cells, and before the boxes of lines
COLUMN, BETWEEN, LABEL = 58, 8, 30  # of a block
INK = 0.7  # of a cell's height is written on
MOST_SAMPLES = 50


@lru_cache(MOST_SAMPLES)
def sample_picture(traits: AnyTraits) -> Markup:
    """A game's own example."""
    solo = next(iter(traits.rule_sets.values()))
    sheet = solo.read_sheet(traits.sample) if traits.sample else solo.start()
    return sheet_picture(traits.draw(solo, sheet, words(DEFAULT)), traits.sample_ink)


def sheet_picture(drawn: Drawing, late: Sequence[str] = ()) -> Markup:
    """A sheet as a picture that says nothing to a screen reader; a sheet of plain text has none."""
    match drawn:
        case DrawnGrid():
            parts = "".join(_grid(drawn, late))
        case Block():
            parts = "".join(_block(drawn, late))
        case _:
            parts = ""
    picture = f'<svg class="sheet-picture" viewBox="-1 -1 {SIZE} {SIZE}" aria-hidden="true">{parts}</svg>'
    return Markup(picture)  # noqa: S704 - numbers, and texts that are escaped


def _grid(drawn: DrawnGrid, late: Sequence[str]) -> Iterator[str]:
    cell = GRID / len(drawn.columns)
    ends = [cell * number for number in range(len(drawn.columns) + 1)]
    yield _lines("".join(f"M0 {end:g}H{GRID}M{end:g} 0V{GRID}" for end in ends))
    for y, (cells, line) in enumerate(zip(drawn.cells, drawn.rows, strict=True)):
        for x, each in enumerate(cells):
            yield from _cell(each, x * cell, y * cell, cell, late)
        yield _end(line, GRID + GAP, y * cell, cell)
    for x, line in enumerate(drawn.columns):
        yield _end(line, x * cell, GRID + GAP, cell)


def _cell(each: DrawnCell, x: float, y: float, size: float, late: Sequence[str]) -> Iterator[str]:
    when = _when(each.name, late)
    yield _written(each.text, x, y, size, size, when)
    if each.is_circled:
        place = f"translate({x:g} {y:g}) scale({size / 100:g})"
        yield f'<g class="wax" transform="{place}"><use href="#ring"{when}/></g>'


def _end(line: DrawnLine, x: float, y: float, size: float) -> str:
    """The box of a line: what it has brought, or what it may bring."""
    kind = "box earned" if line.is_earned else "box"
    side = size - 2
    frame = f'<rect class="{kind}" x="{x + 1:g}" y="{y + 1:g}" width="{side:g}" height="{side:g}" rx="3"/>'
    if line.is_earned:
        return frame + f'<g class="wax">{_written(line.text, x, y, size, size, "")}</g>'
    return frame + f'<text x="{x + size / 2:g}" y="{y + size / 2 + 2.5:g}">{escape(line.text)}</text>'


def _block(drawn: Block, late: Sequence[str]) -> Iterator[str]:
    halves = [
        [box for section in half for box in section.boxes] for half in BlockPart(drawn, frozenset(), {}).halves
    ]
    row = (SIZE - 6) / max(map(len, halves))
    for number, half in enumerate(halves):
        yield from _half(half, number * (COLUMN + BETWEEN), row, late, is_first=number == 0)


def _half(boxes: list[Box], x: float, row: float, late: Sequence[str], *, is_first: bool) -> Iterator[str]:
    height = row * len(boxes)
    across = "".join(f"M{x:g} {row * number:g}h{COLUMN}" for number in range(len(boxes) + 1))
    down = "".join(f"M{x + at:g} 0V{height:g}" for at in (0, LABEL, COLUMN))
    yield _lines(across + down)
    for number, box in enumerate(boxes):
        if is_first and number < len(FACES):
            yield _die(number + 1, x + LABEL / 2, row * (number + 0.5), row * 0.012)
        else:
            yield f'<path class="word" d="M{x + 5:g} {row * (number + 0.5):g}h{10 + len(box.name) % 4 * 3}"/>'
        yield _written(box.text, x + LABEL, row * number, COLUMN - LABEL, row, _when(box.name, late))


def _die(face: int, x: float, y: float, scale: float) -> str:
    pips = "".join(f'<circle cx="{cx}" cy="{cy}" r="6"/>' for cx, cy in PIPS[face])
    place = f"translate({x - 30 * scale:g} {y - 30 * scale:g}) scale({scale:g})"
    return f'<g class="die" transform="{place}"><rect x="2" y="2" width="56" height="56" rx="12"/>{pips}</g>'


def dice_picture(traits: AnyTraits) -> Markup:
    """The dice that a game is played with, as they lie there."""
    solo = next(iter(traits.rule_sets.values()))
    number = getattr(solo.next(solo.start()), "dice", 0)
    faces = "".join(
        _die((place * place + number) % len(FACES) + 1, 10 + 21 * place, 10, 0.3) for place in range(number)
    )
    return Markup(f'<svg class="loose" viewBox="0 0 {21 * number:g} 20" aria-hidden="true">{faces}</svg>')  # noqa: S704


def _written(text: str, x: float, y: float, width: float, height: float, when: str) -> str:
    """Figures in the middle of a field; other texts are too small to read."""
    if not text.isdigit():
        return ""
    scale = min(height * INK / DIGIT_HEIGHT, width * 0.85 / (DIGIT_WIDTH * len(text)))
    left = x + (width - DIGIT_WIDTH * scale * len(text)) / 2
    top = y + (height - DIGIT_HEIGHT * scale) / 2
    figures = (f'<use href="#d{digit}" x="{DIGIT_WIDTH * place}"{when}/>' for place, digit in enumerate(text))
    return f'<g class="lead" transform="translate({left:.2f} {top:.2f}) scale({scale:.3f})">{"".join(figures)}</g>'


def _when(name: str, late: Sequence[str]) -> str:
    return f' class="late late{late.index(name) + 1}"' if name in late else ""


def _lines(path: str) -> str:
    return f'<path class="print" d="{path}"/>'
