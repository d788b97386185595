"""The review of a finished game, as its page shows it to one device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kasta.bots.base import bots_of
from kasta.coach.marks import BAD, BAD_MARKS, DOUBTFUL, LUCKY, STAND_IN, VERY_BAD
from kasta.coach.moments import good_choices, lessons
from kasta.coach.names import class_name, mark_name
from kasta.coach.process import sheet_before
from kasta.coach.reasons.reason import reason
from kasta.coach.review import GHOST, SeatGame
from kasta.coach.reviewed import ReviewedMove, ReviewedSeat
from kasta.core import Seat
from kasta.features.review.chart import Chart, Course, chart
from kasta.features.review.moments import MomentPart, moment_parts
from kasta.features.review.sheet import NotedSheet, noted_sheet
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.models import GameCard, game_card
from kasta.tables import review_rights
from kasta.tables.state import Table

SMALL = 0.05  # points that are not worth a word


@dataclass(frozen=True, slots=True)
class MarkedStep:
    """A decision that has a mark: `step` is its number among all, counted from 1."""

    step: int
    move: ReviewedMove
    name: str
    points: float


@dataclass(frozen=True, slots=True)
class StepPart:
    """One decision: its throw, its sheet, what was better, and why; marks are told by name."""

    step: int
    move: ReviewedMove
    shows_sum: bool
    noted: NotedSheet
    luck_mark: str
    mark: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a seat, or the ghost, made of the same throws; None while the ghost still plays."""

    name: str
    seat: Seat
    total: int | None
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Looked:
    """What the coach knows of a table: reviews by seat, as far as they have come, and the chosen one's game.

    `before` counts the seats that are reviewed first; `failure` says why there is no review.
    """

    reviews: Mapping[Seat, ReviewedSeat]
    played: SeatGame | None = None
    before: int = 0
    failure: str = ""
    is_growing: bool = False


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """review/page.html: a seat's review as far as it has come: praise first, then lessons, then everything.

    `table` is None for a game that was played without the server; `address` leads here. `asked` is the decision
    that the request names, `good` tells how many choices were good, of how many. `tabs` are the seats that can be
    looked at here.
    """

    table: str | None
    address: str
    game: GameCard
    seat: Seat
    is_mine: bool
    total: int
    asked: int | None
    good: tuple[int, int]
    proud: tuple[MomentPart, ...]
    lessons: tuple[MomentPart, ...]
    tabs: tuple[tuple[Seat, str], ...]
    looked: Looked
    review: ReviewedSeat | None
    class_name: str
    chart: Chart | None
    part: StepPart | None
    marked: tuple[MarkedStep, ...]
    results: tuple[SeatResult, ...]
    marks: tuple[tuple[str, str], ...]
    classes: tuple[tuple[str, str], ...]
    may_show: bool
    is_shown: bool


def review_page(
    table: Table,
    device: str,
    seat: Seat,
    step: int | None,
    looked: Looked,
    words: Words,
    address: str = "",
) -> ReviewPage:
    """The page of a seat, at one of its decisions, by default the first lesson.

    With an `address` it is of a game that has no table here.
    """
    review, played = looked.reviews.get(seat), looked.played
    mine = review_rights.own(table, device)
    moves = review.moves if review else ()
    at = _chosen(moves, step)
    move = moves[at - 1] if at else None
    others = review_rights.shown(table, device)

    proud, taught = moment_parts(table.game, played, moves, words) if played else ((), ())
    return ReviewPage(
        table=None if address else table.id,
        address=address or f"/t/{table.id}/review?seat={seat}",
        game=game_card(table.game.traits, words),
        seat=seat,
        is_mine=seat in mine,
        total=table.game.total(table.play, seat),
        asked=step,
        good=good_choices(moves),
        proud=proud,
        lessons=taught,
        tabs=tuple((each, table.places[each].name) for each in (*mine, *others)),
        looked=looked,
        review=review,
        class_name=_class_name(review, words) if review else "",
        chart=chart(_courses(table, seat, looked.reviews, words), move.round if move else None),
        part=_part(table, at, move, review, played, words) if move and review and played else None,
        marked=_marked(moves, words),
        results=_results(table, mine, looked.reviews.get(GHOST), words) if table.game.hides_picks else (),
        marks=_marks(review.spread, words) if review else (),
        classes=_classes(table.game, review.spread, words) if review else (),
        may_show=len(table.places) > 1 and review_rights.show(table, device, seat) is None,
        is_shown=seat in table.shown,
    )


