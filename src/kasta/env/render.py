"""What stands on the sheets, for people who watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kasta.core import Over, Pick, Solo
from kasta.env.coding import AnyCoding
from kasta.games.grid import Grid

Frame = NDArray[np.uint8]

RENDER_MODES = ["ansi", "rgb_array"]

CELL, GAP = 32, 16
PAPER, INK, PALE = (255, 255, 250), (30, 30, 60), (190, 190, 200)


def text(solo: Solo[Any, Any], sheets: Sequence[Any]) -> str:
    """The sheets one below the other, each with what is thrown and its total."""
    return "\n".join(
        f"{solo.write_sheet(sheet)}{thrown(solo, sheet)}total {solo.total(sheet)}\n" for sheet in sheets
    )


def thrown(solo: Solo[Any, Any], sheet: Any) -> str:  # noqa: ANN401 - each game has its own sheets
    """The sum or the dice that wait for an answer."""
    if not isinstance(solo.next(sheet), Pick):
        return "over\n" if isinstance(solo.next(sheet), Over) else ""
    waiting = getattr(sheet, "dice", None) or (getattr(sheet, "sum", None),)
    return "thrown " + " ".join(str(face or "-") for face in waiting) + "\n"


def picture(coding: AnyCoding, sheets: Sequence[Any]) -> Frame:
    """The sheets side by side, in colours by height, width and channel."""
    draw = _grid if isinstance(getattr(coding.solo, "grid", None), Grid) else _block
    return np.concatenate([draw(coding.solo, sheet) for sheet in sheets], axis=1)


def _canvas(width: int, height: int) -> tuple[Any, Any, Any]:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), PAPER)
    return image, ImageDraw.Draw(image), ImageFont.load_default(CELL // 2)


def _grid(solo: Any, sheet: Any) -> Frame:  # noqa: ANN401 - Knister or Knaster
    side = solo.grid.side
    width = side * CELL + 2 * GAP
    image, draw, font = _canvas(width, width + CELL)
    circled = getattr(sheet, "circled", ())
    for cell in solo.grid.cells:
        row, column = divmod(cell, side)
        x, y = GAP + column * CELL, GAP + row * CELL
        draw.rectangle((x, y, x + CELL, y + CELL), outline=PALE)
        if cell in circled:
            draw.ellipse((x + 3, y + 3, x + CELL - 3, y + CELL - 3), outline=INK, width=2)
        draw.text((x + CELL / 2, y + CELL / 2), str(sheet.numbers[cell] or ""), INK, font, anchor="mm")
    _foot(draw, font, width, solo, sheet)
    return np.asarray(image)


def _block(solo: Any, sheet: Any) -> Frame:  # noqa: ANN401 - Yatzy
    width, height = 8 * CELL, (len(solo.boxes) * CELL) // 2 + 2 * GAP
    image, draw, font = _canvas(width, height + CELL)
    for line, (box, points) in enumerate(zip(solo.boxes, sheet.boxes, strict=True)):
        y = GAP + line * CELL // 2
        draw.text((GAP, y), box.replace("_", " "), INK, font)
        draw.text((width - GAP, y), "" if points is None else str(points), INK, font, anchor="ra")
    _foot(draw, font, height, solo, sheet)
    return np.asarray(image)


def _foot(draw: Any, font: Any, y: int, solo: Any, sheet: Any) -> None:  # noqa: ANN401
    draw.text((GAP, y), f"{thrown(solo, sheet).strip()}  total {solo.total(sheet)}", INK, font)
