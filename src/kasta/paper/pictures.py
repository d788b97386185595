"""Cards as files: SVG for pages, PNG for other people's apps."""

from __future__ import annotations

import io
from functools import lru_cache
from html import escape
from typing import Any

from kasta.extras import extra
from kasta.paper.card import Card
from kasta.paper.handwriting import Stroke
from kasta.paper.shapes import Rectangle, Ring, Rule, Shape, Text, font_file

FAMILY = "Verdana, 'DejaVu Sans', sans-serif"  # as wide as the font that we measure with
MOST_FONTS = 64
SCALE, SMOOTH = 2, 2  # pixels a point, and how much larger it is drawn before it is made smooth


def svg(picture: Card) -> str:
    """A card as SVG. It has no styles, so that it looks the same whatever a server allows."""
    size = f'viewBox="0 0 {picture.width:g} {picture.height:.1f}" width="{picture.width:g}"'
    inside = "".join(map(_element, picture.shapes))
    title = escape(picture.title)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>{inside}</svg>'


def _element(shape: Shape) -> str:
    match shape:
        case Rectangle(x, y, width, height, fill, edge, thick, rounded):
            paint = f'fill="{fill or "none"}" stroke="{edge or "none"}" stroke-width="{thick:.2f}"'
            return f"<rect {_at(x=x, y=y, width=width, height=height, rx=rounded)} {paint}/>"
        case Ring(x, y, radius, edge, thick):
            return f'<circle {_at(cx=x, cy=y, r=radius)} fill="none" stroke="{edge}" stroke-width="{thick:.2f}"/>'
        case Rule(x, y, to_x, to_y, edge, thick, _):
            return f'<line {_at(x1=x, y1=y, x2=to_x, y2=to_y)} stroke="{edge}" stroke-width="{thick:.2f}"/>'
        case Stroke():
            look = f'fill="none" stroke="{shape.colour}" stroke-width="{shape.thick:.2f}"'
            return f'<path d="{shape.path}" {look} stroke-linecap="round" stroke-linejoin="round"/>'
        case Text():
            look = f'font-family="{FAMILY}" font-size="{shape.size:.2f}" fill="{shape.colour}"'
            bold = ' font-weight="700"' if shape.bold else ""
            place = f'{_at(x=shape.x, y=shape.baseline)} text-anchor="{shape.anchor}"'
            return f"<text {place} {look}{bold}>{escape(shape.text)}</text>"


def _at(**numbers: float) -> str:
    return " ".join(f'{name}="{number:.1f}"' for name, number in numbers.items())


def png(picture: Card) -> bytes:
    """A card as PNG."""
    with extra("paper"):
        from PIL import Image, ImageDraw
    scale = SCALE * SMOOTH
    image = Image.new("RGB", (round(picture.width * scale), round(picture.height * scale)))
    canvas = ImageDraw.Draw(image)
    for shape in picture.shapes:
        _paint(canvas, shape, scale)
    out = io.BytesIO()
    image.reduce(SMOOTH).save(out, "PNG", optimize=True)
    return out.getvalue()


def _paint(canvas: Any, shape: Shape, scale: int) -> None:  # noqa: ANN401 - an ImageDraw
    match shape:
        case Rectangle(x, y, width, height, fill, edge, thick, rounded):
            corners = (x * scale, y * scale, (x + width) * scale, (y + height) * scale)
            look = {"fill": fill or None, "outline": edge or None, "width": round(thick * scale)}
            canvas.rounded_rectangle(corners, rounded * scale, **look)
        case Ring(x, y, radius, edge, thick):
            canvas.circle((x * scale, y * scale), radius * scale, outline=edge, width=round(thick * scale))
        case Rule(x, y, to_x, to_y, edge, thick, _):
            canvas.line((x * scale, y * scale, to_x * scale, to_y * scale), edge, round(thick * scale))
        case Stroke():
            for line in shape.lines:
                _draw_line(canvas, [(x * scale, y * scale) for x, y in line], shape.colour, shape.thick * scale)
        case Text():
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
            font = _font(shape.size * scale, bold=shape.bold)
            canvas.text((shape.x * scale, shape.baseline * scale), shape.text, shape.colour, font, anchor)


def _draw_line(canvas: Any, points: list[tuple[float, float]], colour: str, thick: float) -> None:  # noqa: ANN401
    """A line with round ends and corners."""
    canvas.line(points, colour, round(thick), joint="curve")
    for end in (points[0], points[-1]):
        canvas.circle(end, thick / 2, fill=colour)


@lru_cache(MOST_FONTS)
def _font(size: float, *, bold: bool) -> Any:  # noqa: ANN401
    from PIL import ImageFont

    return ImageFont.truetype(font_file(bold=bold), size)
