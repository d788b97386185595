"""A sheet as HTML: one layout for all pages. Slots say what stands in its places, and what can be done there.

It is put together by hand: a pick's answer holds a whole sheet, and must cost next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from kasta.core import FACES, Seat
from kasta.draw import PIPS
from kasta.games.drawing import Block, Box, Drawing, DrawnCell, DrawnGrid, Plain, die_signs

DIGIT_WIDTH, DIGIT_HEIGHT = 60, 100  # of the figures in components/pencil.html
MOST_WRITTEN = 1000
DIE_SIGNS = die_signs(FACES)
SHAPES = "●▲■◆★✚⬟◗"

Place = Callable[[DrawnCell | Box, str], str]
"""Draws a cell or box as part of a row; a class is given for one that is circled."""


def draw_sheet(drawn: Drawing, caption: str, caller: Place, *, is_form: bool = False) -> Markup:
    """A sheet whose places the caller draws; in a form, where they have labels of their own, not as a table."""
    about = f'class="noted"{" role=presentation" * is_form}'
    match drawn:
        case DrawnGrid():
            heads = "".join(f'<th scope="col">{escape(line.name)}</th>' for line in drawn.columns)
            rows = (
                row(line.name, "".join(caller(cell, " ringed" * cell.is_circled) for cell in cells))
                for line, cells in zip(drawn.rows, drawn.cells, strict=True)
            )
            html = grid_table(about, escape(caption), f"<thead><tr><td></td>{heads}</tr></thead>", rows)
        case Block():
            sections = (
                block_table(about, each.heading, [row(box.label, caller(box, "")) for box in each.boxes])
                for each in drawn.sections
            )
            html = f'<div class="boxes">{"".join(sections)}</div>'
        case Plain():
            html = plain(drawn)
    return Markup(html)  # noqa: S704 - escaped where it is put together


def grid_table(about: str, caption: str, head: str, rows: Iterable[str], foot: str = "") -> str:
    """A grid: `head` stands above its rows, and `foot` below."""
    hidden = f'<caption class="hidden">{caption}</caption>'
    return f"<table {about}>{hidden}{head}{''.join(rows)}{foot}</table>"


def block_table(about: str, heading: str, rows: Iterable[str], head: str = "") -> str:
    """A section of a block, under its heading."""
    caption = f"<caption>{escape(heading)}</caption>" if heading else ""
    return f"<table {about}>{caption}{head}<tbody>{''.join(rows)}</tbody></table>"


def row(name: str, places: str, about: str = "") -> str:
    """A line of a grid, or a box of a block."""
    return f'<tr{about}><th scope="row">{escape(name)}</th>{places}</tr>'


def plain(drawn: Plain, about: str = "") -> str:
    """A sheet as text."""
    return f'<figure class="plain"{about}><pre>{escape(drawn.text)}</pre></figure>'


@lru_cache(MOST_WRITTEN)
def pencil(text: str) -> Markup:
    """A number as a hand writes it, and as text for those who hear it; any other text as it is."""
    if not text.isascii() or not text.isdigit():
        return escape(text)
    return figures(text) + Markup(f'<span class="hidden">{text}</span>')  # noqa: S704 - digits


def figures(number: str) -> Markup:
    """A number as a hand writes it."""
    each = (f'<use href="#d{digit}" x="{DIGIT_WIDTH * place}"/>' for place, digit in enumerate(number))
    return Markup(  # noqa: S704 - digits
        f'<svg class="pencil" viewBox="0 0 {DIGIT_WIDTH * len(number)} {DIGIT_HEIGHT}" aria-hidden="true">'
        f"{''.join(each)}</svg>"
    )


def die_html(face: int) -> str:
    """One face, flat; whoever puts it somewhere says what it shows."""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="5.5"/>' for x, y in PIPS[face])
    return (
        '<svg class="die" viewBox="0 0 60 60" aria-hidden="true">'
        f'<rect x="2" y="2" width="56" height="56" rx="12"/>{pips}</svg>'
    )


def said_dice(text: str) -> str:
    """A sentence in which the faces of dice are figures, for those who hear it."""
    return re.sub(f"[{DIE_SIGNS}]+", lambda found: " ".join(map(str, _faces(found[0]))), text)


@lru_cache(MOST_WRITTEN)
def with_dice(text: str) -> Markup:
    """A sentence in which dice are drawn; whoever listens hears their faces."""

    def drawn(found: re.Match[str]) -> str:
        dice = "".join(map(die_html, _faces(found[0])))
        return f'<span class="little" role="img" aria-label="{said_dice(found[0])}">{dice}</span>'

    return Markup(re.sub(f"[{DIE_SIGNS}]+", drawn, escape(text)))  # noqa: S704 - escaped, but for dice of ours


def _faces(signs: str) -> list[int]:
    return [1 + DIE_SIGNS.index(sign) for sign in signs]


def seat_mark(seat: Seat) -> Markup:
    """A seat's shape and colour: each says the same, so that neither is needed."""
    number = seat % len(SHAPES)
    return Markup(  # noqa: S704 - a number, and a shape of ours
        f'<span class="mark seat{number}" aria-hidden="true">{SHAPES[number]}</span>'
    )
