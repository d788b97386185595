"""Who knows what the choices in a game are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kasta.errors import Unreadable
from kasta.games.yatzy import Yatzy
from kasta.seating import AnyGame
from kasta.values import AnyValuer, Progress, quietly


def _yatzy(game: AnyGame, progress: Progress) -> AnyValuer:
    from kasta.solve.yatzy import solution_of

    return solution_of(game, progress)


VALUERS: dict[type[Any], Callable[[AnyGame, Progress], AnyValuer]] = {Yatzy: _yatzy}


def find_valuer(game: AnyGame, progress: Progress = quietly) -> AnyValuer:
    """The valuer of a game, ready to be asked: the first time that may take a while."""
    if type(game.solo) not in VALUERS:
        raise Unreadable("no_values")
    return VALUERS[type(game.solo)](game, progress)
