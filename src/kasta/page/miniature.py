"""A sheet in miniature, in pencil: a picture beside words that say the same. It needs components/pencil.html."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import chain

from markupsafe import Markup

from kasta.core import Faces
from kasta.draw import PIPS
from kasta.games.drawing import Block, Box, Drawing, DrawnGrid
from kasta.page.advice import places_in

SIDE = 20  # of a cell
ROW, LABEL, VALUE, BETWEEN = 11, 30, 20, 6  # of a block
DIE = 22
FIGURE, FIGURES = 0.15, 0.126  # how much smaller one figure is than on the sheet, and two


def miniature(drawn: Drawing, fresh: Container[str] = (), better: Container[str] = (), ghost: str = "") -> Markup:
    """A sheet; `fresh` places are lit, `better` ones have a ring, and `ghost` is written in them."""
    match drawn:
        case DrawnGrid():
            side = SIDE * len(drawn.columns)
            return _svg(side, side, _grid(drawn, fresh, better, ghost))
        case Block():
            rows = max(len(section.boxes) for section in drawn.sections)
            wide = len(drawn.sections) * (LABEL + VALUE + BETWEEN) - BETWEEN
            return _svg(wide, rows * ROW, _block(drawn, fresh, better))
    return Markup()


def dice_miniature(dice: Faces, kept: Faces, better: Faces = ()) -> Markup:
    """Dice in a row; those that were kept are lit, those that were better to keep have a ring."""
    lit, ringed = places_in(dice, kept), places_in(dice, better)
    wide = DIE * len(dice)
    return _svg(
        wide, DIE, chain.from_iterable(_die(i, face, i in lit, i in ringed) for i, face in enumerate(dice))
    )


def _svg(wide: int, high: int, parts: Iterable[str]) -> Markup:
    inside = "".join(parts)
    return Markup(  # noqa: S704 - numbers
        f'<svg class="miniature" viewBox="-2 -2 {wide + 4} {high + 4}" aria-hidden="true">{inside}</svg>'
    )


def _grid(grid: DrawnGrid, fresh: Container[str], better: Container[str], ghost: str) -> Iterator[str]:
    side = len(grid.columns)
    for place, cell in enumerate(chain.from_iterable(grid.cells)):
        x, y = place % side * SIDE, place // side * SIDE
        yield f'<rect class="{_kind(cell.name, fresh)}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>'
        yield _number(cell.text, x, y, SIDE, SIDE)
        yield _ring(x, y, SIDE, SIDE) * cell.is_circled
        if cell.name in better:
            yield _number(ghost, x, y, SIDE, SIDE, " ghost") * (not cell.text) + _ring(x, y, SIDE, SIDE)


def _block(block: Block, fresh: Container[str], better: Container[str]) -> Iterator[str]:
    for column, section in enumerate(block.sections):
        left = column * (LABEL + VALUE + BETWEEN)
        for row, box in enumerate(section.boxes):
            yield _box(left, row * ROW, box, _kind(box.name, fresh))
            yield _ring(left + LABEL, row * ROW, VALUE, ROW) * (box.name in better)


def _box(left: int, y: int, box: Box, kind: str) -> str:
    x, name = left + LABEL, min(LABEL - 8, 2 * len(box.label))
    return (
        f'<rect class="{kind}" x="{left}" y="{y}" width="{LABEL + VALUE}" height="{ROW}"/>'
        f'<path class="lines" d="M{x} {y}v{ROW}"/><path class="name" d="M{left + 4} {y + ROW / 2}h{name}"/>'
        f"{_number(box.text, x, y, VALUE, ROW)}"
    )


def _kind(name: str, fresh: Container[str]) -> str:
    return "lines lit" if name in fresh else "lines"


def _number(text: str, x: float, y: float, wide: int, high: int, kind: str = "") -> str:
    if not text.isdigit():
        return ""
    scale = min(FIGURE if len(text) == 1 else FIGURES, high / 120, wide / (60 * len(text) + 20))
    left, top = x + (wide - 60 * len(text) * scale) / 2, y + (high - 100 * scale) / 2
    figures = "".join(f'<use href="#d{figure}" x="{60 * place}"/>' for place, figure in enumerate(text))
    return f'<g class="number{kind}" transform="translate({left:.2f} {top:.2f}) scale({scale:.3f})">{figures}</g>'


def _ring(x: float, y: float, wide: int, high: int) -> str:
    place = (
        f"translate({x + 0.04 * wide:.2f} {y + 0.04 * high:.2f}) scale({wide * 0.0092:.3f} {high * 0.0092:.3f})"
    )
    return f'<g class="crayon" transform="{place}"><use href="#ring"/></g>'


def _die(place: int, face: int, is_lit: bool, is_ringed: bool) -> Iterator[str]:  # noqa: FBT001 - private
    x, scale = place * DIE, DIE / 72
    pips = "".join(f'<circle cx="{cx}" cy="{cy}" r="6"/>' for cx, cy in PIPS[face])
    yield (
        f'<g class="die{" kept" * is_lit}" transform="translate({x + 2} 2) scale({scale:.3f})">'
        f'<rect x="2" y="2" width="56" height="56" rx="12"/>{pips}</g>'
    )
    if is_ringed:
        yield _ring(x, 0, DIE, DIE)
