"""What stands in a person's book: the last totals as a small picture, and badges as stamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kasta.games.traits import AnyGame, AnyTraits
from kasta.i18n import Words
from kasta.page.charts import scale
from kasta.structs import Struct

WIDTH, HEIGHT = 320, 112  # of the picture, in units of its own
LEFT, RIGHT, TOP, BOTTOM = 84.0, 302.0, 18.0, 96.0  # of the room for dots; what totals are called stands before it
APART = 15.0  # lines whose words do not touch
MOST_TICKS = 4
INKS = 4  # of stamps


class TotalDot(Struct, frozen=True):
    x: float
    y: float
    total: int


class GradeLine(Struct, frozen=True):
    """Where a grade begins."""

    text: str
    y: float


class LastTen(Struct, frozen=True):
    """Totals, the oldest first: the last one is the one that is looked at."""

    dots: tuple[TotalDot, ...]
    grades: tuple[GradeLine, ...]

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{dot.x} {dot.y}" for dot in self.dots)

    @property
    def listed(self) -> str:
        return ", ".join(str(dot.total) for dot in self.dots)


class Stamp(Struct, frozen=True):
    """A badge as it is shown: `mark` in its middle, `name` below it, and which ink it is printed with."""

    mark: str
    name: str
    ink: int
    day: str = ""  # on which it was earned


def last_ten(game: AnyGame, totals: Sequence[int], words: Words) -> LastTen | None:
    """The picture of some totals; of one alone there is none."""
    if len(totals) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    low, high = min(totals), max(totals)
    room = scale(low, high, MOST_TICKS)

    def y(total: float) -> float:
        return round(BOTTOM - room.share(total) * (BOTTOM - TOP), 1)

    step = (RIGHT - LEFT) / (len(totals) - 1)
    lines = list[GradeLine]()
    for name, least in reversed([*game.traits.verdicts(words.language, game.rules).items()]):
        if low < least <= high and (not lines or y(least) - lines[-1].y >= APART):
            lines.append(GradeLine(f"{game.traits.say(words, name)} {least}", y(least)))
    return LastTen(
        tuple(TotalDot(round(LEFT + place * step, 1), y(total), total) for place, total in enumerate(totals)),
        tuple(lines),
    )


def stamps(traits: AnyTraits, earned: Mapping[str, str], words: Words) -> tuple[Stamp, ...]:
    """Badges by their codes, each with the day to be shown, if any; what is rare comes first."""
    found = [(number, badge) for number, badge in enumerate(traits.badges) if badge.code in earned]
    return tuple(
        Stamp(badge.mark, traits.say(words, badge.name), number % INKS, earned[badge.code])
        for number, badge in reversed(found)
    )
