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
from kasta.solve.grid import value_file as trained
from kasta.solve.grid.budget import Budget
from kasta.solve.grid.estimates import Estimates
from kasta.solve.grid.geometry import SYMBOLS, Floats, Ints, symbol
from kasta.solve.grid.reflection import halve, reflect, twins_of_pairs
from kasta.solve.knister.arrays import Book
from kasta.solve.knister.endgame import last_cells
from kasta.solve.knister.learn import SHARE
from kasta.solve.knister.quick import best_cell, play_quickly
from kasta.solve.knister.search import new_room, search, worth_after_throw, worth_before_throw
from kasta.solve.knister.value import Sheet as Sheet_, Value, new_sheet, optimistic
from kasta.solve.knister.weigh import new_work
from kasta.solve.splitmix import generator
from kasta.values import Option, Progress, quietly

FILE = Path(__file__).parent / "data" / "knister.values"
AT_ONCE = 1000  # games between two looks at the progress bar


class Knisters(Estimates[Sheet, Cell]):
    """Estimates for Knister from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=16, played=12, games=400, throws=8, tries=2, trust=3.0, exact=5),
        "best": Budget(first=16, played=12, games=3600, throws=25, tries=3, trust=3.0, exact=6),
        "advice": Budget(first=25, played=25, games=400, throws=8, tries=2, trust=1.0, exact=6),
    }
    doubt, later_doubt = 0.8, 0.3

    def __init__(self, book: Book, value: Value) -> None:
        super().__init__()
        self.book, self.learned = book, value
        self._room, self._work = new_room(book.tables), new_work(book.tables)

    @property
    def solo(self) -> Knister:
        return self.book.game

    def arrays(self, sheet: Sheet) -> Sheet_:
        """A sheet as kernels have it."""
        found = new_sheet(self.book.tables)
        for cell, number in enumerate(sheet.numbers):
            if number != FREE:
                found.free[cell], found.symbol[cell] = 0, symbol(number)
        for number, line in enumerate(self.solo.grid.lines):
            found.content[number] = self.book.number[tuple(sorted(found.symbol[list(line.cells)].tolist()))]
        return found

    def rank(self, sheet: Sheet, budget: Budget, seed: int) -> list[Option[Cell]]:
        found, legal, race = self.arrays(sheet), self.solo.legal(sheet), self._room.race
        thrown = symbol(sheet.sum or 0)
        if len(legal) <= budget.exact:
            cells, worth = last_cells(self.book.tables, found)
            exact = [Option(cell, float(worth[thrown * SYMBOLS**i])) for i, cell in enumerate(map(int, cells))]
            options = [Option(self.solo.grid.cells[option.action], option.value) for option in exact]
            return sorted(options, key=lambda option: -option.value)
        search(self.book.tables, self.learned, found, thrown, budget, generator(seed), self._room)
        ranked = sorted(legal, key=lambda cell: -race.worth[cell])
        return [Option(cell, float(race.worth[cell]), self.error(race, cell, budget.trust)) for cell in ranked]

    def quick(self, sheet: Sheet) -> Cell:
        found = self.arrays(sheet)
        written = int((found.free == 0).sum())
        thrown = symbol(sheet.sum or 0)
        return self.solo.grid.cells[best_cell(self.book.tables, self.learned, found, written, thrown, self._work)]

    def before_throw(self, sheet: Sheet) -> float:
        found = self.arrays(sheet)
        written = int((found.free == 0).sum())
        return float(worth_before_throw(self.book.tables, self.learned, found, written, self._room))

    def after_throw(self, sheet: Sheet) -> float:
        found = self.arrays(sheet)
        written = int((found.free == 0).sum())
        t, thrown = self.book.tables, symbol(sheet.sum or 0)
        return float(worth_after_throw(t, self.learned, found, written, thrown, self._room))

    def play(
        self, games: int, seed: int, progress: Progress = quietly, *, with_luck: bool = False
    ) -> tuple[Ints, Floats]:
        t, totals, luck, chance = self.book.tables, np.zeros(games, np.int64), np.zeros(games), generator(seed)
        for first in range(0, games, AT_ONCE):
            part = slice(first, min(games, first + AT_ONCE))
            play_quickly(t, self.learned, new_sheet(t), self._work, with_luck, chance, totals[part], luck[part])
            progress(part.stop, games)
        return totals, luck


def start(book: Book) -> Floats:
    """Values of lines before learning."""
    return optimistic(book.tables, SHARE).astype(np.float32)


def load(book: Book, path: Path) -> Value:
    """Learned values, in steps, from what learning changed."""
    changes = trained.load(path, book.fingerprint)
    lines = trained.in_steps(start(book), np.int16) + changes["lines"]
    reflect(changes["pairs"], twins_of_pairs(book.tables.mirror_others))
    return Value(lines, changes["pairs"], 1 / trained.STEPS)


def save(book: Book, value: Value, path: Path, about: dict[str, object]) -> None:
    lines = trained.in_steps(value.lines, np.int16) - trained.in_steps(start(book), np.int16)
    pairs = trained.in_steps(value.pairs, np.int8)
    halve(pairs, twins_of_pairs(book.tables.mirror_others))
    trained.save(path, book.fingerprint, {"lines": lines, "pairs": pairs}, about)


@cache
def estimates(game: Knister) -> Knisters:
    """Estimates for a game, with the values that come with this package."""
    book = Book(game)
    return Knisters(book, load(book, FILE))


def valuer(game: AnyGame, _progress: Progress = quietly) -> Knisters:
    return estimates(_solo(game))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return estimates(_solo(game)).luck


def _solo(game: AnyGame) -> Knister:
    return cast(Knister, game.solo)
