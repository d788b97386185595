"""Scales, and columns: how totals are spread, how often each number fell. Templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 120.0, 48.0  # of a chart, in units of its own
ROOM = 38.0  # for the columns; numbers stand below
MOST_COLUMNS = 30
FEWEST_COLUMNS = 11  # less would be towers
MOST_LABELS = 11
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Column:
    """`number` of `what`: a total, or several from `what` on; `label` stands below, if there is room."""

    what: int
    number: int
    label: str
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 2)


@dataclass(frozen=True, slots=True)
class Spread:
    """How totals are spread: columns of `step` points each."""

    columns: tuple[Column, ...]
    step: int
    least: int
    middle: int
    most: int


@dataclass(frozen=True, slots=True)
class Scale:
    """Round figures, a `step` apart, around all that is drawn."""

    low: int
    high: int
    step: int

    @property
    def ticks(self) -> range:
        return range(self.low, self.high + 1, self.step)

    def share(self, value: float) -> float:
        """How far up it is: 0 is below, 1 above."""
        return (value - self.low) / (self.high - self.low)


def scale(least: float, most: float, ticks: int, steps: Sequence[int] = STEPS) -> Scale:
    """At most so many ticks, unless figures are far apart."""
    step = next((step for step in steps if (most - least) / step < ticks - 1), steps[-1])
    low = int(least // step) * step
    return Scale(low, max(int(-(-most // step)) * step, low + step), step)


def chart(counted: Sequence[tuple[int, int]]) -> tuple[Column, ...]:
    """Columns side by side, the highest as high as there is room."""
    slot = WIDTH / len(counted)
    most = max(number for _, number in counted) or 1
    every = -(-len(counted) // MOST_LABELS)
    made = []
    for place, (what, number) in enumerate(counted):
        height = round(ROOM * number / most, 2)
        label = str(what) if place % every == 0 else ""
        x, y = round((place + 0.08) * slot, 2), round(ROOM - height, 2)
        made.append(Column(what, number, label, x, y, round(0.84 * slot, 2), height))
    return tuple(made)


def spread(totals: Mapping[int, int]) -> Spread | None:
    """How many have each total, some totals together where there are many."""
    if not totals:
        return None
    least, most = min(totals), max(totals)
    step = next(step for step in STEPS if (most - least) // step < MOST_COLUMNS - 1 or step == STEPS[-1])
    first, last = least - least % step, most - most % step
    while (last - first) // step + 1 < FEWEST_COLUMNS:
        first, last = max(0, first - step), last + step
    counted = [
        (start, sum(totals.get(total, 0) for total in range(start, start + step)))
        for start in range(first, last + 1, step)
    ]
    return Spread(chart(counted), step, least, _median(totals), most)


def _median(totals: Mapping[int, int]) -> int:
    """Half of all have at least as much."""
    rest = sum(totals.values()) / 2
    for total in sorted(totals, reverse=True):
        rest -= totals[total]
        if rest <= 0:
            return total
    return 0
