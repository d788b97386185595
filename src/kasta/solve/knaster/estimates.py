"""Knaster estimated: what every sheet and every action is worth, and who plays by that."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import ClassVar, cast

import numpy as np

from kasta.games.grid import FREE, Line
from kasta.games.knaster import Action, Bonus, Circle, Knaster, Sheet, Write
from kasta.games.traits import AnyGame
from kasta.solve.grid import value_file as trained
from kasta.solve.grid.budget import Budget
from kasta.solve.grid.estimates import Estimates
from kasta.solve.grid.geometry import NONE, SYMBOLS, Floats, Ints, symbol
from kasta.solve.knaster.arrays import CIRCLED, Book
from kasta.solve.knaster.learn import new_value
from kasta.solve.knaster.quick import best_action, best_circle, play_quickly
from kasta.solve.knaster.search import new_choices, new_room, search, worth_after_throw, worth_before_throw
from kasta.solve.knaster.sheet import Sheet as Sheet_, new_sheet
from kasta.solve.knaster.value import Value, new_work
from kasta.solve.splitmix import generator
from kasta.values import Option, Progress, quietly

FILE = Path(__file__).parent / "data" / "knaster.values"
AT_ONCE = 500  # games between two looks at the progress bar


class Knasters(Estimates[Sheet, Action]):
    """Estimates for Knaster from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=20, played=10, games=1200, throws=6, trust=10.0),
        "best": Budget(first=16, played=10, games=6500, throws=12, trust=10.0),
        "advice": Budget(first=25, played=25, games=1500, throws=10, trust=10.0),
    }
    doubt, later_doubt = 2.1, 1.1

    def __init__(self, book: Book, value: Value) -> None:
        super().__init__()
        self.book, self.learned = book, value
        self._room, self._work = new_room(book.tables), new_work(book.tables)

    @property
    def solo(self) -> Knaster:
        return self.book.game

    def arrays(self, sheet: Sheet) -> Sheet_:
        """A sheet as kernels have it."""
        found = new_sheet(self.book.tables)
        for cell, number in enumerate(sheet.numbers):
            if number != FREE:
                found.symbol[cell] = symbol(number) + CIRCLED * (cell in sheet.circled)
                found.written[0] += 1
        found.uncircled[1:] = np.bincount(found.symbol, minlength=SYMBOLS)[1:SYMBOLS]
        found.circles[0] = len(sheet.circled)
        for number, line in enumerate(self.solo.grid.lines):
            found.content[number] = self.book.content(tuple(found.symbol[list(line.cells)].tolist()))
        return found

    def rank(self, sheet: Sheet, budget: Budget, seed: int) -> list[Option[Action]]:
        ends: dict[tuple[int, int], int] = {}  # what a throw may come to: cell written into, cells circled
        reached: dict[Action, list[int]] = {}
        circled = _mask(sheet)
        for action in self.solo.legal(sheet):
            cell = action.cell if isinstance(action, Write) else NONE
            masks = self.served(self.solo.act(sheet, action))
            reached[action] = [ends.setdefault((cell, mask & ~circled), len(ends)) for mask in masks]
        choices = new_choices([cell for cell, _ in ends], [circles for _, circles in ends])
        found, thrown = self.arrays(sheet), symbol(sheet.sum) if sheet.sum else NONE
        search(
            self.book.tables, self.learned, found, thrown, sheet.last, choices, budget, generator(seed), self._room
        )
        race, options = choices.race, list[Option[Action]]()
        for action, numbers in reached.items():
            number = max(numbers, key=lambda number: race.worth[number])
            error = 0.0 if sheet.last else self.error(race, number, budget.trust)
            options.append(Option(action, float(race.worth[number]), error))
        return sorted(options, key=lambda option: -option.value)

    def served(self, sheet: Sheet) -> set[int]:
        """All sets of circled cells that the rules let a sheet come to before it rests, as masks."""
        earned = {line: self._earned(sheet, line) for line in sheet.owing}
        begun = [(sheet.serving, sheet.left)] if sheet.serving else []
        return self._served(_mask(sheet), begun, sheet.owing, earned, {})

    def _served(
        self,
        circled: int,
        begun: list[tuple[Line, int]],
        owing: tuple[Line, ...],
        earned: dict[Line, int],
        known: dict[tuple[int, tuple[Line, ...]], set[int]],
    ) -> set[int]:
        """As `served`, with the line begun and what it owes, and lines not begun and what they have earned."""
        owing = tuple(line for line in owing if any(not circled >> cell & 1 for cell in line.cells))
        if not begun and not owing:
            return {circled}
        if not begun and (circled, owing) in known:
            return known[circled, owing]
        found: set[int] = set()
        for line, left in begun or [(line, earned[line]) for line in owing]:
            cells = [cell for cell in line.cells if not circled >> cell & 1]
            others = tuple(other for other in owing if other != line)
            for drawn in combinations(cells, min(left, len(cells))):
                after = circled | sum(1 << cell for cell in drawn)
                found |= self._served(after, [], others, earned, known)
        if not begun:
            known[circled, owing] = found
        return found

    def _earned(self, sheet: Sheet, line: Line) -> int:
        return self.book.earns[tuple(sorted(map(symbol, line.numbers(sheet.numbers))))]

    def quick(self, sheet: Sheet) -> Action:
        if sheet.last and sheet.sum is not None:
            return self.rank(sheet, Budget(), 0)[0].action
        t, found, cells = self.book.tables, self.arrays(sheet), self.solo.grid.cells
        if sheet.sum is None:
            line = sheet.serving or sheet.owing[0]
            number = self.solo.grid.lines.index(line)
            return Bonus(line, cells[best_circle(t, self.learned, found, number, self._work)])
        action = best_action(t, self.learned, found, symbol(sheet.sum), self._work)
        return Write(cells[action]) if action < len(cells) else Circle(cells[action - len(cells)])

    def before_throw(self, sheet: Sheet) -> float:
        return float(worth_before_throw(self.book.tables, self.learned, self.arrays(sheet), self._room))

    def after_throw(self, sheet: Sheet) -> float:
        if sheet.last:
            return self.rank(sheet, Budget(), 0)[0].value
        t, thrown = self.book.tables, symbol(sheet.sum or 0)
        return float(worth_after_throw(t, self.learned, self.arrays(sheet), thrown, self._room))

    def play(
        self, games: int, seed: int, progress: Progress = quietly, *, with_luck: bool = False
    ) -> tuple[Ints, Floats]:
        t, totals, luck, chance = self.book.tables, np.zeros(games, np.int64), np.zeros(games), generator(seed)
        for first in range(0, games, AT_ONCE):
            part = slice(first, min(games, first + AT_ONCE))
            play_quickly(t, self.learned, new_sheet(t), self._work, with_luck, chance, totals[part], luck[part])
            progress(part.stop, games)
        return totals, luck


