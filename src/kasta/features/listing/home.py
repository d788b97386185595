"""The open tables on the home page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.templates import render
from kasta.features.listing.service import Listing
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.page.models import GameCard, game_card

MOST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table where anybody may sit down, and how many do; nobody is named."""

    id: str
    game: GameCard
    seats: int


@dataclass(frozen=True, slots=True)
class OpenTablesHome:
    """listing/home.html"""

    tables: tuple[OpenTable, ...]
    games: tuple[GameCard, ...]


class OpenTables:
    """The section of the home page, where the operator lets strangers play with each other."""

    def __init__(self, listing: Listing, *, is_on: bool) -> None:
        self._listing, self.is_on = listing, is_on

    async def home_section(self, _device: str | None, words: Words) -> Markup:
        if not self.is_on:
            return Markup()
        found = (await self._listing.tables())[:MOST_SHOWN]
        tables = (OpenTable(each.id, game_card(each.game.traits, words), len(each.places)) for each in found)
        games = tuple(game_card(traits, words) for traits in GAMES.working())
        page = OpenTablesHome(tuple(tables), games)
        return Markup(render(words, "listing/home.html", page))  # noqa: S704 - rendered
