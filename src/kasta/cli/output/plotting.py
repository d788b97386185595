"""Figures drawn in the terminal: how one went round by round, and how often each total comes.

With block characters on a screen; in plain letters, a line for each range, for pipes and plain screens.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from kasta.cli.output.localised import figure

ROWS = 9
WIDEST = 68  # letters beside the scale, in plain letters
SCALE = 10  # letters left of what is drawn
EVERY = 5  # rounds, of which one is numbered
RANGES = 20  # lines at most, in plain letters
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)  # how many totals may share a column
BLOCKS = " ▁▂▃▄▅▆▇█"
RARE = 1e-4  # a chance that is not worth a line


def has_blocks() -> bool:
    """Whether somebody looks at a screen that knows block characters."""
    is_utf = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and is_utf


def plot(values: Sequence[float], *, blocks: bool | None = None) -> Iterator[str]:
    """A column or a dot for each value, the scale on the left, rounds below."""
    low, high = min(values), max(values)
    step = (high - low) / (ROWS - 1) or 1.0
    wide = max(1, min(3, WIDEST // len(values)))
    drawn = has_blocks() if blocks is None else blocks
    heights = [(value - low) / step for value in values]
    rows = list(_columns([(height + 1) / ROWS for height in heights], wide) if drawn else _dots(heights, wide))
    for height, row in zip(reversed(range(len(rows))), rows, strict=True):
        yield f"{figure(low + height * step, 1):>8} |{row}".rstrip()
    yield f"{'':9}+{'-' * wide * len(values)}"
    yield _numbers({wide * number: str(number) for number in (1, *range(EVERY, len(values) + 1, EVERY))})


def _dots(heights: Sequence[float], wide: int) -> Iterator[str]:
    rounded = list(map(round, heights))
    for height in reversed(range(max(rounded) + 1)):
        yield "".join(("*" if own == height else "").rjust(wide) for own in rounded)


def histogram(chances: Mapping[int, float], *, blocks: bool | None = None) -> Iterator[str]:
    """How likely each total is: columns as wide as the screen, or a line for each range of totals."""
    totals = [total for total, chance in chances.items() if chance >= RARE]
    if not totals:
        return
    least, highest = min(totals), max(totals)
    drawn = has_blocks() if blocks is None else blocks
    most = max(RANGES, shutil.get_terminal_size().columns - SCALE - 2) if drawn else RANGES
    step = next((each for each in STEPS if (highest - least) // each + 2 <= most), STEPS[-1])
    lows = range(least // step * step, highest + 1, step)
    shares = [sum(chances.get(total, 0.0) for total in range(low, low + step)) for low in lows]
    yield from _upright(lows, shares) if drawn else _lying(lows, shares, step)


def _upright(lows: Sequence[int], shares: Sequence[float]) -> Iterator[str]:
    high = max(shares)
    wide = max(1, min(3, (shutil.get_terminal_size().columns - SCALE - 2) // len(shares)))
    for height, row in zip(reversed(range(ROWS)), _columns([share / high for share in shares], wide), strict=True):
        label = f"{figure(100 * high * (height + 1) / ROWS, 1)} %" if height % 4 == 0 else ""
        yield f"{label:>8} |{row}".rstrip()
    yield f"{'':9}+{'-' * wide * len(shares)}"
    apart = max(1, ceil(8 / wide))
    yield _numbers({wide * (place + 1): str(lows[place]) for place in range(0, len(lows), apart)})


def _lying(lows: Sequence[int], shares: Sequence[float], step: int) -> Iterator[str]:
    high, digits = max(shares), len(str(lows[-1] + step))
    for low, share in zip(lows, shares, strict=True):
        name = f"{low:>{digits}}" if step == 1 else f"{low:>{digits}} - {low + step - 1:>{digits}}"
        yield f"{name:>12} {figure(100 * share, 1):>5} %  {'#' * round(40 * share / high)}".rstrip()


def _columns(heights: Sequence[float], wide: int) -> Iterator[str]:
    """Rows of block characters, the top one first, for heights from 0 to 1."""
    eighths = len(BLOCKS) - 1
    filled = [round(height * ROWS * eighths) for height in heights]
    for row in reversed(range(ROWS)):
        yield "".join(BLOCKS[max(0, min(eighths, each - row * eighths))] * wide for each in filled)


def _numbers(ends: Mapping[int, str]) -> str:
    """Numbers below, each ending at its column; those that find no room are left off."""
    text = ""
    for end, number in ends.items():
        if len(text) < max(1, end - len(number)) or not text:
            text = text.ljust(end - len(number)) + number
    return f"{'':{SCALE}}{text}"
