"""The home page: the games that there are, and those that one is in."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import Response, get
from litestar.di import NamedDependency
from markupsafe import Markup

from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.feature import HomeSection
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.live.dependencies import TheService
from kasta.page.models import GameCard, company, game_card
from kasta.page.table_page import table_page
from kasta.tables.service import Service
from kasta.tables.state import Table

MOST_OWN = 12  # games that are listed

TheSections = NamedDependency[list[HomeSection]]


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game that the visitor is in: with whom, and what it waits for."""

    id: str
    theme: str
    title: str
    status: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class HomePage:
    """home/page.html"""

    games: tuple[GameCard, ...]
    own: tuple[OwnGame, ...]
    sections: tuple[Markup, ...] = ()  # of other features


@get("/")
async def home(request: Visit, service: TheService, home_sections: TheSections) -> Response[str]:
    said, who = spoken(request), visitor_of(request).device
    tables = await service.tables_of(who, MOST_OWN) if who else []
    page = HomePage(
        tuple(game_card(traits, said) for traits in GAMES.working()),
        tuple(_own_game(service, table, who or "", said) for table in tables),
        tuple([await section(who, said) for section in home_sections]),
    )
    return html(render(said, "home/page.html", page))


def _own_game(service: Service, table: Table, device: str, words: Words) -> OwnGame:
    page = table_page(table, device, words, service.silence(table.id))
    names = company(table, device)
    game = page.game.heading
    return OwnGame(
        table.id,
        page.game.theme,
        words.say("{game} with {names}", game=game, names=names) if names else game,
        page.status,
        page.phase == "over",
    )


PAGES = [home]
