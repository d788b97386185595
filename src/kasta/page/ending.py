"""The end of a game as a page tells it: who wins, what was best on each sheet, and all sheets in one view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from kasta.core import Seat
from kasta.games import drawing
from kasta.i18n import Words
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


class Ending(Struct, frozen=True):
    """`best` is the best of each sheet, by seat; `result` what those who watched send to others."""

    heading: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    rows: tuple[Row, ...]
    best: tuple[tuple[Seat, str], ...]
    result: str
    shared: ShareOffer | None = None  # what the viewer sends to others, who has a sheet


def ending(
    table: Table, seats: Sequence[SeatView], best_of_crowd: Sequence[tuple[str, int]], words: Words
) -> Ending:
    """The end of a table where these seats are listed, or of a crowd of which only the best are."""
    totals = [(each.name, each.total or 0) for each in seats]
    ranked = [one for one, each in zip(totals, seats, strict=True) if not each.has_left] or list(best_of_crowd)
    sheets = {each.seat: _scores(drawing_of(table.game, each.sheet, words)) for each in seats}
    return Ending(
        heading=heading(ranked, words),
        names=tuple(name for name, _ in totals),
        totals=tuple(total for _, total in totals),
        rows=_rows([*sheets.values()]),
        best=tuple((seat, best) for seat, scores in sheets.items() if (best := _best(scores.values()))),
        result=f"{table.game.traits.heading(words)}: {_listed(ranked)}",
    )


def _listed(ranked: Sequence[tuple[str, int]]) -> str:
    """Names and totals, the best first."""
    return ", ".join(f"{name} {total}" for name, total in sorted(ranked, key=lambda one: -one[1]))


def _rows(sheets: Sequence[Mapping[str, Score]]) -> tuple[Row, ...]:
    """The lines or boxes in which anything stands."""
    labels = sheets[0] if sheets else ()
    rows = (Row(label, tuple(sheet[label] for sheet in sheets)) for label in labels)
    return tuple(row for row in rows if any(score.text for score in row.scores))


def verdict(table: Table, own: SeatView, words: Words) -> str:
    """What the edition of the viewer's language says of a total when playing alone."""
    traits, total = table.game.traits, own.total or 0
    verdicts = traits.verdicts(words.language)
    reached = [grade for grade, least in verdicts.items() if total >= least]
    if reached:
        return traits.say(words, reached[-1])
    for grade, least in verdicts.items():
        named = traits.say(words, grade)
        return words.count(
            "{number} point to “{grade}”", "{number} points to “{grade}”", least - total, grade=named
        )
    return ""


def told_of(table: Table, own: SeatView, seats: int, words: Words, ghost: int | None = None) -> tuple[str, ...]:
    """What one's total is called alone, or its place among others; and what a `ghost` made of the same dice."""
    if seats == 1:
        told = verdict(table, own, words)
    else:
        told = words.say("Place {place} of {players}", place=own.place, players=seats) if own.place else ""
    beside = "" if ghost is None else words.say("The strongest bot, same dice: {total}", total=ghost)
    return tuple(line for line in (told, beside) if line)


def shared(table: Table, own: SeatView, seats: int, origin: str, words: Words) -> ShareOffer:
    """What is sent to others. The link leads to a new game, not to this table, where others are named."""
    total = words.count("{number} point", "{number} points", own.total or 0)
    lines = (f"{table.game.traits.heading(words)}: {total}", *told_of(table, own, seats, words))
    link = link_to_play(origin, table)
    text = "".join(f"{line}. " for line in lines) + link
    return ShareOffer(text, f"/t/{table.id}/sheet/{own.seat}")


def link_to_play(origin: str, table: Table) -> str:
    """Where others can play the same game."""
    return f"{origin}/new/{table.game.name}"


def heading(ranked: Sequence[tuple[str, int]], words: Words) -> str:
    """Who wins; nobody does alone, or without a point."""
    most = max((total for _, total in ranked), default=0)
    *others, last = [name for name, total in ranked if total == most] or [""]
    if len(ranked) < 2 or not most:  # noqa: PLR2004 - it takes two
        return words.say("The game is over")
    if not others:
        return words.say("{name} wins!", name=last)
    return words.say("{names} win!", names=words.say("{names} and {name}", names=", ".join(others), name=last))


def _best(scores: Iterable[Score]) -> str:
    """The best score of a sheet, with its hand."""
    best = max(scores, key=lambda score: score.points, default=None)
    if best is None or best.points <= 0:
        return ""
    return f"{best.hand} ({best.points})" if best.hand else str(best.points)


def _scores(drawn: drawing.Drawing) -> dict[str, Score]:
    """The lines or boxes of a sheet, by what they are called."""
    match drawn:
        case drawing.DrawnGrid():
            return {DIAGONALS.get(line.name, line.name): _line_score(line) for line in drawn.lines.values()}
        case drawing.Block():
            return dict(chain.from_iterable(map(_section_scores, drawn.sections)))
    return {}


def _line_score(line: drawing.DrawnLine) -> Score:
    text = line.text if line.is_earned else NOTHING
    return Score(text, line.hand, _points(text))


def _section_scores(section: drawing.Section) -> Iterator[tuple[str, Score]]:
    for box in section.boxes:
        yield box.label[:1].upper() + box.label[1:], Score(box.text or NOTHING, box.label, _points(box.text))
    for label, text in section.sums:
        yield label, Score(text.partition(" / ")[0], "", 0)  # how much was wanted is on the sheet


def _points(text: str) -> int:
    return int(text) if text.isdecimal() else 0
