"""What the rules of Knaster answer, as arrays for kernels: circles and points are asked for, none is written here.

A line is known by its *content*: while it has free cells, by the symbols in it whatever their order; once it is
complete, by its uncircled numbers alone, because nothing else counts any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.games.grid import FREE, NUMBERS, Grid
from kasta.games.knaster import Bonus, Knaster, Sheet, Write
from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS, Geometry, chances, geometry, sums, symmetries
from kasta.solve.grid.reflection import mirrored
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import fingerprint

Content = tuple[int, ...]

CIRCLED = SYMBOLS - 1  # added to the symbol of a number
TRIES = 3  # throws that a free cell is supposed to be able to wait for, when judging what hand a line may make
LEVELS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5)  # circles expected from a hand: borders between outlines
RARE = (8.0, 16.0, 32.0)  # throws to wait for all uncircled numbers of a complete line: borders between outlines


class KnasterArrays(NamedTuple):
    """Everything a kernel needs to know about Knaster on one grid."""

    g: Geometry
    pair_kind: Ints  # [cell, i]: how the pair of lines crosses, as seen from the line that comes first
    pair_turned: Ints  # [cell, i]: 1 if the second line of the pair comes first
    crossing_kind: Ints  # [line, place, i]
    crossing_turned: Ints  # [line, place, i]: 1 if the other line comes first
    pair_kinds: int
    write: NDArray[np.int16]  # [content, symbol]: NONE if complete
    circle: NDArray[np.int16]  # [content, symbol]: NONE if that number is not there uncircled
    earned: NDArray[np.int8]  # [content, symbol]: circles for the hand made by writing it, 0 if not completed
    outline: NDArray[np.int16]  # [content]: what pairs know of it
    outlines: int
    mirror: Ints  # [content]: the content that is worth the same, with low numbers for high ones
    mirror_symbol: Ints  # [symbol]
    full: int  # the content of a line whose numbers are all circled
    printed: Floats  # [line]: points for that
    sums: Ints  # [throw]: its symbol
    chance: Floats  # [symbol]


@dataclass(frozen=True)
class KnasterModel:
    """Knaster as kernels know it: the arrays, and the number of each content."""

    game: Knaster = field(default_factory=Knaster)

    @cached_property
    def contents(self) -> list[Content]:
        side = self.game.grid.side
        begun = [(EMPTY, *rest) for rest in combinations_with_replacement(range(SYMBOLS + CIRCLED), side - 1)]
        complete = [
            rest for count in range(side + 1) for rest in combinations_with_replacement(range(1, SYMBOLS), count)
        ]
        return begun + complete

    @cached_property
    def number(self) -> dict[Content, int]:
        return {content: number for number, content in enumerate(self.contents)}

    def content(self, symbols: Content) -> int:
        """The number of a line with these symbols, as many as it has cells."""
        symbols = tuple(sorted(symbols))
        return self.number[symbols if EMPTY in symbols else tuple(s for s in symbols if s < SYMBOLS)]

    @cached_property
    def arrays(self) -> KnasterArrays:
        grid = self.game.grid
        printed = [self._printed(line) for line in range(len(grid.lines))]
        g = geometry(grid, printed)
        write, circle, earned = self._changes()
        outline, outlines = self._outlines(write, earned)
        return KnasterArrays(
            g=g,
            **_crossings(grid, g, printed),
            write=write,
            circle=circle,
            earned=earned,
            outline=outline,
            outlines=outlines,
            mirror=self.mirror,
            mirror_symbol=np.array([mirrored(symbol) for symbol in range(SYMBOLS)]),
            full=self.number[()],
            printed=np.array(printed, np.float64),
            sums=sums(),
            chance=chances(),
        )

    def _changes(self) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int8]]:
        write = np.full((len(self.contents), SYMBOLS), NONE, np.int16)
        circle = write.copy()
        earned = np.zeros(write.shape, np.int8)
        for content, number in self.number.items():
            begun = EMPTY in content
            for symbol in range(1, SYMBOLS):
                if begun:
                    written = (*content[1:], symbol)
                    write[number, symbol] = self.content(written)
                    if EMPTY not in written:
                        earned[number, symbol] = self.earns[tuple(sorted((s - 1) % CIRCLED + 1 for s in written))]
                if symbol in content:
                    at = content.index(symbol)
                    rest = (*content[:at], *content[at + 1 :])
                    circle[number, symbol] = (
                        self.content((*rest, symbol + CIRCLED)) if begun else self.number[rest]
                    )
        return write, circle, earned

    @cached_property
    def mirror(self) -> Ints:
        def other(symbol: int) -> int:
            return mirrored(symbol) if symbol < SYMBOLS else mirrored(symbol - CIRCLED) + CIRCLED

        if any(earned != self.earns[tuple(sorted(map(other, numbers)))] for numbers, earned in self.earns.items()):
            raise ValueError("learning needs low and high numbers that are worth the same")
        return np.array([self.number[tuple(sorted(map(other, content)))] for content in self.contents])

    @cached_property
    def earns(self) -> dict[Content, int]:
        """How many circles the numbers of a complete line have earned."""
        complete = combinations_with_replacement(range(1, SYMBOLS), self.game.grid.side)
        return {numbers: self._earned(numbers) for numbers in complete}

    def _earned(self, content: Content) -> int:
        """How many circles the rules demand when the last of these numbers is written into an uncircled line."""
        line = self.game.grid.lines[0]
        numbers = [FREE] * len(self.game.grid.cells)
        for cell, symbol in zip(line.cells[:-1], content[:-1], strict=True):
            numbers[cell] = NUMBERS[symbol - 1]
        sheet = self.game.act(Sheet(tuple(numbers), sum=NUMBERS[content[-1] - 1]), Write(line.cells[-1]))
        while not self.game.rests(sheet):
            uncircled = next(cell for cell in line.cells if cell not in sheet.circled)
            sheet = self.game.act(sheet, Bonus(line, uncircled))
        return len(sheet.circled)

    def _printed(self, line: int) -> int:
        cells = self.game.grid.cells
        sheet = Sheet((NUMBERS[0],) * len(cells), frozenset(self.game.grid.lines[line].cells))
        return self.game.lines(sheet)[line].points

    def _outlines(self, write: NDArray[np.int16], earned: NDArray[np.int8]) -> tuple[NDArray[np.int16], int]:
        """Coarse descriptions of contents.

        Of lines that are begun: free cells, uncircled numbers, and how good a hand may still be made; of complete
        ones: uncircled numbers, and how rare they are.
        """
        chance = chances()[1:]
        hope = np.zeros(len(self.contents))
        for number in range(len(write) - 1, -1, -1):  # begun contents with fewer free cells have larger numbers
            if write[number, 1] != NONE:
                gains = hope[write[number, 1:]] + earned[number, 1:]
                order = np.argsort(gains, kind="stable")
                below = np.cumsum(chance[order]) ** TRIES
                hope[number] = gains[order] @ np.diff(below, prepend=0.0)
        described: list[tuple[int, ...]] = []
        for number, content in enumerate(self.contents):
            uncircled = [symbol for symbol in content if EMPTY < symbol < SYMBOLS]
            if EMPTY in content:
                level = int(np.searchsorted(LEVELS, hope[number]))
            else:
                level = int(np.searchsorted(RARE, sum(1 / chance[symbol - 1] for symbol in uncircled)))
            described.append((content.count(EMPTY), len(uncircled), level))
        kinds = {outline: number for number, outline in enumerate(sorted(set(described)))}
        return np.array([kinds[outline] for outline in described], np.int16), len(kinds)

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.arrays._asdict())


def _crossings(grid: Grid, g: Geometry, printed: list[int]) -> dict[str, Any]:
    """Numbers for pairs of crossing lines: equal where a symmetry that keeps points takes one to the other."""
    fitting = list(symmetries(grid, printed))

    def ordered(one: int, two: int) -> tuple[int, int]:
        return min((to[one], to[two]) for to in fitting)

    def seen(one: int, two: int) -> tuple[tuple[int, int], int]:
        return min((ordered(one, two), 0), (ordered(two, one), 1))

    pairs = [(cell, i) for cell, i in np.ndindex(g.pairs_of.shape[:2]) if g.pairs_of[cell, i, 0] != NONE]
    views = {(cell, i): seen(*g.pairs_of[cell, i, :2].tolist()) for cell, i in pairs}
    number = {view: i for i, view in enumerate(sorted({view for view, _ in views.values()}))}
    pair_kind, pair_turned = np.full(g.pairs_of.shape[:2], NONE), np.zeros(g.pairs_of.shape[:2], np.int64)
    for at, (view, turned) in views.items():
        pair_kind[at], pair_turned[at] = number[view], turned
    crossing_kind, crossing_turned = np.full_like(g.crossing, NONE), np.zeros_like(g.crossing)
    for at in np.ndindex(g.crossing.shape):
        if g.crossing[at] != NONE:
            one, two = at[0], int(g.crossing[at])
            first, second = min(one, two), max(one, two)  # as in pairs_of
            view, turned = seen(first, second)
            crossing_kind[at], crossing_turned[at] = number[view], turned ^ (one != first)
    return {
        "pair_kind": pair_kind,
        "pair_turned": pair_turned,
        "crossing_kind": crossing_kind,
        "crossing_turned": crossing_turned,
        "pair_kinds": len(number),
    }
