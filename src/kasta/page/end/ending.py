"""The end of a game as a page tells it: who wins, what was best on each sheet, and all sheets in one view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from kasta.core import FACES, Over, Seat
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.end.book import LastTen, Stamp, last_ten, stamps
from kasta.page.end.finish import Finish, OwnTotal, finish_alone, finish_together, grade
from kasta.page.end.past import UNKNOWN_PAST, Past
from kasta.page.end.pattern import DayShare, challenge_link, day_shared, points_of
from kasta.page.sheet_model import drawing_of
from kasta.structs import Struct
from kasta.tables.state import Table
from kasta.tables.view import SeatView

NOTHING = "\N{EN DASH}"
DIAGONALS = {"\\": "↘", "/": "↗"}


class Score(Struct, frozen=True):
    """What one line or box of a sheet brought: `text` as it stands there, `hand` as it is called."""

    text: str
    hand: str
    points: int


class Row(Struct, frozen=True):
    """The same line or box on all sheets."""

    label: str
    scores: tuple[Score, ...]

    @property
    def most(self) -> int:
        return max(score.points for score in self.scores)


class ShareOffer(Struct, frozen=True):
    """What somebody sends to others of a finished game: a text, and a `picture`, with .svg or .png behind it."""

    text: str
    picture: str
    day: DayShare | None = None  # the text in its parts, of a try that counted


class Ending(Struct, frozen=True):
    """`best` is the best of each sheet, and `grades` what totals are called, by seat.

    `result` is what those who watched send to others.
    """

    finish: Finish
    names: tuple[str, ...]
    totals: tuple[int, ...]
    rows: tuple[Row, ...]
    best: tuple[tuple[Seat, str], ...]
    grades: tuple[tuple[Seat, str], ...]
    result: str
    shared: ShareOffer | None = None  # what the viewer sends to others, who has a sheet
    ten: LastTen | None = None  # the viewer's last totals
    stamps: tuple[Stamp, ...] = ()  # what the viewer has earned now, and not before
    are_throws_known: bool = (
        False  # all of them, to the viewer who played: the game is over, and its secret revealed
    )


def ending(
    table: Table,
    seats: Sequence[SeatView],
    best_of_crowd: Sequence[tuple[str, int]],
    words: Words,
    own: SeatView | None = None,
    past: Past = UNKNOWN_PAST,
) -> Ending:
    """The end of a table where these seats are listed, or of a crowd of which only the best are.

    `own` is the viewer's seat, if there is one, and `past` what came before.
    """
    game = table.game
    stayed = [each for each in seats if not each.has_left]
    ranked = [(each.name, each.points) for each in stayed] or list(best_of_crowd)
    sheets = {each.seat: scores_of(game, each.sheet, words) for each in seats}
    best = {seat: _best(scores.values()) for seat, scores in sheets.items()}
    is_whole = table.play is not None and isinstance(game.next(table.play), Over)
    graded = {each.seat: grade(game, each.points, words) for each in stayed} if is_whole else {}
    mine = OwnTotal(own.points, best.get(own.seat, ""), past) if own and is_whole else None
    return Ending(
        finish=_finish(table, ranked, mine, words),
        names=tuple(each.name for each in seats),
        totals=tuple(each.points for each in seats),
        rows=rows_of([*sheets.values()]),
        best=_named(best),
        grades=_named(graded),
        result=f"{game.traits.heading(words)}: {_listed(ranked)}",
        ten=last_ten(game, mine.totals, words) if mine else None,
        stamps=stamps(game.traits, dict.fromkeys(past.badges, ""), words),
        are_throws_known=mine is not None and table.is_closed and table.settings.dice == "app",
    )


def _named(texts: Mapping[Seat, str]) -> tuple[tuple[Seat, str], ...]:
    """Those of whom there is something to say."""
    return tuple((seat, text) for seat, text in texts.items() if text)


def _finish(table: Table, ranked: Sequence[tuple[str, int]], own: OwnTotal | None, words: Words) -> Finish:
    if len(ranked) == 1 and own is not None:
        return finish_alone(table.game, own, words)
    named = heading(ranked, words)
    if len(ranked) < 2:  # noqa: PLR2004 - it takes two
        return Finish(named, ())
    return finish_together(named, [total for _, total in ranked], own, table.game, words)


def counts(table: Table) -> tuple[tuple[int, int], ...]:
    """How often each number fell."""
    dice = len(table.faces)
    if not dice or table.game.traits.shows != "sum":
        return ()
    numbers = range(dice * FACES[0], dice * FACES[-1] + 1)
    return tuple((number, table.fell.get(number, 0)) for number in numbers)


def _listed(ranked: Sequence[tuple[str, int]]) -> str:
    """Names and totals, the best first."""
    return ", ".join(f"{name} {total}" for name, total in sorted(ranked, key=lambda one: -one[1]))


def rows_of(sheets: Sequence[Mapping[str, Score]]) -> tuple[Row, ...]:
    """The lines or boxes in which anything stands."""
    labels = sheets[0] if sheets else ()
    rows = (Row(label, tuple(sheet[label] for sheet in sheets)) for label in labels)
    return tuple(row for row in rows if any(score.text for score in row.scores))


def told_of(table: Table, own: SeatView, seats: int, words: Words) -> str:
    """What one's total is called alone, or its place among others."""
    if seats == 1:
        return grade(table.game, own.points, words)
    return words.say("Place {place} of {players}", place=own.place, players=seats) if own.place else ""


