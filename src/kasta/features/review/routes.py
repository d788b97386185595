"""The review of a finished game: its page, the form that shows it to the table, and the same for programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from kasta.coach.review import GHOST
from kasta.coach.reviewed import ReviewedSeat, tell_seat
from kasta.core import Seat
from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.problems import REFUSALS
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal, KastaError
from kasta.features.review.own_sheet import ALONE, OwnSheetReviews
from kasta.features.review.page import Looked, review_page
from kasta.i18n import Words
from kasta.live.dependencies import TableId, TheJoining, TheReviews, TheService
from kasta.results.reviews import Count, Reviews
from kasta.tables import review_rights
from kasta.tables.commands import ShowReview
from kasta.tables.rights import check
from kasta.tables.state import Table
from kasta.wire.reviews import NewShown, Review
from kasta.wire.tables import TableState, tell

TheOwnSheets = NamedDependency[OwnSheetReviews]
PARTIAL = ResponseSpec(Review, description="As far as it has come: ask again.", generate_examples=False)
AGAIN_SECONDS = "2"


@get("/t/{table:str}/review")
async def review(
    request: Visit, table: FromPath[str], service: TheService, reviews: TheReviews, joining: TheJoining
) -> Response[str]:
    """A seat's review: one's own or one that is shown, at one of its decisions."""
    now, me = await service.table(table), device(request)
    check(review_rights.over(now))
    seat = _number(request.query_params.get("seat", ""))
    if seat is None:
        seat = next(iter((*review_rights.own(now, me), *review_rights.shown(now, me))), None)
        check(Illegal("not_seated") if seat is None else None)
    assert seat is not None  # noqa: S101 - else it was refused
    check(review_rights.see(now, me, seat))
    count = partial(joining.count_review, visitor_of(request).address)
    looked = await _look(reviews, now, me, seat, spoken(request), count)
    step = _number(request.query_params.get("step", ""))
    return html(
        render(spoken(request), "review/page.html", review_page(now, me, seat, step, looked, spoken(request)))
    )


@get("/games/{game:str}/{seat:int}/review")
async def review_of_own(
    request: Visit, game: FromPath[str], seat: FromPath[int], own_reviews: TheOwnSheets, joining: TheJoining
) -> Response[str]:
    """The review of one's own sheet in a game that was played without the server."""
    me, said = device(request), spoken(request)
    table = await own_reviews.table(me, game, seat, said)
    count = partial(joining.count_review, visitor_of(request).address)
    looked = await _look(own_reviews, table, me, ALONE, said, count)
    step = _number(request.query_params.get("step", ""))
    address = f"/games/{game}/{seat}/review"
    return html(render(said, "review/page.html", review_page(table, me, ALONE, step, looked, said, address)))


@post("/t/{table:str}/review")
async def show_review(request: Visit, table: FromPath[str], service: TheService) -> Redirect:
    """Show a review of one's own to the table, or no longer."""
    form = await posted(request)
    seat = _number(str(form.get("seat", "")))
    if seat is None:
        raise NotFoundException
    await service.do(table, ShowReview(device(request), seat, form.get("shown") == "1"))
    return Redirect(f"/t/{table}/review?seat={seat}", status_code=303)


@get("/tables/{table:str}/review", operation_id="review", responses=REFUSALS | {202: PARTIAL})
async def for_programs(
    request: Visit, table: TableId, service: TheService, reviews: TheReviews, joining: TheJoining
) -> Response[Review]:
    """What your seats' decisions gave away in a game that is over, and what the dice brought.

    Seats of others are told, too, if they show theirs. While it is made, the answer is a 202, as far as it has
    come. At the end, expected + luck - lost + early + drift = total.
    """
    now, me = await service.table(table), device(request)
    check(review_rights.over(now))
    seats = [
        seat for seat in (*review_rights.own(now, me), *review_rights.shown(now, me)) if _is_wanted(now, seat)
    ]
    count = partial(joining.count_review, visitor_of(request).address)
    found = {seat: await reviews.get_or_start(now, seat, count) for seat in seats}
    told = Review([tell_seat(now.places[seat].name, each) for seat, each in found.items() if each])
    if all(each and each.is_done for each in found.values()):
        return Response(told, status_code=200)
    return Response(told, status_code=202, headers={"retry-after": AGAIN_SECONDS})


@post("/tables/{table:str}/show-review", operation_id="show_review", status_code=200, responses=REFUSALS)
async def show_for_programs(
    request: Visit, table: TableId, data: JSONBody[NewShown], service: TheService
) -> TableState:
    """Show a review of your own to all who play or host there, or no longer."""
    me = device(request)
    after = await service.do(table, ShowReview(me, data.seat, data.shown))
    return tell(after, me, service.silence(table))


def _is_wanted(table: Table, seat: Seat) -> bool:
    """A program's review is made only for who looks at it."""
    return not table.places[seat].is_program


async def _look(reviews: Reviews, table: Table, me: str, seat: Seat, words: Words, count: Count) -> Looked:
    """The chosen seat's review comes first, then those of one's others and of who shows theirs, then the ghost."""
    shown = [each for each in review_rights.shown(table, me) if each != seat]
    wanted = [seat, *(each for each in shown if _is_wanted(table, each)), *[GHOST] * table.game.hides_picks]
    found, failures = await _reviews(reviews, table, wanted, [*review_rights.own(table, me), *shown], count)
    return Looked(
        found,
        await reviews.game_of(table, seat) if seat in found else None,
        reviews.before(table.id, seat),
        words.error(failures[0]) if failures and seat not in found else "",
        is_growing=not failures and not all(each in found and found[each].is_done for each in wanted),
    )


async def _reviews(
    reviews: Reviews, table: Table, wanted: Sequence[Seat], others: Sequence[Seat], count: Count
) -> tuple[dict[Seat, ReviewedSeat], list[KastaError]]:
    """Reviews as far as they have come; others than the wanted ones are not begun. And what went wrong."""
    found, failures = dict[Seat, ReviewedSeat](), list[KastaError]()
    for each in dict.fromkeys([*wanted, *others]):
        try:
            review = await reviews.get_or_start(table, each, count if each in wanted else None)
            found |= {each: review} if review else {}
        except KastaError as error:
            failures.append(error)
    return found, failures


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) else None


PAGES = [review, show_review, review_of_own]
API = [for_programs, show_for_programs]
