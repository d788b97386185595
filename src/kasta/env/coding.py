"""Sheets and actions as numbers: what a learner sees, and what it can do.

A sheet is a row of small counts, from which the sheet can be read back. An action is its number in a list of all
that are ever legal. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Generic

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from numpy.typing import NDArray

from kasta.core import A, S, Solo
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.grid import NUMBERS
from kasta.games.traits import load

Row = NDArray[np.int32]
Mask = NDArray[np.int8]

NUMBER = NUMBERS.stop  # a cell or a sum: 0 for none, else the number


@dataclass(frozen=True)
class Coding(Generic[S, A]):
    """How one game's sheets and actions become numbers, and numbers sheets and actions."""

    solo: Solo[S, A]
    actions: tuple[A, ...]
    names: tuple[str, ...]  # of the columns of a row
    sizes: tuple[int, ...]  # how many values each column has
    to_row: Callable[[S], Sequence[int]]
    to_sheet: Callable[[Sequence[int]], S]

    @cached_property
    def number(self) -> dict[A, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def row(self, sheet: S) -> Row:
        return np.array(self.to_row(sheet), np.int32)

    def sheet(self, row: NDArray[Any]) -> S:
        return self.to_sheet(row.tolist())

    def mask(self, legal: Iterable[A]) -> Mask:
        mask = np.zeros(len(self.actions), np.int8)
        mask[[self.number[action] for action in legal]] = 1
        return mask


AnyCoding = Coding[Any, Any]


@cache
def find_coding(game: str, rules: str | None = None) -> AnyCoding:
    """How the game of that name becomes numbers."""
    found = find_game(game, rules)
    if found.traits.coding is None:
        raise Unreadable("no_coding", game=game)
    coding: AnyCoding = load(found.traits.coding)(found.solo)
    return coding
