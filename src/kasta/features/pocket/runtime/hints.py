"""Hints without a network: what choices are worth, where the values of a solved game came along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kasta.games.traits import AnyGame, load
from kasta.i18n import Words
from kasta.page.advice import places_of
from kasta.page.choices import choice_rows
from kasta.tables.state import Table
from kasta.values import Option

BEST = 3  # choices that are told
Rest = Callable[[int, bool, int], float]
"""What the game's solver says of a state, as its `take_along` asks."""


def values_name(game: AnyGame) -> str:
    """What the values of a game are called."""
    return f"{game.name}-{game.rules}"


class Values:
    """Of solved games; without any, as long as nobody has wished for them."""

    _turn: tuple[Any, Any] | None = None  # the last one: it has several throws

    def has(self, game: AnyGame) -> bool:  # noqa: ARG002 - others have some
        return False

    def rest(self, name: str) -> Rest:
        raise NotImplementedError

    def options(self, game: AnyGame, sheet: Any) -> list[Option[Any]]:
        name = values_name(game)
        key = name, sheet.boxes, sheet.jokers
        if self._turn is None or self._turn[0] != key:
            turn = load(f"{game.traits.take_along}:TurnValues")(game.solo, sheet, self.rest(name))
            self._turn = key, turn
        found: list[Option[Any]] = self._turn[1].options(sheet)
        return found


class Advised:
    """coach/hint.html: what the coach would do, the best first, and the ids of what it points at."""

    def __init__(self, table: Table, seat: int, sheet: Any, best: list[Option[Any]], said: Words) -> None:
        game = table.game
        self.rows = choice_rows(game, sheet, best, said)
        self.places = places_of(game, seat, best[0].action, table.tray, game.legal(table.play, seat))
