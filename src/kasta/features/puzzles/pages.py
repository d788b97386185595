"""Puzzles: a position, some choices, and afterwards what each is worth and why; a rating for the device.

The rating is Elo's: who solves half of the puzzles of their own strength keeps it. Only the first answer counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from kasta import draw
from kasta.coach.puzzles import LEVELS, Puzzle, PuzzleOption, of_day, puzzles_of, with_puzzles
from kasta.coach.reasons.reason import reason
from kasta.dice import day_of
from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.puzzles.store import Answer, PuzzleAnswers
from kasta.games import GAMES, find_game
from kasta.games.drawing import Block
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.live.dependencies import TheDatabase, TheService
from kasta.page.models import GameCard, game_card
from kasta.page.sheet_model import drawing_of
from kasta.sql import Database
from kasta.tables.service import Service

BEGINNING = 1_200.0
STRENGTHS = {1: 1_000.0, 2: 1_200.0, 3: 1_400.0}  # of the puzzles of each level
STEP, FIRST_STEP = 16.0, 40.0  # how much one answer may move a rating, and how much the first twenty may
LEARNING = 20


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """puzzles/puzzle.html; `chosen` is None before it is answered. `others` are the next ones by level."""

    game: GameCard
    number: int
    puzzle: Puzzle
    is_todays: bool
    picture: Markup
    hint: str  # what the sheet asks for
    choices: tuple[tuple[PuzzleOption, str], ...]  # as people say them
    chosen: str | None
    reason: str
    rating: int
    tries: int
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PuzzlesPage:
    """puzzles/page.html: today's puzzle of each game, and whether it was answered."""

    games: tuple[tuple[GameCard, bool], ...]
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
    choices = [(each, _said(game, each.do, words)) for each in puzzle.choices]
    Random(number).shuffle(choices)  # noqa: S311 - the order of buttons
    sheet = puzzle.sheet(game)
    compared = puzzle.obvious if chosen in {None, puzzle.best} else chosen
    return PuzzlePage(
        game=game_card(game.traits, words),
        number=number,
        puzzle=puzzle,
        is_todays=number == of_day(name, today),
        picture=_picture(game, puzzle, sheet, words),
        hint=game.traits.hint(game.solo, sheet, words),
        choices=tuple(choices if chosen is None else sorted(choices, key=lambda choice: -choice[0].value)),
        chosen=chosen,
        reason=reason(game, sheet, compared, puzzle.best, words) if chosen else "",
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


def _said(game: AnyGame, do: str, words: Words) -> str:
    said = game.traits.phrase(game.solo.read_action(do), words)
    return said if said[1:2].isdigit() else said[:1].upper() + said[1:]  # no cell is written in capitals


def _picture(game: AnyGame, puzzle: Puzzle, sheet: Any, words: Words) -> Markup:  # noqa: ANN401 - of any game
    """The sheet, with the dice that wait for an answer."""
    drawn, last = drawing_of(game, sheet, words), puzzle.steps[-1]
    faces = () if isinstance(last, str) else last
    dice, fell = ((), drawn.dice) if isinstance(drawn, Block) else (faces, faces)
    spots = (game.traits.spot(game.solo.read_action(each.do)).cell for each in puzzle.choices)
    named = {cell for cell in spots if cell is not None}
    svg = draw.picture(game.traits, drawn, game.traits.heading(words), dice=dice, named=named)
    said = game.solo.write_sheet(sheet)
    return Markup(svg.inline(f"{', '.join(map(str, fell))}: {said}" if fell else said))  # noqa: S704 - escaped there


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
    games = tuple((game_card(GAMES[name], words), (name, of_day(name, today)) in done) for name in with_puzzles())
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


@post("/puzzle/{game:str}/{number:int}")
async def answer(
    request: Visit, game: FromPath[str], number: FromPath[int], service: TheService, db: TheDatabase
) -> Redirect:
    """Choose. The first answer is kept, and moves the rating."""
    puzzle, chosen = _find(game, number), str((await posted(request)).get("do", ""))
    if chosen not in {each.do for each in puzzle.choices}:
        raise ClientException
    before = await _answers(request, db)
    after = new_rating(_rating(before), len(before), puzzle.level, is_right=chosen == puzzle.best)
    given = Answer(game, number, chosen, after, await service.now())
    await PuzzleAnswers(db).add(device(request), given)
    return Redirect(f"/puzzle/{game}/{number}", status_code=303)


PAGES = [all_puzzles, todays_puzzle, one_puzzle, answer]
