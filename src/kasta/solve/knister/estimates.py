"""Knister estimated: what every sheet and every cell is worth, and who plays by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Self, cast

import numpy as np

from kasta.games.grid import FREE, Cell
from kasta.games.knister import Knister, Sheet
from kasta.games.traits import AnyGame
from kasta.solve import value_file
from kasta.solve.grid import learned_file
from kasta.solve.grid.estimates import PLAYED_OUT, Estimates, kept_model
from kasta.solve.grid.geometry import NONE, SYMBOLS, symbol
from kasta.solve.grid.halving import Budget
from kasta.solve.grid.learned_file import in_steps
from kasta.solve.grid.place import Chances, won
from kasta.solve.grid.reflection import halve, reflect, twins_of_pairs
from kasta.solve.kept import kept
from kasta.solve.knister.arrays import KnisterModel
from kasta.solve.knister.endgame import last_cells
from kasta.solve.knister.evaluate import KnisterPlayer, new_player
from kasta.solve.knister.place import play_to_the_end
from kasta.solve.knister.search import (
    KnisterSearch,
    best_cell,
    new_search,
    play_quickly,
    says_more,
    search,
    worth_after_throw,
    worth_before_throw,
)
from kasta.solve.knister.value import KnisterCells, KnisterValue, new_sheet, start_lines
from kasta.solve.splitmix_kernels import Generator, many_throws, new_generator
from kasta.solve.types import Floats, Ints, Table
from kasta.values import Option, Progress, quietly

FILE = value_file.SHIPPED / "knister.values"
KEPT = ("", "other_")  # before the names of tables: of the values in a file
LATE = 12  # free cells from which on `best` plays for the place
BEST = 71.98  # the mean total of the bot of that name (bench/results-grid.md)


class KnisterEstimates(Estimates[Sheet, Cell]):
    """Estimates for Knister from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=16, played=12, games=400, throws=8, tries=2, trust=3.0, exact=5),
        "best": Budget(first=16, played=12, games=3600, throws=25, tries=3, trust=3.0, exact=6),
        "glance": Budget(first=25, exact=6),
        "advice": Budget(first=25, exact=6),
    }
    doubt, doubt_apart, later_doubt = 1.4, 1.1, 0.3
    spread, indistinct = 14.1, 0.05
    model: KnisterModel
    learned: KnisterValue
    _solved: tuple[Ints, Ints, Floats] | None = None

    @cached_property
    def player(self) -> KnisterPlayer:
        return new_player(self.model.arrays, self.learned)

    @cached_property
    def _search(self) -> KnisterSearch:
        return new_search(self.player)

    def encode(self, sheet: Sheet) -> KnisterCells:
        """A sheet as kernels have it."""
        found = new_sheet(self.model.arrays)
        for cell, number in enumerate(sheet.numbers):
            if number != FREE:
                found.free[cell], found.symbol[cell] = 0, symbol(number)
        for number, line in enumerate(self.solo.grid.lines):
            found.content[number] = self.model.number[tuple(sorted(found.symbol[list(line.cells)].tolist()))]
        return found

    def is_exact(self, sheet: Sheet) -> bool:
        return sheet.numbers.count(FREE) <= self.budget.exact

    def rank(self, sheet: Sheet, budget: Budget, seed: int) -> list[Option[Cell]]:
        found, legal, halving = self.encode(sheet), self.solo.legal(sheet), self._search.halving
        thrown = symbol(sheet.sum or 0)
        if len(legal) <= budget.exact:
            cells, worth = self.last(found)
            values = [float(worth[thrown * SYMBOLS**i]) for i in range(len(cells))]
            options = [
                Option(self.solo.grid.cells[cell], value) for cell, value in zip(cells, values, strict=True)
            ]
            return sorted(options, key=lambda option: -option.value)
        search(self._search, found, thrown, budget, new_generator(seed))
        ranked = sorted(legal, key=lambda cell: -halving.worth[cell])
        return [
            Option(cell, float(halving.worth[cell]), self.error(halving, cell, budget.trust)) for cell in ranked
        ]

    def last(self, found: KnisterCells) -> tuple[Ints, Floats]:
        """`last_cells`, once for all throws on the same sheet."""
        if self._solved is None or not np.array_equal(self._solved[0], found.symbol):
            self._solved = (found.symbol, *last_cells(self.model.arrays, found))
        return self._solved[1:]

    def fitting(self, sheet: Sheet) -> Self:
        if self.also is None or not says_more(self.also.player, self.player, *self._position(sheet)):
            return self
        return self.also

    def is_late(self, sheet: Sheet, others: Sequence[Sheet]) -> bool:  # noqa: ARG002 - all lack as many
        return 1 < sheet.numbers.count(FREE) <= LATE

    def chances(
        self, sheet: Sheet, options: Sequence[Option[Cell]], others: Sequence[Sheet], seed: int
    ) -> list[Chances]:
        generator, thrown = new_generator(seed), symbol(sheet.sum or 0)
        throws = many_throws(self.model.arrays.sums, PLAYED_OUT, sheet.numbers.count(FREE) - 1, generator)

        def totals(one: Sheet, cell: int) -> Floats:
            found, player = np.zeros(PLAYED_OUT), self.fitting(one).player
            play_to_the_end(player, self.encode(one), new_sheet(self.model.arrays), cell, thrown, throws, found)
            return found

        rivals = [totals(other, NONE) for other in others]
        cells = [self.solo.grid.cells.index(option.action) for option in options]
        return [
            Chances(option, won(totals(sheet, cell), rivals)) for option, cell in zip(options, cells, strict=True)
        ]

    def quick(self, sheet: Sheet) -> Cell:
        player = self.fitting(sheet).player
        return self.solo.grid.cells[best_cell(player, *self._position(sheet), symbol(sheet.sum or 0))]

    def before_throw(self, sheet: Sheet) -> float:
        return float(worth_before_throw(self._search, *self._position(sheet)))

    def after_throw(self, sheet: Sheet) -> float:
        return float(worth_after_throw(self._search, *self._position(sheet), symbol(sheet.sum or 0)))

    def _position(self, sheet: Sheet) -> tuple[KnisterCells, int]:
        """A sheet as kernels have it, and how many numbers are written."""
        return self.encode(sheet), len(sheet.numbers) - sheet.numbers.count(FREE)

    def play_some(self, generator: Generator, totals: Ints, luck: Floats, *, with_luck: bool) -> None:
        other = (self.also or self).player
        play_quickly(self.player, other, new_sheet(self.model.arrays), with_luck, generator, totals, luck)


