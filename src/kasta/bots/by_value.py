"""Bots that know what choices are worth, from the best to those that are fun to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Protocol, runtime_checkable

from kasta.bots.base import Sight
from kasta.games.traits import AnyGame, find_valuer, load
from kasta.values import Option, Progress, beside, quietly


def softmax(options: Sequence[Option[Any]], temperature: float, rng: Random) -> Any:  # noqa: ANN401 - an action
    """Any of the options, best first: what gives away so many points as the temperature is 2.7 times rarer."""
    weights = [exp((option.value - options[0].value) / temperature) for option in options]
    return rng.choices(options, weights)[0].action


@dataclass(frozen=True)
class ByValue:
    """Takes the best action or, with a temperature in points, also others."""

    temperature: float = 0.0

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        options = beside(find_valuer(view.game), view.others_lack).options(view.sheet)
        return softmax(options, self.temperature, rng) if self.temperature else options[0].action


@runtime_checkable
class PlaysMany(Protocol):
    """A valuer with a quick way to play very many games."""

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Sequence[int]: ...


@dataclass(frozen=True)
class Best(ByValue):
    """Plays for the expected total alone, and for the place with others, where the game knows chances to win."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        if view.others and view.game.traits.winner:
            return ToWin().choose(view, legal, rng)
        return super().choose(view, legal, rng)

    def totals(self, game: AnyGame, games: int, seed: int, progress: Progress = quietly) -> Sequence[int] | None:
        """The totals of many games alone, if there is a quicker way than playing one after the other."""
        valuer = find_valuer(game)
        return valuer.totals(games, seed, progress) if isinstance(valuer, PlaysMany) else None


@dataclass(frozen=True)
class ToWin:
    """Plays for the chance to win; alone, for the total. For games that declare a `winner`."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return load(view.game.traits.winner or "")(view.game).options(view.sheet, view.others)[0].action
