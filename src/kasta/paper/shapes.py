"""What pads and pictures are made of. Sizes are in points, counted from the top left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from kasta.extras import extra
from kasta.paper.handwriting import Stroke

INK, PENCIL, PALE, WHITE = "#1c2b2e", "#566567", "#a9b0ae", "#ffffff"
LEAD, CRAYON = "#4d535a", "#b93a22"  # what is written
SMALLEST = 4.0  # size of letters
CAPITALS = 0.73  # the height of a capital letter, by the size of the font


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle: filled, or with an edge, or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    edge: str = ""
    thick: float = 0.7
    rounded: float = 0.0


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle without a filling."""

    x: float
    y: float
    radius: float
    edge: str
    thick: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float
    edge: str = PALE
    thick: float = 0.7
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Letters that begin, end or are centred at `x`, with the middle of their capitals at `y`."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"

    @property
    def baseline(self) -> float:
        return self.y + self.size * CAPITALS / 2

    @property
    def width(self) -> float:
        """How wide the letters are."""
        return float(letters(bold=self.bold).stringWidth(self.text, self.size))


Shape = Rectangle | Ring | Rule | Text | Stroke


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code that opens a link."""

    x: float
    y: float
    side: float
    link: str


@cache
def letters(*, bold: bool = False) -> Any:  # noqa: ANN401 - ReportLab has no types
    """The font of all that we print. It comes with ReportLab, so that no system has to have one."""
    with extra("paper"):
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
    name = "VeraBd" if bold else "Vera"
    pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    return pdfmetrics.getFont(name)


def font_file(*, bold: bool) -> Path:
    """Where the font is."""
    return Path(letters(bold=bold).face.filename)


def fitted(most: float, text: Text) -> Text:
    """A text in smaller letters, if it would be wider than `most`."""
    if text.width <= most:
        return text
    size = max(SMALLEST, text.size * most / text.width)
    return Text(text.x, text.y, text.text, size, text.colour, text.bold, text.anchor)


def wrapped(most: float, text: Text, leading: float) -> Iterator[Text]:
    """A text in lines that are not wider than `most`, one below the other."""
    lines = [""]
    for word in text.text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and letters(bold=text.bold).stringWidth(longer, text.size) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    for number, line in enumerate(lines):
        below = text.y + number * leading
        yield fitted(most, Text(text.x, below, line, text.size, text.colour, text.bold, text.anchor))
