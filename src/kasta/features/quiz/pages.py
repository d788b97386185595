"""Learn from your mistakes: the lessons of one's own game, asked again on the sheet."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from functools import partial

from litestar import Response, get
from litestar.params import FromPath

from kasta.coach.marks import DOUBTFUL, least_marked
from kasta.coach.moments import lessons
from kasta.coach.process import sheet_before
from kasta.coach.quiz import Question, read_answer
from kasta.coach.reasons.reason import reason
from kasta.coach.reviewed import ReviewedMove, ReviewedSeat
from kasta.core import Seat
from kasta.edge.http import Visit, device, html, spoken, whole_number
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal, KastaError
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.live.dependencies import TheJoining, TheReviews, TheService
from kasta.page.choices import choice_rows
from kasta.page.models import GameCard, game_card
from kasta.page.position import AnswerVerdict, PositionPart, answered_position, given_answer, open_position
from kasta.results.reviews import Reviews
from kasta.tables import review_rights
from kasta.tables.rights import check
from kasta.tables.state import Table
from kasta.values import Option

MOST_TYPED = 40  # letters


@dataclass(frozen=True, slots=True)
class QuizPage:
    """quiz/page.html: question `number` of `count`, with its position and, once it is answered, with the verdict.

    `score` tells which answers were right so far, as a row of 1 and 0.
    """

    table: str
    game: GameCard
    seat: Seat
    number: int
    count: int
    score: str
    round: int = 0
    position: PositionPart | None = None
    verdict: AnswerVerdict | None = None
    did: str = ""  # in the game, as people say it
    example: str = ""  # an answer in notation
    typed: str = ""
    trouble: str = ""
    is_growing: bool = False


@get("/t/{table:str}/quiz", include_in_schema=False)
async def quiz(
    request: Visit, table: FromPath[str], service: TheService, reviews: TheReviews, joining: TheJoining
) -> Response[str]:
    """A question, or what the answer to it is worth. Nothing is kept: the address knows how far one has come."""
    now, me, said, asked = await service.table(table), device(request), spoken(request), request.query_params
    check(review_rights.over(now))
    own = review_rights.own(now, me)
    seat = whole_number(asked.get("seat"), least=0) if "seat" in asked else next(iter(own), None)
    if seat not in own:
        raise Illegal("not_your_seat", seat=seat or 0)
    looked = await reviews.get_or_start(now, seat, partial(joining.count_review, visitor_of(request).address))
    review = looked if looked and looked.is_done else None  # how many questions there are is known at its end
    score = asked.get("score", "")
    page = QuizPage(
        table,
        game_card(now.game.traits, said),
        seat,
        number=whole_number(asked.get("number")) or 1,
        count=len(lessons(review.moves)) if review else 0,
        score=score if re.fullmatch("[01]{1,500}", score) else "",
        is_growing=review is None,
    )
    text = asked.get("text", "").strip() or given_answer(asked.get("do", ""), asked.getall("kept", []))
    if review and page.number <= page.count:
        page = await _ask(reviews, now, review, page, text[:MOST_TYPED], said)
    return html(render(said, "quiz/page.html", page))


async def _ask(
    reviews: Reviews, table: Table, review: ReviewedSeat, page: QuizPage, do: str, said: Words
) -> QuizPage:
    """The page with its question, and, if `do` answers it, with the verdict."""
    game, move = table.game, lessons(review.moves)[page.number - 1]
    played = await reviews.game_of(table, page.seat)
    question = _question(move, await asyncio.to_thread(sheet_before, played, move.line), review.spread)
    page = replace(page, round=move.round, typed=do)
    try:
        chosen = read_answer(game, question, do) if do else ""
    except KastaError as error:
        chosen, page = "", replace(page, trouble=said.error(error))
    if not chosen:
        example = str(game.solo.legal(question.sheet)[0])
        return replace(page, position=open_position(game, question.sheet, move.roll, said), example=example)
    verdict = await asyncio.to_thread(_verdict, game, question, chosen, said)
    return replace(
        page,
        position=answered_position(game, question.sheet, move.roll, chosen, question.best, said),
        verdict=verdict,
        did=game.traits.phrase(game.solo.read_action(question.did), said),
        score=page.score + str(int(verdict.is_right)),
    )


def _verdict(game: AnyGame, question: Question, chosen: str, said: Words) -> AnswerVerdict:
    """Of a right answer what speaks for it, else what is better."""
    told = [option for option in question.options if option.action in {question.best, chosen, question.did}]
    is_right = question.is_right(chosen)
    return AnswerVerdict(
        is_right,
        game.traits.phrase(game.solo.read_action(question.best), said),
        reason(game, question.sheet, chosen, chosen if is_right else question.best, said),
        choice_rows(game, question.sheet, told, said),
    )


def _question(move: ReviewedMove, sheet: object, spread: float) -> Question:
    options = tuple(Option(*option) for option in move.options)
    tolerance = least_marked(DOUBTFUL, spread, move.error)
    return Question(move.line, move.round, move.roll, sheet, move.do, options, tolerance)


PAGES = [quiz]
