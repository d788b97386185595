"""Figures of games over time: dots, their running mean, a band of the best play. The template draws the SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kasta.games.traits import Par
from kasta.i18n import MINUS
from kasta.page.charts import scale

WIDTH, HEIGHT = 320.0, 150.0  # of a curve, in units of its own
LEFT, RIGHT, TOP, BOTTOM = 30.0, 312.0, 8.0, 132.0  # of the room for dots
RUNNING = 10  # games that the running mean is of
MOST_TICKS = 5


class Dot(NamedTuple):
    x: float
    y: float


class Tick(NamedTuple):
    """A total at the edge, and how high it stands."""

    text: str
    y: float


@dataclass(frozen=True, slots=True)
class Band:
    """Where two of three totals of the best play are, and their mean."""

    top: float
    height: float
    middle: float


@dataclass(frozen=True, slots=True)
class Curve:
    """`path` is the running mean as an SVG path, if there are enough games; `zero` is where nothing stands."""

    dots: tuple[Dot, ...]
    path: str
    ticks: tuple[Tick, ...]
    band: Band | None
    zero: float | None = None


def curve(totals: Sequence[float], par: Par | None = None, *, from_zero: bool = False) -> Curve:
    """Totals from the oldest to the newest, or other figures of games, in a picture that has their zero."""
    edges = (par.mean + par.spread, par.mean, par.mean - par.spread) if par else ()
    seen = [*totals, *edges, *[0.0] * from_zero]
    height = scale(min(seen), max(seen), MOST_TICKS)

    def y(total: float) -> float:
        return round(BOTTOM - height.share(total) * (BOTTOM - TOP), 2)

    def x(place: int) -> float:
        return round(LEFT + (place + 0.5) / len(totals) * (RIGHT - LEFT), 2)

    means = [sum(totals[end - RUNNING : end]) / RUNNING for end in range(RUNNING, len(totals) + 1)]
    path = " L".join(f"{x(place)} {y(mean)}" for place, mean in enumerate(means, RUNNING - 1))
    return Curve(
        tuple(Dot(x(place), y(total)) for place, total in enumerate(totals)),
        f"M{path}" if len(means) > 1 else "",
        tuple(Tick(str(total).replace("-", MINUS), y(total)) for total in height.ticks),
        _band(*map(y, edges)) if edges else None,
        y(0) if from_zero else None,
    )


def _band(top: float, middle: float, foot: float) -> Band:
    return Band(top, round(foot - top, 2), middle)
