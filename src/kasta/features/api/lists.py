"""What a server has to offer, for programs: its games and its bots."""

from __future__ import annotations

from litestar import get

from kasta.bots.base import bots_of, level_of
from kasta.edge.http import Visit
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.wire.tables import BotsTold, BotTold, GamesTold, GameTold, RuleSetTold


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


HANDLERS = [games, bots]
