"""The total to be expected through a game, a line for each seat: the template draws it as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from markupsafe import Markup

from kasta.coach.review import GHOST
from kasta.core import Seat
from kasta.page.charts import scale
from kasta.page.sheet_html import seat_mark

WIDTH, HEIGHT = 1000.0, 300.0  # of the drawing, which is stretched to its place
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MOST_BANDS = 5
DASHES = ("", "14 5", "4 4", "14 5 3 5", "8 8", "20 6")  # nothing is said by colour alone


@dataclass(frozen=True, slots=True)
class Course:
    """What a seat could expect: at the start, and after each round."""

    name: str
    seat: Seat
    values: tuple[float, ...]
    is_own: bool = False

    @property
    def is_ghost(self) -> bool:
        return self.seat == GHOST

    @property
    def mark(self) -> Markup:
        return Markup('<span class="mark"></span>') if self.is_ghost else seat_mark(self.seat)

    @property
    def colour(self) -> str:
        return "ghost" if self.is_ghost else f"seat{self.seat % 8}"


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
    values = [value for course in drawn for value in course.values]
    height, rounds = (
        scale(min(values), max(values), MOST_BANDS, STEPS),
        max(len(each.values) for each in drawn) - 1,
    )

    def place(round_: int, value: float) -> tuple[float, float]:
        return round(WIDTH * round_ / rounds, 1), round(HEIGHT * (1 - height.share(value)), 1)

    def line(course: Course, dash: str) -> ChartLine:
        points = " ".join("{},{}".format(*place(*each)) for each in enumerate(course.values))
        return ChartLine(course, points, "2 7" if course.is_ghost else dash)

    ticks, own = tuple(reversed(height.ticks)), drawn[0].values
    return Chart(
        tuple(map(line, drawn, cycle(DASHES))),
        ticks,
        tuple(place(0, tick)[1] for tick in ticks),
        _labels(rounds),
        place(at, own[at]) if at is not None and at < len(own) else None,
    )


def _labels(most: int) -> tuple[int, ...]:
    """Some rounds at equal distances, from the start to the last."""
    parts = next((parts for parts in (5, 4, 3, 2) if most % parts == 0), 1)
    return tuple(most * part // parts for part in range(parts + 1))
