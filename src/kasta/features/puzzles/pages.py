"""Puzzles: a position, some choices, and afterwards what each is worth and why; a rating for the device.

The rating is Elo's: who solves half of the puzzles of their own strength keeps it. Only the first answer counts.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from kasta.coach.puzzles import LEVELS, Puzzle, of_day, puzzles_of, with_puzzles
from kasta.coach.reasons.reason import reason
from kasta.dice import day_of
from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal, Unreadable
from kasta.features.puzzles.store import Answer, PuzzleAnswers
from kasta.games import GAMES, find_game
from kasta.games.drawing import die_signs
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.live.dependencies import TheDatabase, TheService
from kasta.page.choices import choice_rows
from kasta.page.miniature import miniature
from kasta.page.models import GameCard, game_card
from kasta.page.position import AnswerVerdict, PositionPart, answered_position, given_answer, open_position
from kasta.page.sheet_model import drawing_of
from kasta.sql import Database
from kasta.tables.service import Service
from kasta.values import Option

BEGINNING = 1_200.0
STRENGTHS = {1: 1_000.0, 2: 1_200.0, 3: 1_400.0}  # of the puzzles of each level
STEP, FIRST_STEP = 16.0, 40.0  # how much one answer may move a rating, and how much the first twenty may
LEARNING = 20
MOST_TYPED = 40  # letters of an answer


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """puzzles/puzzle.html; `verdict` is None before it is answered. `others` are the next ones by level."""

    game: GameCard
    number: int
    puzzle: Puzzle
    is_todays: bool
    position: PositionPart
    verdict: AnswerVerdict | None
    rating: int
    tries: int
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PuzzleCard:
    """A puzzle in short."""

    game: GameCard
    picture: Markup
    dice: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class PuzzlesPage:
    """puzzles/page.html: today's puzzle of each game, its picture and dice, and whether it was answered."""

    games: tuple[PuzzleCard, ...]
    rating: int
    tries: int


def new_rating(rating: float, tries: int, level: int, *, is_right: bool) -> float:
    """The rating after one more answer."""
    expected = 1 / (1 + 10 ** ((STRENGTHS[level] - rating) / 400))
    step = FIRST_STEP if tries < LEARNING else STEP
    return rating + step * (is_right - expected)


def puzzle_page(name: str, number: int, today: str, answers: list[Answer], words: Words) -> PuzzlePage:
    game, puzzle = find_game(name), _find(name, number)
    mine = {each.number: each.chosen for each in answers if each.game == name}
    chosen = mine.get(number)
    sheet, roll = puzzle.sheet(game), puzzle.roll
    if chosen is None:
        position, verdict = open_position(game, sheet, roll, words), None
    else:
        position = answered_position(game, sheet, roll, chosen, puzzle.best, words)
        verdict = _verdict(game, puzzle, sheet, chosen, words)
    return PuzzlePage(
        game=game_card(game.traits, words),
        number=number,
        puzzle=puzzle,
        is_todays=number == of_day(name, today),
        position=position,
        verdict=verdict,
        rating=round(_rating(answers)),
        tries=len(answers),
        others=_next(name, {*mine, number}),
    )


def _rating(answers: Sequence[Answer]) -> float:
    return answers[-1].rating if answers else BEGINNING


def _find(name: str, number: int) -> Puzzle:
    if name not in GAMES or not 0 <= number < len(puzzles_of(GAMES[name])):
        raise NotFoundException
    return puzzles_of(GAMES[name])[number]


def _verdict(game: AnyGame, puzzle: Puzzle, sheet: Any, chosen: str, words: Words) -> AnswerVerdict:  # noqa: ANN401
    """Of a right answer what speaks for it, else what is better."""
    return AnswerVerdict(
        chosen == puzzle.best,
        game.traits.phrase(game.solo.read_action(puzzle.best), words),
        reason(game, sheet, chosen, puzzle.best, words),
        choice_rows(game, sheet, [Option(*choice) for choice in puzzle.choices], words),
    )


def _card(name: str, today: str, done: Container[tuple[str, int]], words: Words) -> PuzzleCard:
    game, number = find_game(name), of_day(name, today)
    puzzle = _find(name, number)
    drawn = drawing_of(game, puzzle.sheet(game), words)
    card = game_card(game.traits, words)
    return PuzzleCard(card, miniature(drawn), die_signs(drawn.dice or puzzle.roll), (name, number) in done)


def _next(name: str, known: set[int]) -> tuple[tuple[int, int], ...]:
    """The next puzzle of each level that is not answered."""
    found: dict[int, int] = {}
    for number, puzzle in enumerate(puzzles_of(GAMES[name])):
        if number not in known:
            found.setdefault(puzzle.level, number)
    return tuple((level, found[level]) for level in LEVELS if level in found)


async def _answers(request: Visit, db: Database) -> list[Answer]:
    who: str | None = visitor_of(request).device
    return await PuzzleAnswers(db).of_device(who) if who else []


@get("/puzzle")
async def all_puzzles(request: Visit, service: TheService, db: TheDatabase) -> Response[str]:
    words, today = spoken(request), day_of(await service.now())
    answers = await _answers(request, db)
    done = {(each.game, each.number) for each in answers}
    games = tuple(_card(name, today, done, words) for name in with_puzzles())
    page = PuzzlesPage(games, round(_rating(answers)), len(answers))
    return html(render(words, "puzzles/page.html", page))


@get("/puzzle/{game:str}")
async def todays_puzzle(
    request: Visit, game: FromPath[str], service: TheService, db: TheDatabase
) -> Response[str]:
    if game not in with_puzzles():
        raise NotFoundException
    return await _show(request, game, of_day(game, day_of(await service.now())), service, db)


@get("/puzzle/{game:str}/{number:int}")
async def one_puzzle(
    request: Visit, game: FromPath[str], number: FromPath[int], service: TheService, db: TheDatabase
) -> Response[str]:
    return await _show(request, game, number, service, db)


async def _show(request: Visit, game: str, number: int, service: Service, db: Database) -> Response[str]:
    _find(game, number)
    today, answers = day_of(await service.now()), await _answers(request, db)
    page = puzzle_page(game, number, today, answers, spoken(request))
    return html(render(spoken(request), "puzzles/puzzle.html", page))


def _legal(game: AnyGame, sheet: Any, text: str) -> str:  # noqa: ANN401 - of any game
    """An answer in notation; refused if it is none, and `Illegal` if the rules forbid it."""
    try:
        action = game.solo.read_action(text)
    except Unreadable:
        raise ClientException from None
    game.solo.act(sheet, action)
    return str(action)


@post("/puzzle/{game:str}/{number:int}")
async def answer(
    request: Visit, game: FromPath[str], number: FromPath[int], service: TheService, db: TheDatabase
) -> Redirect:
    """Choose. The first answer is kept, and moves the rating."""
    puzzle, form, found = _find(game, number), await posted(request), find_game(game)
    text = given_answer(str(form.get("do", "")), [str(each) for each in form.getall("kept", [])])
    back = Redirect(f"/puzzle/{game}/{number}", status_code=303)
    try:
        chosen = _legal(found, puzzle.sheet(found), text[:MOST_TYPED])
    except Illegal:
        return back  # such as keeping no die, where the rules want one: the question stands
    before = await _answers(request, db)
    after = new_rating(_rating(before), len(before), puzzle.level, is_right=chosen == puzzle.best)
    given = Answer(game, number, chosen, after, await service.now())
    await PuzzleAnswers(db).add(device(request), given)
    return back


PAGES = [all_puzzles, todays_puzzle, one_puzzle, answer]
