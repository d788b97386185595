"""The open tables on the home page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.templates import render
from kasta.features.listing.service import Listing
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


class OpenTables:
    """The section of the home page, where there are open tables."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing

    async def home_section(self, _device: str | None, words: Words) -> Markup:
        found = (await self._listing.tables())[:MOST_SHOWN]
        if not found:
            return Markup()
        tables = (OpenTable(each.id, game_card(each.game.traits, words), len(each.places)) for each in found)
        return Markup(render(words, "listing/home.html", OpenTablesHome(tuple(tables))))  # noqa: S704 - rendered
