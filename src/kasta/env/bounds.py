"""The smallest and largest totals, actions and throws of a game. Found by asking the rules."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import load


class Bounds(NamedTuple):
    """For one sheet; each is reached by some game."""

    least: int
    most: int
    actions: int
    throws: int


@cache
def find_bounds(game: str, rules: str | None = None) -> Bounds:
    """The bounds of the game of that name."""
    found = find_game(game, rules)
    if found.traits.bounds is None:
        raise Unreadable("no_bounds", game=game)
    bounds: Bounds = load(found.traits.bounds, needs="rl")(found.solo)
    return bounds
