"""What a server has to offer, for programs: its games, its bots, and tables where strangers are welcome."""

from __future__ import annotations

from typing import Any

from litestar import Request, get
from litestar.di import NamedDependency

from kasta.bots.base import bots_of, level_of
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.tables.service import Service
from kasta.wire.tables import BotsTold, BotTold, GamesTold, GameTold, ListedTable, ListedTables, RuleSetTold

Visit = Request[Any, Any, Any]


@get("/tables", responses=REFUSALS)
async def open_tables(service: NamedDependency[Service]) -> ListedTables:
    """Tables where anybody may sit down: those whose setting `listed` says so. The newest come first."""
    tables = await service.listing.tables()
    return ListedTables(
        [ListedTable(each.id, each.game.name, each.game.rules, len(each.places)) for each in tables]
    )


@get("/games", responses=REFUSALS)
async def games(request: Visit) -> GamesTold:
    """All games of this server, with their rule sets."""
    said = visitor_of(request).words
    told = []
    for traits in GAMES.working():
        sets = [RuleSetTold(name, traits.rule_set_title(said, name)) for name in traits.rule_sets]
        first = next(iter(traits.games.values()))
        told.append(GameTold(traits.name, traits.heading(said), sets, first.hides_picks))
    return GamesTold(told)


@get("/bots", responses=REFUSALS)
async def bots() -> BotsTold:
    """All bots of all games, the strongest of each first."""
    return BotsTold(
        [
            BotTold(traits.name, name, level_of(name, game) or None)
            for traits in GAMES.working()
            for game in [next(iter(traits.games.values()))]
            for name in bots_of(game).by_name
        ]
    )


HANDLERS = [games, bots, open_tables]