def _chosen(moves: Sequence[ReviewedMove], step: int | None) -> int:
    """The decision that is shown, counted from 1; 0 where there is none yet."""
    if step is not None:
        return max(1, min(step, len(moves))) if moves else 0
    taught = lessons(moves)
    return (moves.index(taught[0]) + 1 if taught else 1) if moves else 0


def _class_name(review: ReviewedSeat, words: Words) -> str:
    return class_name(review.class_, words) if review.class_ and review.is_done else ""


def _courses(table: Table, seat: Seat, reviews: Mapping[Seat, ReviewedSeat], words: Words) -> list[Course]:
    """The chosen seat first, the ghost last."""
    order = sorted(reviews, key=lambda each: (each != seat, each == GHOST, each))
    return [
        Course(
            words.say("the best player") if each == GHOST else table.places[each].name,
            each,
            (reviews[each].expected, *reviews[each].course),
            is_own=each == seat,
        )
        for each in order
    ]


def _marked(moves: Sequence[ReviewedMove], words: Words) -> tuple[MarkedStep, ...]:
    return tuple(
        MarkedStep(i, move, mark_name(move.mark, words), -move.lost if move.mark in BAD_MARKS else move.luck)
        for i, move in enumerate(moves, 1)
        if move.mark
    )


def _part(
    table: Table, at: int, move: ReviewedMove, review: ReviewedSeat, played: SeatGame, words: Words
) -> StepPart:
    sheet = sheet_before(played, move.line)
    luck_mark = "" if abs(move.luck) < LUCKY * review.spread else "lucky" if move.luck > 0 else "unlucky"
    return StepPart(
        at,
        move,
        table.game.traits.shows == "sum",
        noted_sheet(table.game, sheet, move, review.spread, words),
        mark_name(luck_mark, words) if luck_mark else "",
        mark_name(move.mark, words) if move.mark in (*BAD_MARKS, STAND_IN) else "",
        reason(table.game, sheet, move.do, move.best, words) if move.lost >= SMALL else "",
    )


def _results(
    table: Table, mine: Sequence[Seat], ghost: ReviewedSeat | None, words: Words
) -> tuple[SeatResult, ...]:
    """What everybody made of the same throws, the best first; of a hall, only the own seats."""
    seats = mine if review_rights.is_hall(table) else sorted(table.places)
    stayed = [seat for seat in seats if not table.game.has_left(table.play, seat)]
    found = [
        SeatResult(table.places[seat].name, seat, table.game.total(table.play, seat), seat in mine)
        for seat in stayed
    ]
    along = ghost.total if ghost and ghost.is_done else None
    found.append(SeatResult(words.say("the best player"), GHOST, along, is_mine=False))
    return tuple(sorted(found, key=lambda result: -(result.total or -1)))


def _marks(spread: float, words: Words) -> tuple[tuple[str, str], ...]:
    """What each mark means in this game."""
    given = {"doubtful": DOUBTFUL, "bad": BAD, "very_bad": VERY_BAD}
    rows = [
        (
            mark_name(code, words),
            words.say("{points} points or more given away for certain", points=words.decimal(share * spread)),
        )
        for code, share in given.items()
    ]
    luck = words.say(
        "the throw was {points} points or more above or below the mean throw", points=words.decimal(LUCKY * spread)
    )
    return (*rows, (f"{mark_name('lucky', words)}, {mark_name('unlucky', words)}", luck))


def _classes(game: AnyGame, spread: float, words: Words) -> tuple[tuple[str, str], ...]:
    """Up to how much each class gives away in an open decision."""
    return tuple(
        (class_name(code, words), words.decimal(share * spread, places=2))
        for code, share in bots_of(game).classes.items()
    )
