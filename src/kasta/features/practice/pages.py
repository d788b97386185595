"""Practice sheets: set up any position of any game, and ask what every choice is worth."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.coach.process import Coach
from kasta.core import Pick
from kasta.edge.http import Visit, html, spoken, whole_number
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import KastaError, Unreadable
from kasta.features.practice.positions import Setup, Shape, empty_sheet, faces_of, field_names, position, shape_of
from kasta.games import GAMES, drawing, find_game
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.live.dependencies import TheCoach
from kasta.page.choices import ChoiceRow, choice_rows
from kasta.page.models import GameCard, game_card
from kasta.page.sheet_model import drawing_of

EXPLAINED = 5  # of the best choices, with a reason
EXAMPLE = "341526"  # dice
FIELD = "at-"  # before the names of cells and boxes in a form


@dataclass(frozen=True, slots=True)
class Field:
    """A place to fill: its name in the form, what stands there, and what may; without that, typed."""

    name: str
    value: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PracticePage:
    """practice/page.html: the fields of a position, and what every choice is worth once it has been asked.

    `drawn` is a sheet to fill; a game without places on it has its sheet as `text` only.
    """

    game: GameCard
    rules: str
    drawn: drawing.Drawing
    fields: Mapping[str, Field]  # by cell or box
    setup: Setup
    shape: Shape
    example: str  # of dice
    dice: tuple[int, ...] = ()  # that lie there
    best: frozenset[str] = frozenset()  # the places that the coach points at
    rows: tuple[ChoiceRow, ...] = ()  # the best
    rest: tuple[ChoiceRow, ...] = ()
    goes_on: tuple[tuple[str, str], ...] = ()  # choices after which there is more to decide: address and label
    trouble: str = ""

    @property
    def is_grid(self) -> bool:
        return isinstance(self.drawn, drawing.DrawnGrid)


@get("/practice/{game:str}", include_in_schema=False)
async def practice(request: Visit, game: FromPath[str], coach: TheCoach) -> Response[str]:
    """Without a question an empty board; the address holds the whole position, and can be shared."""
    if game not in GAMES:
        raise NotFoundException
    asked, said = request.query_params, spoken(request)
    rules = asked.get("rules") or None
    found = find_game(game, rules)
    if found.traits.valuer is None:
        raise Unreadable("no_values")
    setup = Setup(
        {name: asked.get(FIELD + name, "")[:10] for name in field_names(found, said)},
        asked.get("text", ""),
        asked.get("dice", "")[:40],
        min(whole_number(asked.get("throw")) or 1, 9),
        asked.get("last") == "on",
        tuple(asked.getall("then", [])),
    )
    page, status = _page(found, setup, said), 200
    if "dice" in asked or "text" in asked:
        try:
            page = await _advised(coach, visitor_of(request).address, found, setup, page, said)
        except KastaError as error:
            page, status = replace(page, trouble=said.error(error)), 422
    return html(render(said, "practice/page.html", page), status)


async def _advised(
    coach: Coach, address: str, game: AnyGame, setup: Setup, page: PracticePage, said: Words
) -> PracticePage:
    sheet = position(game, setup, said)
    options = await coach.options(f"practice {address}", game, sheet)
    rows = await asyncio.to_thread(choice_rows, game, sheet, options, said, EXPLAINED)
    more = [row for row in rows if isinstance(game.solo.next(_after(game, sheet, row.do)), Pick)]
    spot = game.traits.spot(options[0].action)
    dice = drawing_of(game, sheet, said).dice or faces_of(setup)
    best = frozenset({spot.place})
    page = replace(page, dice=dice, best=best, rows=rows[:EXPLAINED], rest=rows[EXPLAINED:])
    return replace(page, goes_on=tuple((_address(game, setup, row.do), row.phrase) for row in more))


def _after(game: AnyGame, sheet: Any, do: str) -> Any:  # noqa: ANN401 - of any game
    return game.solo.act(sheet, game.solo.read_action(do))


def _address(game: AnyGame, setup: Setup, do: str) -> str:
    """The same position after one action more."""
    fields = {FIELD + name: value for name, value in setup.fields.items() if value}
    asked = {**fields, "text": setup.text, "dice": setup.dice, "throw": setup.throw, "rules": game.rules}
    asked |= {"last": "on"} if setup.is_last else {}
    return "?" + urlencode([*asked.items(), *(("then", each) for each in (*setup.then, do))])


def _page(game: AnyGame, setup: Setup, said: Words) -> PracticePage:
    shape = shape_of(game.name, game.rules)
    return PracticePage(
        game=game_card(game.traits, said),
        rules=game.rules,
        drawn=empty_sheet(game, said),
        fields={name: _field(name, value, shape) for name, value in setup.fields.items()},
        setup=setup,
        shape=shape,
        example=" ".join(EXAMPLE[: shape.dice]),
    )


def _field(name: str, value: str, shape: Shape) -> Field:
    choices = shape.choices.get(name, ())
    typed = (value,) if choices and value and value not in choices else ()  # in the address
    return Field(FIELD + name, value, choices + typed)


PAGES = [practice]
