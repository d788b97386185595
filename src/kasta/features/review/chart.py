"""The total to be expected through a game, a line for each seat: the template draws it as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 1000.0, 300.0  # of the drawing, which is stretched to its place
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MOST_BANDS = 5
DASHES = ("", "14 5", "4 4", "14 5 3 5", "8 8", "20 6")  # nothing is said by colour alone


@dataclass(frozen=True, slots=True)
class Course:
    """What a seat could expect: at the start, and after each round."""

    name: str
    shape: str
    colour: str
    values: tuple[float, ...]
    is_own: bool = False
    is_ghost: bool = False


@dataclass(frozen=True, slots=True)
class ChartLine:
    course: Course
    points: str
    dash: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over bands between round totals; `ticks` stand beside them from top to bottom, `rounds` below."""

    lines: tuple[ChartLine, ...]
    ticks: tuple[int, ...]
    bands: tuple[float, ...]
    rounds: tuple[int, ...]
    at: tuple[float, float] | None

    @property
    def most(self) -> int:
        """How many rounds there are."""
        return max(len(line.course.values) for line in self.lines) - 1


def chart(courses: Sequence[Course], at: int | None = None) -> Chart | None:
    """The courses of some seats, the own one first; `at` is the round that is looked at."""
    drawn = [course for course in courses if len(course.values) > 1]
    if not drawn:
        return None
    most = max(len(course.values) for course in drawn) - 1
    values = [value for course in drawn for value in course.values]
    step = next(step for step in STEPS if (max(values) - min(values)) / step < MOST_BANDS - 1 or step == STEPS[-1])
    low = int(min(values) // step) * step
    bands = max(1, -int(-(max(values) - low) // step))
    high = low + bands * step

    def place(round_: int, value: float) -> tuple[float, float]:
        return round(WIDTH * round_ / most, 1), round(HEIGHT * (high - value) / (high - low), 1)

    own = drawn[0].values
    points = [" ".join("{},{}".format(*place(i, value)) for i, value in enumerate(each.values)) for each in drawn]
    lines = [
        ChartLine(course, points[i], "2 7" if course.is_ghost else DASHES[i % 6]) for i, course in enumerate(drawn)
    ]
    return Chart(
        tuple(lines),
        tuple(high - i * step for i in range(bands + 1)),
        tuple(round(HEIGHT * i / bands, 1) for i in range(bands + 1)),
        _labels(most),
        place(at, own[at]) if at is not None and at < len(own) else None,
    )


def _labels(most: int) -> tuple[int, ...]:
    """Some rounds at equal distances, from the start to the last."""
    parts = next((parts for parts in (5, 4, 3, 2) if most % parts == 0), 1)
    return tuple(most * part // parts for part in range(parts + 1))
