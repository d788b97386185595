"""Bots that know what choices are worth, from the best to those that are fun to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Protocol, runtime_checkable

from kasta.analysis.valuers import find_valuer
from kasta.bots.base import Bot, Greedy, Sight
from kasta.bots.grid import Quick, Searching, Wavering
from kasta.core import Seat
from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.games.composers import AnyGame
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.values import Progress, quietly


def look(game: AnyGame, table: Any, seat: Seat) -> Sight:  # noqa: ANN401 - each game has its own tables
    """What a person in a seat sees; where seats act at the same time, nothing of the others."""
    others: list[Any] = []
    if not game.hides_picks:
        seats = [Seat((seat + i) % table.seats) for i in range(1, table.seats)]
        others = [game.sheet(table, other) for other in seats if not game.has_left(table, other)]
    return Sight(game, game.sheet(table, seat), tuple(others))


@dataclass(frozen=True)
class Anything:
    """Does whatever is legal."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return rng.choice(legal)


@dataclass(frozen=True)
class ByValue:
    """Takes the best action or, with a temperature, also others: the more one gives away, the more rarely.

    The temperature is in points: something that gives away so many is 2.7 times rarer than the best.
    """

    temperature: float = 0.0

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        options = find_valuer(view.game).options(view.sheet)
        if not self.temperature:
            return options[0].action
        weights = [exp((option.value - options[0].value) / self.temperature) for option in options]
        return rng.choices(options, weights)[0].action


@runtime_checkable
class PlaysMany(Protocol):
    """A valuer with a quick way to play very many games."""

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Sequence[int]: ...


@runtime_checkable
class PlaysAlone(Protocol):
    """A bot with a quick way to play very many games alone, in some games."""

    def totals(
        self, game: AnyGame, games: int, seed: int, progress: Progress = quietly
    ) -> Sequence[int] | None: ...


@dataclass(frozen=True)
class Best(ByValue):
    """Always takes the best action."""

    def totals(self, game: AnyGame, games: int, seed: int, progress: Progress = quietly) -> Sequence[int] | None:
        """The totals of many games alone, if there is a quicker way than playing one after the other."""
        valuer = find_valuer(game)
        return valuer.totals(games, seed, progress) if isinstance(valuer, PlaysMany) else None


@dataclass(frozen=True)
class ToWin:
    """Plays Yatzy for the chance to win; alone, for the total."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        with extra("solve"):
            from kasta.solve.yatzy.win import winner_of

        return winner_of(view.game).options(view.sheet, view.others)[0].action


PLAYERS: dict[str, Bot] = {
    "best": Best(),
    "strong": ByValue(0.5),
    "middling": ByValue(1.0),
    "weak": ByValue(2.0),
    "winner": ToWin(),
    "greedy": Greedy(),
    "anything": Anything(),
}


SEARCHING: dict[str, Bot] = {
    "best": Searching("best"),
    "strong": Searching("strong"),
    "quick": Quick(),
    "greedy": Greedy(),
    "anything": Anything(),
}

PLAYERS_OF: dict[type[Any], dict[str, Bot]] = {
    Knister: SEARCHING
    | {
        "seasoned": Wavering(1.0, mean=61.1),
        "casual": Wavering(1.6, mean=52.2),
        "beginner": Wavering(2.4, mean=42.3),
        "child": Wavering(4.5, mean=30.6),
    },
    Knaster: SEARCHING
    | {
        "seasoned": Wavering(0.8, mean=84.5),
        "casual": Wavering(1.5, mean=69.6),
        "beginner": Wavering(2.5, mean=55.3),
        "child": Wavering(4.0, mean=41.2),
    },
}


def players_of(game: AnyGame | None) -> dict[str, Bot]:
    """The bots of a game by name, the strongest first."""
    return PLAYERS_OF.get(type(game.solo), PLAYERS) if game else PLAYERS


LIKE = {"weak": "beginner", "middling": "casual"}  # where a game has no player of that name


def of_strength(strength: str, game: AnyGame) -> str:
    """The name of a game's player that is weak, middling, strong or best."""
    return strength if strength in players_of(game) else LIKE[strength]


def find_player(name: str, game: AnyGame | None = None) -> Bot:
    """A bot by name; games that nobody has solved have players of their own."""
    players = players_of(game)
    if name not in players:
        raise Unreadable("unknown_player", text=name, known=", ".join(players))
    return players[name]
