"""The throws of a day as somebody tells others of them: how much each line or box has brought, and no number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.i18n.dates import day_noted
from kasta.page.sheet_model import drawing_of
from kasta.structs import Struct, replace
from kasta.tables.state import Table
from kasta.tables.view import SeatView

SQUARES = "⬜🟨🟧🟩"


def points_of(text: str) -> int:
    """What stands in a box, or at the end of a line, in points."""
    return int(text) if text.isdecimal() else 0


class Pattern(Struct, frozen=True):
    """How much each line or box has brought, in groups: rows, columns and diagonals, or sections of a block."""

    groups: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        return " ".join("".join(SQUARES[worth] for worth in group) for group in self.groups)


def pattern(game: AnyGame, sheet: Any, words: Words) -> Pattern:  # noqa: ANN401 - of any game
    """The pattern of a finished sheet."""

    def worth(name: str, points: str) -> int:
        return game.traits.worth(game.solo, name, points_of(points))

    drawn = drawing_of(game, sheet, words)
    return Pattern(tuple(tuple(worth(*each) for each in group) for group in _groups(drawn)))


def _groups(drawn: drawing.Drawing) -> Iterator[list[tuple[str, str]]]:
    match drawn:
        case drawing.DrawnGrid():
            for lines in (drawn.rows, drawn.columns, (drawn.falling, drawn.rising)):
                yield [(line.name, line.text if line.is_earned else "") for line in lines]
        case drawing.Block():
            for section in drawn.sections:
                yield [(box.name, box.text) for box in section.boxes]


class DayShare(Struct, frozen=True):
    """What is told of a day or a challenge: first the date, game and total, then the pattern, and the link."""

    first: str
    pattern: Pattern
    link: str

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.first, str(self.pattern), self.link)))


def day_shared(table: Table, own: SeatView, origin: str, words: Words) -> DayShare | None:
    """What is told of a try that counted: nothing that would help others to play the same throws."""
    if table.series is None or not table.counted:
        return None
    if table.challenge is not None:
        first = f"Kasta · {table.game.traits.heading(words)} {own.points}"
        return DayShare(first, pattern(table.game, own.sheet, words), challenge_link(origin, table.challenge))
    if table.day is None:
        return None
    told = day_total(table.game, table.day, own.points, origin, words)
    return replace(told, pattern=pattern(table.game, own.sheet, words))


def challenge_link(origin: str, challenge: str) -> str:
    """Where a challenge is found: after a dot stands which of its games it is."""
    return f"{origin}/challenge/{challenge.partition('.')[0]}"


def day_total(game: AnyGame, day: str, total: int, origin: str, words: Words) -> DayShare:
    """The same, as long as no more than a total is known."""
    first = f"Kasta {day_noted(words, day)} · {game.traits.heading(words)} {total}"
    return DayShare(first, Pattern(), f"{origin}/day/{game.name}/{day}")