def _mask(sheet: Sheet) -> int:
    return sum(1 << cell for cell in sheet.circled)


def load(book: Book, path: Path) -> Value:
    """Learned values, in steps, from what learning changed."""
    changes, start = trained.load(path, book.fingerprint), new_value(book.tables, book.contents)
    lines, counts, waiting = (
        trained.in_steps(getattr(start, name), np.int16) + changes[name] for name in ("lines", "counts", "waiting")
    )
    return Value(lines, counts, waiting, changes["pairs"], 1 / trained.STEPS)


def save(book: Book, value: Value, path: Path, about: dict[str, object]) -> None:
    start = new_value(book.tables, book.contents)
    changes = {
        name: trained.in_steps(getattr(value, name), np.int16) - trained.in_steps(getattr(start, name), np.int16)
        for name in ("lines", "counts", "waiting")
    }
    trained.save(path, book.fingerprint, {**changes, "pairs": trained.in_steps(value.pairs, np.int8)}, about)


@cache
def estimates(game: Knaster) -> Knasters:
    """Estimates for a game, with the values that come with this package."""
    book = Book(game)
    return Knasters(book, load(book, FILE))


def valuer(game: AnyGame, _progress: Progress = quietly) -> Knasters:
    return estimates(_solo(game))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return estimates(_solo(game)).luck


def _solo(game: AnyGame) -> Knaster:
    return cast(Knaster, game.solo)
