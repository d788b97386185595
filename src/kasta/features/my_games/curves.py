"""Figures of games over time: dots, their running mean, a band of the best play. The template draws the SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kasta.games.traits import Par
from kasta.page.charts import STEPS

WIDTH, HEIGHT = 320.0, 150.0  # of a curve, in units of its own
LEFT, RIGHT, TOP, BOTTOM = 30.0, 312.0, 8.0, 132.0  # of the room for dots
RUNNING = 10  # games that the running mean is of
MOST_TICKS = 5
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tick:
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
    least, most = float(min(totals)), float(max(totals))
    if from_zero:
        least, most = min(least, 0.0), max(most, 0.0)
    if par is not None:
        least, most = min(least, par.mean - par.spread), max(most, par.mean + par.spread)
    step = next(step for step in STEPS if (most - least) / step < MOST_TICKS - 1 or step == STEPS[-1])
    low = int(least // step * step)
    high = int(-(-most // step) * step) if most > low else low + step

    def y(total: float) -> float:
        return round(BOTTOM - (total - low) / (high - low) * (BOTTOM - TOP), 2)

    def x(place: int) -> float:
        return round(LEFT + (place + 0.5) / len(totals) * (RIGHT - LEFT), 2)

    means = [
        (place, sum(totals[place + 1 - RUNNING : place + 1]) / RUNNING)
        for place in range(RUNNING - 1, len(totals))
    ]
    path = " ".join(f"{'ML'[number > 0]}{x(place)} {y(mean)}" for number, (place, mean) in enumerate(means))
    band = None
    if par is not None:
        top, foot = y(par.mean + par.spread), y(par.mean - par.spread)
        band = Band(top, round(foot - top, 2), y(par.mean))
    return Curve(
        tuple(Dot(x(place), y(total)) for place, total in enumerate(totals)),
        path if len(means) > 1 else "",
        tuple(Tick(str(total).replace("-", MINUS), y(total)) for total in range(low, high + 1, step)),
        band,
        y(0) if from_zero else None,
    )
