"""Reasons in Knister."""

from __future__ import annotations

from functools import cache

from kasta.coach.reasons.grid import GridAfter, LineReasons
from kasta.games.composers import Shared
from kasta.games.grid import Cell
from kasta.games.grid_drawing import points
from kasta.games.knister.rules import Knister, Sheet, line_hand, line_points
from kasta.games.knister.traits import TRAITS
from kasta.i18n import Words


def reason(game: Shared[Sheet, Cell], sheet: Sheet, chosen: Cell, best: Cell, said: Words) -> str:
    def place(cell: Cell) -> GridAfter:
        return GridAfter(game.solo.act(sheet, cell).numbers, cell)

    assert isinstance(game.solo, Knister)  # noqa: S101 - these are its reasons
    other = place(chosen) if chosen != best else GridAfter(sheet.numbers, None)
    return _lines(game.solo).reason(other, place(best), said)


@cache
def _lines(solo: Knister) -> LineReasons:
    return LineReasons(solo.grid, line_hand, line_points, TRAITS.word, lambda said, number: points(number, said))
