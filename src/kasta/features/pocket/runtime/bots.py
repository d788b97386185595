"""Bots that need no learned values: two for each kind of game, which a person can lose to.

They have the names of the bots that play at the same levels on a server, so that a log means the same there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from kasta.bots.base import SIMPLE, Bots, Greedy, Sight
from kasta.games.block import Keep

LEVELS = ("weak", "middling")  # that people can choose


@dataclass(frozen=True)
class Careless:
    """Takes what pays most, but so often anything."""

    share: float

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:
        return rng.choice(legal) if rng.random() < self.share else Greedy().choose(view, legal, rng)


@dataclass(frozen=True)
class Gatherer:
    """Keeps most of a kind while it may throw again, the highest first; then takes what pays most."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:
        same = [action for action in legal if isinstance(action, Keep) and len(set(action.dice)) == 1]
        if not same:
            return Greedy().choose(view, legal, rng)
        return max(same, key=lambda action: (len(action.dice), action.dice))


GRID = Bots(
    {"casual": Greedy(), "beginner": Careless(0.4), **SIMPLE},
    {"middling": "casual", "weak": "beginner"},
)
BLOCK = Bots(
    {"middling": Gatherer(), "weak": Careless(0.1), **SIMPLE},
    {"middling": "middling", "weak": "weak"},
)
