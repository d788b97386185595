"""A line drawn with letters: how a figure went, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kasta.cli.spoken import figure

ROWS = 9
WIDEST = 68  # letters beside the scale
EVERY = 5  # rounds, of which one is numbered


def plot(values: Sequence[float], rows: int = ROWS) -> Iterator[str]:
    """A dot for each value, the scale on the left, rounds below. Plain letters: every terminal has them."""
    low, high = min(values), max(values)
    step = (high - low) / (rows - 1) or 1.0
    wide = max(1, min(3, WIDEST // len(values)))
    heights = [round((value - low) / step) for value in values]
    for height in reversed(range(max(heights) + 1)):
        dots = "".join(("*" if own == height else "").rjust(wide) for own in heights)
        yield f"{figure(low + height * step, 1):>8} |{dots}".rstrip()
    yield f"{'':9}+{'-' * wide * len(values)}"
    numbers = ""
    for number in (1, *range(EVERY, len(values) + 1, EVERY)):
        numbers = numbers.ljust(wide * number - len(str(number))) + str(number)
    yield f"{'':10}{numbers}"
