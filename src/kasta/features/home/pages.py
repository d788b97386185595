"""The home page: the games that there are, and those that one is in."""

from __future__ import annotations

from dataclasses import dataclass

from kasta.features.day.pages import DayCard
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.page.models import GameCard, game_card
from kasta.page.table_page import table_page
from kasta.tables.service import Service
from kasta.tables.state import Table

MOST_OWN = 12  # games that are listed
MOST_NAMED = 3  # players of each


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
    days: tuple[DayCard, ...] = ()


async def home_page(
    service: Service, device: str | None, words: Words, days: tuple[DayCard, ...] = ()
) -> HomePage:
    tables = await service.tables_of(device, MOST_OWN) if device else []
    return HomePage(
        tuple(game_card(traits, words) for traits in GAMES.working()),
        tuple(_own_game(service, table, device or "", words) for table in tables),
        days,
    )


def _own_game(service: Service, table: Table, device: str, words: Words) -> OwnGame:
    page = table_page(table, device, words, service.silence(table.id))
    names = [place.name for _, place in sorted(table.places.items()) if place.device != device or place.bot]
    named = ", ".join(names[:MOST_NAMED]) + ("\N{NO-BREAK SPACE}…" if len(names) > MOST_NAMED else "")
    game = page.game.heading
    return OwnGame(
        table.id,
        page.game.theme,
        words.say("{game} with {names}", game=game, names=named) if names else game,
        page.status,
        page.phase == "over",
    )
