"""What a game can come to at least and at most: totals, actions and throws. Found by asking the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from kasta.core import FACES
from kasta.games import find_game, knaster, knister, yatzy
from kasta.games.grid import NUMBERS, Grid, Numbers


class Bounds(NamedTuple):
    """For one sheet; each is reached by some game."""

    least: int
    most: int
    actions: int
    throws: int


def of_knister(solo: knister.Knister) -> Bounds:
    """All lines at their best is all of them straights without a 7, at their worst none of them anything."""
    lowest = NUMBERS.start
    straights = tuple(range(lowest, lowest + solo.grid.side))
    nothing = (*straights[:-1], straights[-1] + 1)
    least, most = (solo.total(knister.Sheet(_all_lines(solo.grid, numbers))) for numbers in (nothing, straights))
    return Bounds(least, most, actions=len(solo.grid.cells), throws=len(solo.grid.cells))


def _all_lines(grid: Grid, numbers: Numbers) -> Numbers:
    """A grid with these numbers in every line, whose side is odd and no multiple of three."""
    side = grid.side
    return tuple(numbers[(column + 2 * row) % side] for row in range(side) for column in range(side))


def of_knaster(solo: knaster.Knaster) -> Bounds:
    """At best all is circled, at worst nothing. Every cell is written once, circled once, and then comes a pass.

    The longest game has no bonus circles: all but one cell written, all these circled, the last one written, and
    the last throw.
    """
    cells = solo.grid.cells
    empty = solo.start()
    whole = replace(empty, circled=frozenset(cells))
    return Bounds(solo.total(empty), solo.total(whole), actions=2 * len(cells) + 1, throws=2 * len(cells))


def of_yatzy(solo: yatzy.Yatzy) -> Bounds:
    """Box after box with the dice that pay most or least in it; the Yatzy first, which makes jokers of others."""
    order = sorted(solo.boxes, key=lambda box: (box != "yatzy", box not in yatzy.UPPER))
    turns = len(solo.boxes) * solo.throws
    return Bounds(_filled(solo, order, min), _filled(solo, order, max), actions=turns, throws=turns)


def _filled(solo: yatzy.Yatzy, order: list[str], choose: Callable[..., Any]) -> int:
    sheet = solo.start()
    for box in order:
        thrown = [
            replace(sheet, dice=dice, throws=solo.throws)
            for dice in combinations_with_replacement(FACES, solo.dice)
        ]
        fill = yatzy.Fill(box)
        sheet = choose((solo.act(each, fill) for each in thrown if fill in solo.legal(each)), key=solo.total)
    return solo.total(sheet)


BOUNDS: dict[str, Callable[[Any], Bounds]] = {"knister": of_knister, "knaster": of_knaster, "yatzy": of_yatzy}


@cache
def find_bounds(game: str, rules: str = "sheet") -> Bounds:
    """The bounds of the game of that name."""
    solo = find_game(game, rules).solo
    return BOUNDS[game](solo)