def load(model: KnisterModel, path: Path) -> list[KnisterValue]:
    """Learned values, in steps, from what learning changed: one, or two of which the second explored."""
    changes = learned_file.load(path, model.fingerprint)
    start = kept(f"start of {model.game!r}", lambda: in_steps(start_lines(model.arrays), np.int16))
    twins, found = twins_of_pairs(model.arrays.mirror_others), list[KnisterValue]()
    for before in KEPT:
        if f"{before}lines" in changes:
            lines, pairs = start + changes[f"{before}lines"], changes[f"{before}pairs"]
            reflect(pairs, twins)
            found.append(KnisterValue(lines, pairs, 1 / learned_file.STEPS))
    return found


def save(
    model: KnisterModel, one: KnisterValue, other: KnisterValue, path: Path, about: dict[str, object]
) -> None:
    """Write what learning changed; of the other value nothing, if it has learned nothing."""
    start, changes = in_steps(start_lines(model.arrays), np.int16), dict[str, Table]()
    for before, value in zip(KEPT, (one, other) if other.lines.any() else (one,), strict=False):
        pairs = in_steps(value.pairs, np.int8)
        halve(pairs, twins_of_pairs(model.arrays.mirror_others))
        changes |= {f"{before}lines": in_steps(value.lines, np.int16) - start, f"{before}pairs": pairs}
    learned_file.save(path, model.fingerprint, changes, about)


@cache
def estimates(game: Knister) -> KnisterEstimates:
    """Estimates for a game, with the values that come with this package."""
    model = kept_model(KnisterModel(game))
    usual, *others = load(model, FILE)  # the other is closer where good players do not come
    return KnisterEstimates(model, usual, BEST, *(KnisterEstimates(model, other) for other in others))


def valuer(game: AnyGame, _progress: Progress = quietly) -> KnisterEstimates:
    return estimates(cast(Knister, game.solo))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return valuer(game).luck
