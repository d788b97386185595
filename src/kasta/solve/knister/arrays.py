"""What the rules of Knister answer, as arrays for kernels: every score is asked for, none is written here.

A line is known by its *content*, the numbers in it whatever their order, with EMPTY for a free cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.games.grid import FREE, NUMBERS
from kasta.games.knister import Knister, Sheet
from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS, Geometry, chances, geometry, sums
from kasta.solve.grid.reflection import mirrored
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import fingerprint

Content = tuple[int, ...]


class KnisterArrays(NamedTuple):
    """Everything a kernel needs to know about Knister on one grid."""

    g: Geometry
    after: NDArray[np.int16]  # [content, symbol]: the content with that number more, NONE if it is full
    others: NDArray[np.int16]  # [content]: number of the content of the other cells, without one free cell
    others_count: int
    mirror: Ints  # [content]: the content that is worth the same, with low numbers for high ones
    mirror_others: Ints  # [content of other cells]
    score: Floats  # [kind of line, content]: points of a full line, 0 before
    sums: Ints  # [throw]: its symbol
    chance: Floats  # [symbol]


@dataclass(frozen=True)
class KnisterModel:
    """Knister as kernels know it: the arrays, and the number of each content."""

    game: Knister = field(default_factory=Knister)

    @cached_property
    def contents(self) -> list[Content]:
        return list(combinations_with_replacement(range(SYMBOLS), self.game.grid.side))

    @cached_property
    def number(self) -> dict[Content, int]:
        return {content: number for number, content in enumerate(self.contents)}

    @cached_property
    def arrays(self) -> KnisterArrays:
        side = self.game.grid.side
        after = np.full((len(self.contents), SYMBOLS), NONE, np.int16)
        others = np.full(len(self.contents), NONE, np.int16)
        smaller = list(combinations_with_replacement(range(SYMBOLS), side - 1))
        for number, content in enumerate(smaller):  # with a free cell besides: these contents come first
            others[number] = number
            after[number, 1:] = [self.number[tuple(sorted((*content, symbol)))] for symbol in range(1, SYMBOLS)]
        worth = [tuple(self._scores(line)) for line in (0, side, 2 * side)]  # a row, a column, a diagonal
        mirror = np.array([self.number[_mirrored(content)] for content in self.contents])
        if (np.array(worth) != np.array(worth)[:, mirror]).any():
            raise ValueError("learning needs low and high numbers that are worth the same")
        g = geometry(self.game.grid, [worth[min(line // side, 2)] for line in range(2 * side + 2)])
        return KnisterArrays(
            g=g,
            after=after,
            others=others,
            others_count=len(smaller),
            mirror=mirror,
            mirror_others=np.array([smaller.index(_mirrored(content)) for content in smaller]),
            score=np.array([worth[min(line // side, 2)] for line in np.unique(g.kind_of, return_index=True)[1]]),
            sums=sums(),
            chance=chances(),
        )

    def _scores(self, line: int) -> list[float]:
        """What the rules give for each content of a line."""
        return [float(self._points(line, content)) if EMPTY not in content else 0.0 for content in self.contents]

    def _points(self, line: int, content: Content) -> int:
        numbers = [FREE] * len(self.game.grid.cells)
        for cell, symbol in zip(self.game.grid.lines[line].cells, content, strict=True):
            numbers[cell] = NUMBERS[symbol - 1]
        return self.game.lines(Sheet(tuple(numbers)))[line].points

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.arrays._asdict())


def _mirrored(content: Content) -> Content:
    return tuple(sorted(map(mirrored, content)))
