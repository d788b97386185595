"""Who knows what the choices in a game are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.games.composers import AnyGame
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.yatzy import Yatzy
from kasta.values import AnyValuer, Progress, quietly

if TYPE_CHECKING:
    from kasta.solve.grid.estimates import AnyEstimates


def _yatzy(game: AnyGame, progress: Progress) -> AnyValuer:
    with extra("solve"):
        from kasta.solve.yatzy.solution import solution_of

    return solution_of(game, progress)


def find_estimates(game: AnyGame, _progress: Progress = quietly) -> AnyEstimates:
    """What is estimated in a game that nobody has solved."""
    match game.solo:
        case Knister() as knister:
            with extra("solve"):
                from kasta.solve.knister.estimates import estimates as of_knister

            return of_knister(knister)
        case Knaster() as knaster:
            with extra("solve"):
                from kasta.solve.knaster.estimates import estimates as of_knaster

            return of_knaster(knaster)
    raise Unreadable("no_values")


def find_luck(game: AnyGame) -> Callable[[Any, Any], float] | None:
    """How lucky a throw was, told by the sheets before and after it; None in a game that has no estimates."""
    return find_estimates(game).luck if isinstance(game.solo, Knister | Knaster) else None


VALUERS: dict[type[Any], Callable[[AnyGame, Progress], AnyValuer]] = {
    Yatzy: _yatzy,
    Knister: find_estimates,
    Knaster: find_estimates,
}


def find_valuer(game: AnyGame, progress: Progress = quietly) -> AnyValuer:
    """The valuer of a game, ready to be asked: the first time that may take a while."""
    if type(game.solo) not in VALUERS:
        raise Unreadable("no_values")
    return VALUERS[type(game.solo)](game, progress)
