"""What stands on the sheets, for people who watch."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kasta.core import Over, Pick
from kasta.env.coding import AnyCoding
from kasta.games import GAMES
from kasta.games.drawing import Block, DrawnGrid, Plain
from kasta.i18n import DEFAULT, spelled, words

Frame = NDArray[np.uint8]

RENDER_MODES = ["human", "ansi", "rgb_array"]  # for people: text in the terminal, whenever something happened

CELL, GAP = 32, 16
LINE, WIDE = CELL // 2, 8 * CELL  # of text
PAPER, INK, PALE = (255, 255, 250), (30, 30, 60), (190, 190, 200)


def render(mode: str | None, coding: AnyCoding, sheets: Sequence[Any]) -> str | Frame | None:
    """The sheets as a mode has them; those for people are shown at once."""
    match mode:
        case "human":
            sys.stdout.write(text(coding, sheets) + "\n")
        case "ansi":
            return text(coding, sheets)
        case "rgb_array":
            return picture(coding, sheets)
    return None


def text(coding: AnyCoding, sheets: Sequence[Any]) -> str:
    """The sheets one below the other, each with what is thrown and its total."""
    solo = coding.solo
    return "\n".join(
        f"{solo.write_sheet(sheet)}{thrown(coding, sheet)}total {solo.total(sheet)}\n" for sheet in sheets
    )


def thrown(coding: AnyCoding, sheet: Any) -> str:  # noqa: ANN401 - each game has its own sheets
    """What was thrown and waits for an action."""
    match coding.solo.next(sheet):
        case Over():
            return "over\n"
        case Pick() if waiting := coding.thrown(sheet):
            return "thrown " + " ".join(str(number or "-") for number in waiting) + "\n"
    return ""


def picture(coding: AnyCoding, sheets: Sequence[Any]) -> Frame:
    """The sheets side by side, in colours by height, width and channel."""
    frames = [_frame(coding, sheet) for sheet in sheets]
    tallest = max(map(len, frames))
    return np.concatenate([_lengthened(frame, tallest) for frame in frames], axis=1)


def _lengthened(frame: Frame, height: int) -> Frame:
    paper = np.full((height - len(frame), *frame.shape[1:]), PAPER, np.uint8)
    return np.concatenate([frame, paper])


def _frame(coding: AnyCoding, sheet: Any) -> Frame:  # noqa: ANN401
    foot = f"{thrown(coding, sheet).strip()}  total {coding.solo.total(sheet)}"
    match GAMES[coding.game].draw(coding.solo, sheet, words(DEFAULT)):
        case DrawnGrid() as grid:
            return _grid(grid, foot)
        case Block() as block:
            return _list([(spelled(box.name), box.text) for box in block.boxes.values()], foot)
        case Plain(lines):
            return _list([(line, "") for line in lines.splitlines()], foot)


def _canvas(width: int, height: int) -> tuple[Any, Any, Any]:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), PAPER)
    return image, ImageDraw.Draw(image), ImageFont.load_default(LINE)


def _grid(grid: DrawnGrid, foot: str) -> Frame:
    width, height = (len(cells) * CELL + 2 * GAP for cells in (grid.cells[0], grid.cells))
    image, draw, font = _canvas(width, height + CELL)
    for row, cells in enumerate(grid.cells):
        for column, cell in enumerate(cells):
            x, y = GAP + column * CELL, GAP + row * CELL
            draw.rectangle((x, y, x + CELL, y + CELL), outline=PALE)
            if cell.is_circled:
                draw.ellipse((x + 3, y + 3, x + CELL - 3, y + CELL - 3), outline=INK, width=2)
            draw.text((x + CELL / 2, y + CELL / 2), cell.text, INK, font, anchor="mm")
    draw.text((GAP, height), foot, INK, font)
    return np.asarray(image)


def _list(lines: Sequence[tuple[str, str]], foot: str) -> Frame:
    """A line for each, the first text on the left and the second on the right."""
    height = len(lines) * LINE + 2 * GAP
    image, draw, font = _canvas(WIDE, height + CELL)
    for line, (left, right) in enumerate(lines):
        draw.text((GAP, GAP + line * LINE), left, INK, font)
        draw.text((WIDE - GAP, GAP + line * LINE), right, INK, font, anchor="ra")
    draw.text((GAP, height), foot, INK, font)
    return np.asarray(image)
