"""Bots: players that are no people. All answer one question, and see what a person in their seat would see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from kasta.core import Seat
from kasta.errors import Unreadable
from kasta.games.traits import AnyGame, load
from kasta.values import Progress, quietly


@dataclass(frozen=True, slots=True)
class Sight:
    """What a bot sees: the rules, its own sheet with the throw on it, and others' sheets where they lie open."""

    game: AnyGame
    sheet: Any
    others: tuple[Any, ...] = ()


def look(game: AnyGame, table: Any, seat: Seat) -> Sight:  # noqa: ANN401 - each game has its own tables
    """What a person in a seat sees; where seats act at the same time, nothing of the others."""
    others: list[Any] = []
    if not game.hides_picks:
        seats = [(seat + i) % table.seats for i in range(1, table.seats)]
        others = [game.sheet(table, other) for other in seats if not game.has_left(table, other)]
    return Sight(game, game.sheet(table, seat), tuple(others))


class Bot(Protocol):
    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions."""


@runtime_checkable
class PlaysAlone(Protocol):
    """A bot with a quick way to play very many games alone, in some games."""

    def totals(
        self, game: AnyGame, games: int, seed: int, progress: Progress = quietly
    ) -> Sequence[int] | None: ...


class Greedy:
    """Takes what pays most at once; where nothing does, anything."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        solo = view.game.solo
        worth = [solo.total(solo.act(view.sheet, action)) for action in legal]
        best = max(worth)
        return rng.choice([action for action, value in zip(legal, worth, strict=True) if value == best])


class Anything:
    """Does whatever is legal."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return rng.choice(legal)


@dataclass(frozen=True)
class Bots:
    """The bots of a game by name, the strongest first, and which of them plays at each level of strength."""

    by_name: Mapping[str, Bot]
    levels: Mapping[str, str]


LEVELS = ("middling", "weak", "strong", "best")  # the first is taken where nobody says
SIMPLE: dict[str, Bot] = {"greedy": Greedy(), "anything": Anything()}  # these know nothing of values
GENERAL = Bots(SIMPLE, {"best": "greedy", "strong": "greedy", "middling": "greedy", "weak": "anything"})


def bots_of(game: AnyGame) -> Bots:
    """A game's bots; one that declares none has those that need to know nothing but the rules."""
    found: Bots = load(game.traits.bots) if game.traits.bots else GENERAL
    return found


def at_level(level: str | None, game: AnyGame) -> str:
    """The name of a game's bot that is weak, middling, strong or best."""
    levels = bots_of(game).levels
    return levels[level] if level is not None and level in levels else levels[LEVELS[0]]


def find_bot(name: str, game: AnyGame) -> Bot:
    """A game's bot by name."""
    bots = bots_of(game).by_name
    if name not in bots:
        raise Unreadable("unknown_bot", text=name, known=", ".join(bots))
    return bots[name]