def shared(table: Table, own: SeatView, seats: int, origin: str, words: Words) -> ShareOffer:
    """What is sent to others. The link leads to a new game, not to this table, where others are named."""
    picture = f"/t/{table.id}/sheet/{own.seat}"
    if (day := day_shared(table, own, origin, words)) is not None:
        return ShareOffer(str(day), picture, day)
    total = words.count("{number} point", "{number} points", own.points)
    lines = (f"{table.game.traits.heading(words)}: {total}", told_of(table, own, seats, words))
    text = "".join(f"{line}. " for line in lines if line) + link_to_play(origin, table)
    return ShareOffer(text, picture)


def link_to_play(origin: str, table: Table) -> str:
    """Where others can play the same game, or the same throws."""
    if table.challenge is not None and table.counted:
        return challenge_link(origin, table.challenge)
    if table.day is not None and table.counted:
        return f"{origin}/day/{table.game.name}/{table.day}"
    return f"{origin}/new/{table.game.name}"


def heading(ranked: Sequence[tuple[str, int]], words: Words) -> str:
    """Who wins; nobody does alone, or without a point."""
    most = max((total for _, total in ranked), default=0)
    winners = [name for name, total in ranked if total == most]
    if len(ranked) < 2 or not most:  # noqa: PLR2004 - it takes two
        return words.say("The game is over")
    if len(winners) == 1:
        return words.say("{name} wins!", name=winners[0])
    return words.say("{names} win!", names=words.names(winners))


def _best(scores: Iterable[Score]) -> str:
    """The best score of a sheet, with its hand."""
    best = max(scores, key=lambda score: score.points, default=None)
    if best is None or best.points <= 0:
        return ""
    return f"{best.hand} ({best.points})" if best.hand else str(best.points)


def scores_of(game: AnyGame, sheet: Any, words: Words) -> dict[str, Score]:  # noqa: ANN401 - of any game
    """The lines or boxes of a sheet, by what they are called."""
    match drawing_of(game, sheet, words):
        case drawing.DrawnGrid() as drawn:
            return {DIAGONALS.get(line.name, line.name): _line_score(line) for line in drawn.lines.values()}
        case drawing.Block() as drawn:
            return dict(chain.from_iterable(map(_section_scores, drawn.sections)))
    return {}


def _line_score(line: drawing.DrawnLine) -> Score:
    text = line.text if line.is_earned else NOTHING
    return Score(text, line.hand, points_of(text))


def _section_scores(section: drawing.Section) -> Iterator[tuple[str, Score]]:
    for box in section.boxes:
        yield box.label[:1].upper() + box.label[1:], Score(box.text or NOTHING, box.label, points_of(box.text))
    for label, text in section.sums:
        yield label, Score(text.partition(" / ")[0], "", 0)  # how much was wanted is on the sheet
