"""Players that are no people. They all answer one question, and see what a person in their seat would see."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kasta.games.composers import AnyGame


@dataclass(frozen=True, slots=True)
class Sight:
    """What a bot sees: the rules, its own sheet with the throw on it, and others' sheets where they lie open."""

    game: AnyGame
    sheet: Any
    others: tuple[Any, ...] = ()


class Bot(Protocol):
    def choose(self, view: Sight, legal: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions."""


class Greedy:
    """Takes what pays most at once; where nothing does, anything."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - an action
        solo = view.game.solo
        worth = [solo.total(solo.act(view.sheet, action)) for action in legal]
        best = max(worth)
        return rng.choice([action for action, value in zip(legal, worth, strict=True) if value == best])


BOTS: dict[str, Bot] = {"greedy": Greedy()}
