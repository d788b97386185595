"""Pads as a PDF."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from kasta.extras import extra
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.i18n import Words, words
from kasta.paper.pads import PAPERS, Pad, pad
from kasta.paper.shapes import PALE, Code, Rectangle, Ring, Rule, Shape, Text, letters

QUIET = 2  # modules around a code: the paper is white there, too
DOTS = 8  # of a module, so that no viewer blurs it
MOST_KEPT = 32  # files, of some 60 KB


def pads_pdf(game: AnyGame, words: Words, paper: str, pages: int, origin: str = "") -> bytes:
    """Pages full of pads. `paper` is one of `PAPERS`; with the `origin` of a server they have a QR code."""
    with extra("paper"):
        from reportlab.pdfgen.canvas import Canvas
    one, size, out = pad(game, words, paper, origin), PAPERS[paper], io.BytesIO()
    canvas = Canvas(out, pagesize=size, invariant=1, pageCompression=1, lang=words.language)
    canvas.setTitle(game.traits.heading(words))
    canvas.setAuthor("Kasta")
    canvas.beginForm("pad", upperx=one.width, uppery=one.height)
    for shape in one.shapes:
        _draw(canvas, one.height, shape)
    if one.code:
        _draw_code(canvas, one.height, one.code)
    canvas.endForm()
    for _ in range(pages):
        _page(canvas, one)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@lru_cache(MOST_KEPT)
def named_pads(game: str, language: str, paper: str, pages: int, origin: str) -> bytes:
    """The same by names: a server has it done by another process, since it takes a tenth of a second."""
    return pads_pdf(find_game(game), words(language), paper, pages, origin)


def _page(canvas: Any, one: Pad) -> None:  # noqa: ANN401 - ReportLab has no types
    """The same pad side by side, with lines to cut along."""
    for number in range(one.across * one.down):
        canvas.saveState()
        canvas.translate(number % one.across * one.width, number // one.across * one.height)
        canvas.doForm("pad")
        canvas.restoreState()
    tall, wide = one.down * one.height, one.across * one.width
    for column in range(1, one.across):
        _draw(canvas, tall, Rule(column * one.width, 0, column * one.width, tall, PALE, 0.4, dashed=True))
    for row in range(1, one.down):
        _draw(canvas, tall, Rule(0, row * one.height, wide, row * one.height, PALE, 0.4, dashed=True))


def _draw(canvas: Any, height: float, shape: Shape) -> None:  # noqa: ANN401
    """A shape on a canvas so high: ReportLab counts from below."""
    match shape:
        case Rectangle(x, y, width, tall, fill, edge, thick, rounded):
            canvas.setLineWidth(thick)
            canvas.setFillColor(fill or "#ffffff")
            canvas.setStrokeColor(edge or "#000000")
            canvas.roundRect(x, height - y - tall, width, tall, rounded, stroke=bool(edge), fill=bool(fill))
        case Ring(x, y, radius, edge, thick):
            canvas.setLineWidth(thick)
            canvas.setStrokeColor(edge)
            canvas.circle(x, height - y, radius, stroke=1, fill=0)
        case Rule(x, y, to_x, to_y, edge, thick, dashed):
            canvas.setLineWidth(thick)
            canvas.setStrokeColor(edge)
            canvas.setDash([3, 3] if dashed else [])
            canvas.line(x, height - y, to_x, height - to_y)
            canvas.setDash([])
        case Text():
            canvas.setFillColor(shape.colour)
            canvas.setFont(letters(bold=shape.bold).fontName, shape.size)
            write = {"start": "drawString", "middle": "drawCentredString", "end": "drawRightString"}
            getattr(canvas, write[shape.anchor])(shape.x, height - shape.baseline, shape.text)


def _draw_code(canvas: Any, height: float, code: Code) -> None:  # noqa: ANN401
    with extra("paper"):
        import segno
        from reportlab.lib.utils import ImageReader
    png = io.BytesIO()
    segno.make(code.link, error="m", micro=False).save(png, kind="png", border=QUIET, scale=DOTS)
    png.seek(0)
    canvas.drawImage(ImageReader(png), code.x, height - code.y - code.side, code.side, code.side)
