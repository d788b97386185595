"""Numbers as a hand writes them, with a pencil or a crayon: the same on pages and on pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

WIDE, HIGH = 60.0, 100.0  # the field of a figure
THICK = 7.0  # of a pencil, on that field
STEPS = 12  # of a curve, where it is drawn by straight lines
STROKES = {
    "d0": "M34 10C16 6 8 36 10 58C12 80 21 92 32 90C46 87 52 64 50 42C48 23 42 12 29 13",
    "d1": "M16 33C24 28 32 19 36 9C36 37 34 63 34 91",
    "d2": "M11 31C11 15 24 8 34 10C47 13 49 27 43 40C36 55 21 71 9 88C22 84 39 87 53 86",
    "d3": "M12 17C23 7 46 7 45 26C44 39 32 46 23 48C39 46 51 55 49 70C46 88 22 96 9 81",
    "d4": "M22 11C20 29 14 47 9 61C23 64 39 62 54 58M42 37C41 55 39 73 39 92",
    "d5": "M48 10C38 13 28 13 19 11C19 23 16 34 14 46C29 37 50 44 50 65C50 88 24 97 8 83",
    "d6": "M43 8C26 19 11 43 11 67C11 84 22 93 33 91C46 88 52 77 48 65C43 51 24 49 12 69",
    "d7": "M9 15C23 17 38 15 52 11C43 32 33 59 28 92",
    "d8": "M46 22C40 7 16 7 16 25C16 43 48 48 48 70C47 92 12 94 12 72C12 52 45 45 46 22",
    "d9": "M48 27C43 9 17 7 13 29C10 50 38 54 47 31C49 53 44 75 33 92",
    "ring": "M70 9C43-1 9 16 6 48C4 80 33 98 59 95C88 91 99 63 94 39C89 17 63 1 36 9",
}
"""How each figure is written, `d0` to `d9`, and a `ring` on a field of 100 by 100, as SVG paths of curves."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """Something of `STROKES` at a place, so much wider and higher than its field."""

    name: str
    x: float
    y: float
    wide: float
    high: float
    colour: str
    thick: float  # in points

    @property
    def lines(self) -> Iterator[list[Point]]:
        """The same by straight lines, one for each time that the pencil is set down."""
        for line in curves(self.name):
            yield [(self.x + x * self.wide, self.y + y * self.high) for x, y in line]

    @property
    def path(self) -> str:
        """The same as an SVG path."""
        return " ".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) for line in self.lines)


@lru_cache(len(STROKES))
def curves(name: str) -> tuple[tuple[Point, ...], ...]:
    return tuple(tuple(_curve(piece)) for piece in STROKES[name].split("M")[1:])


def _curve(piece: str) -> Iterator[Point]:
    """The points of cubic curves, each of which begins where the one before ends."""
    numbers = [float(number) for number in re.findall(r"-?\d+", piece)]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    yield points[0]
    for first in range(0, len(points) - 3, 3):
        ends = points[first : first + 4]
        yield from (_between(ends, step / STEPS) for step in range(1, STEPS + 1))


def _between(ends: list[Point], at: float) -> Point:
    """A point of a cubic curve."""
    weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
    x, y = (sum(weight * end[side] for weight, end in zip(weights, ends, strict=True)) for side in (0, 1))
    return x, y


def written(number: str, x: float, y: float, high: float, colour: str) -> Iterator[Stroke]:
    """A number, so high, with its middle at a place."""
    scale = high / HIGH
    left = x - len(number) * WIDE * scale / 2
    for place, digit in enumerate(number):
        yield Stroke(
            f"d{digit}", left + place * WIDE * scale, y - high / 2, scale, scale, colour, max(1.1, THICK * scale)
        )


def ringed(x: float, y: float, width: float, height: float, colour: str, thick: float) -> Stroke:
    """A ring drawn around a place."""
    return Stroke("ring", x - width / 2, y - height / 2, width / HIGH, height / HIGH, colour, thick)
