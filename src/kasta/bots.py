"""Players that are programs. A bot sees what a person in its seat sees, and chooses among what is legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Generic, Protocol

from kasta.core import A, S, Seat, Solo
from kasta.errors import Unreadable
from kasta.seating import AnyGame, InTurn
from kasta.values import AnyValuer, Progress, quietly


@dataclass(frozen=True, slots=True)
class Seen(Generic[S, A]):
    """What a person in a seat sees: the own sheet, and those of the others clockwise, as far as they are open."""

    solo: Solo[S, A]
    sheet: S
    others: tuple[S, ...] = ()


def look(game: AnyGame, table: Any, seat: Seat) -> Seen[Any, Any]:  # noqa: ANN401 - each game has its own tables
    """What a seat sees. Where one throw serves all, what others do with it is hidden: nothing of them is told."""
    others: list[Any] = []
    if isinstance(game, InTurn):
        others = [game.sheet(table, Seat((seat + i) % table.seats)) for i in range(1, table.seats)]
    return Seen(game.solo, game.sheet(table, seat), tuple(others))


class Bot(Protocol):
    """Chooses one of the legal actions; all chance comes from `rng`, so that games can be played again."""

    def choose(self, view: Seen[Any, Any], legal: Sequence[Any], rng: Random) -> Any: ...  # noqa: ANN401


@dataclass(frozen=True)
class AnyAction:
    """Does anything that is legal."""

    def choose(self, view: Seen[Any, Any], legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002
        return rng.choice(legal)


@dataclass(frozen=True)
class ByValue:
    """Takes the best action or, with a temperature, also others: the more one gives away, the more rarely.

    The temperature is in points: something that gives away so many is 2.7 times rarer than the best.
    """

    valuer: AnyValuer
    temperature: float = 0.0

    def choose(self, view: Seen[Any, Any], legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002
        options = self.valuer.options(view.sheet)
        if not self.temperature:
            return options[0].action
        weights = [exp((option.value - options[0].value) / self.temperature) for option in options]
        return rng.choices(options, weights)[0].action


@dataclass(frozen=True)
class BestYatzy(ByValue):
    """The best Yatzy player, with a quick way to play very many games."""

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Sequence[int]:
        totals: Sequence[int] = self.valuer.totals(games, seed, progress)  # type: ignore[attr-defined]
        return totals


@dataclass(frozen=True)
class ToWin:
    """Plays Yatzy for the chance to win; alone, for the total."""

    winner: Any

    def choose(self, view: Seen[Any, Any], legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002
        if not view.others:
            return self.winner.solution.options(view.sheet)[0].action
        return self.winner.options(view.sheet, view.others)[0].action


Make = Callable[[AnyGame, Progress], Bot]


def _yatzy(temperature: float) -> Make:
    def make(game: AnyGame, progress: Progress) -> Bot:
        from kasta.solve.yatzy import solution_of

        solved = solution_of(game, progress)
        return ByValue(solved, temperature) if temperature else BestYatzy(solved)

    return make


def _yatzy_to_win(game: AnyGame, progress: Progress) -> Bot:
    from kasta.solve.yatzy import solution_of
    from kasta.solve.yatzy_win import Winner

    return ToWin(Winner(solution_of(game, progress)))


def _random(_game: AnyGame, _progress: Progress) -> Bot:
    return AnyAction()


# The first of each game is its strongest.
BOTS: dict[str, dict[str, Make]] = {
    "yatzy": {
        "best": _yatzy(0),
        "strong": _yatzy(0.5),
        "middling": _yatzy(1),
        "weak": _yatzy(2),
        "winner": _yatzy_to_win,
        "random": _random,
    },
    "knister": {"random": _random},
    "knaster": {"random": _random},
}


def find_bot(name: str, game_name: str, game: AnyGame, progress: Progress = quietly) -> Bot:
    """The bot of that name for a game."""
    bots = BOTS[game_name]
    if name not in bots:
        raise Unreadable("unknown_bot", text=name, game=game_name, known=", ".join(bots))
    return bots[name](game, progress)
