"""What a server has to offer, for programs: its games, and its bots."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get

from kasta.bots.base import bots_of, level_of
from kasta.games import GAMES
from kasta.i18n import words
from kasta.web.api_refusals import REFUSALS

Visit = Request[Any, Any, Any]


class RuleSetTold(msgspec.Struct, frozen=True):
    name: str
    title: str


class GameTold(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    rule_sets: list[RuleSetTold]
    hides_picks: bool


class GamesTold(msgspec.Struct, frozen=True):
    games: list[GameTold]


class BotTold(msgspec.Struct, frozen=True):
    """A bot that can be seated in a game."""

    game: str
    name: str
    level: str | None


class BotsTold(msgspec.Struct, frozen=True):
    bots: list[BotTold]


@get("/games", responses=REFUSALS)
async def games(request: Visit) -> GamesTold:
    """All games of this server, with their rule sets."""
    said = words(request.scope["kasta"]["language"])  # type: ignore[typeddict-item]
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
