"""Knister estimated: what every sheet and every cell is worth, and who plays by that."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import ClassVar, cast

import numpy as np

from kasta.games.grid import FREE, Cell
from kasta.games.knister import Knister, Sheet
from kasta.games.traits import AnyGame
from kasta.solve.grid import learned_file
from kasta.solve.grid.budget import Budget
from kasta.solve.grid.estimates import Estimates
from kasta.solve.grid.geometry import SYMBOLS, symbol
from kasta.solve.grid.reflection import halve, reflect, twins_of_pairs
from kasta.solve.kept import kept
from kasta.solve.knister.arrays import KnisterModel
from kasta.solve.knister.endgame import last_cells
from kasta.solve.knister.evaluate import new_work
from kasta.solve.knister.quick import best_cell, play_quickly
from kasta.solve.knister.search import new_workspace, search, worth_after_throw, worth_before_throw
from kasta.solve.knister.value import KnisterCells, KnisterValue, new_sheet, start_lines
from kasta.solve.splitmix_kernels import Generator, new_generator
from kasta.solve.types import Floats, Ints
from kasta.values import Option, Progress, quietly

FILE = Path(__file__).parent / "data" / "knister.values"
REVIEW_FILE = Path(__file__).parent / "data" / "knister-review.values"
BEST = 71.98  # the mean total of the bot of that name (bench/results-grid.md)


class KnisterEstimates(Estimates[Sheet, Cell]):
    """Estimates for Knister from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=16, played=12, games=400, throws=8, tries=2, trust=3.0, exact=5),
        "best": Budget(first=16, played=12, games=3600, throws=25, tries=3, trust=3.0, exact=6),
        "advice": Budget(first=25, played=25, games=400, throws=8, tries=2, trust=1.0, exact=6),
        "review": Budget(first=25, exact=6),
    }
    doubt, later_doubt = 0.8, 0.3
    spread, indistinct = 14.1, 0.05

    def __init__(
        self,
        model: KnisterModel,
        value: KnisterValue,
        budget: str = "advice",
        best: float | None = None,
        also: KnisterEstimates | None = None,
    ) -> None:
        super().__init__(budget, best, also)
        self.model, self.learned = model, value
        self._workspace, self._work = new_workspace(model.arrays), new_work(model.arrays)
        self._solved: tuple[Ints, Ints, Floats] | None = None

    @property
    def solo(self) -> Knister:
        return self.model.game

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
        found, legal, halving = self.encode(sheet), self.solo.legal(sheet), self._workspace.halving
        thrown = symbol(sheet.sum or 0)
        if len(legal) <= budget.exact:
            cells, worth = self.last(found)
            exact = [Option(cell, float(worth[thrown * SYMBOLS**i])) for i, cell in enumerate(map(int, cells))]
            options = [Option(self.solo.grid.cells[option.action], option.value) for option in exact]
            return sorted(options, key=lambda option: -option.value)
        search(self.model.arrays, self.learned, found, thrown, budget, new_generator(seed), self._workspace)
        ranked = sorted(legal, key=lambda cell: -halving.worth[cell])
        return [
            Option(cell, float(halving.worth[cell]), self.error(halving, cell, budget.trust)) for cell in ranked
        ]

    def last(self, found: KnisterCells) -> tuple[Ints, Floats]:
        """`last_cells`, once for all throws on the same sheet."""
        if self._solved is None or not np.array_equal(self._solved[0], found.symbol):
            self._solved = (found.symbol, *last_cells(self.model.arrays, found))
        return self._solved[1:]

    def quick(self, sheet: Sheet) -> Cell:
        found = self.encode(sheet)
        written = int((found.free == 0).sum())
        thrown = symbol(sheet.sum or 0)
        return self.solo.grid.cells[best_cell(self.model.arrays, self.learned, found, written, thrown, self._work)]

    def before_throw(self, sheet: Sheet) -> float:
        found = self.encode(sheet)
        written = int((found.free == 0).sum())
        return float(worth_before_throw(self.model.arrays, self.learned, found, written, self._workspace))

    def after_throw(self, sheet: Sheet) -> float:
        found = self.encode(sheet)
        written = int((found.free == 0).sum())
        t, thrown = self.model.arrays, symbol(sheet.sum or 0)
        return float(worth_after_throw(t, self.learned, found, written, thrown, self._workspace))

    def play_some(self, generator: Generator, totals: Ints, luck: Floats, *, with_luck: bool) -> None:
        t = self.model.arrays
        play_quickly(t, self.learned, new_sheet(t), self._work, with_luck, generator, totals, luck)


def load(model: KnisterModel, path: Path) -> KnisterValue:
    """Learned values, in steps, from what learning changed."""
    changes = learned_file.load(path, model.fingerprint)
    start = kept(f"start of {model.game!r}", lambda: learned_file.in_steps(start_lines(model.arrays), np.int16))
    lines = start + changes["lines"]
    reflect(changes["pairs"], twins_of_pairs(model.arrays.mirror_others))
    return KnisterValue(lines, changes["pairs"], 1 / learned_file.STEPS)


def save(model: KnisterModel, value: KnisterValue, path: Path, about: dict[str, object]) -> None:
    lines = learned_file.in_steps(value.lines, np.int16) - learned_file.in_steps(
        start_lines(model.arrays), np.int16
    )
    pairs = learned_file.in_steps(value.pairs, np.int8)
    halve(pairs, twins_of_pairs(model.arrays.mirror_others))
    learned_file.save(path, model.fingerprint, {"lines": lines, "pairs": pairs}, about)


def kept_model(game: Knister) -> KnisterModel:
    """The model of a game, with its arrays filled."""

    def filled() -> KnisterModel:
        model = KnisterModel(game)
        _ = model.fingerprint  # which is that of all arrays
        return model

    return kept(f"model of {game!r}", filled)


@cache
def estimates(game: Knister) -> KnisterEstimates:
    """Estimates for a game, with the values that come with this package."""
    model = kept_model(game)
    return KnisterEstimates(model, load(model, FILE))


def valuer(game: AnyGame, _progress: Progress = quietly) -> KnisterEstimates:
    return estimates(_solo(game))


@cache
def _for_reviews(game: Knister) -> KnisterEstimates:
    """The same, with the values that reviews go by: learned from weak players' sheets as well."""
    model = kept_model(game)
    bots = KnisterEstimates(model, load(model, FILE), "review")  # too low where they have not been, else closer
    return KnisterEstimates(model, load(model, REVIEW_FILE), "review", BEST, bots)


def reviewer(game: AnyGame, _progress: Progress = quietly) -> KnisterEstimates:
    return _for_reviews(_solo(game))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return estimates(_solo(game)).luck


def _solo(game: AnyGame) -> Knister:
    return cast(Knister, game.solo)
