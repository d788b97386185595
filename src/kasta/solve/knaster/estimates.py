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
from kasta.solve.grid import learned_file
from kasta.solve.grid.budget import Budget
from kasta.solve.grid.estimates import Estimates
from kasta.solve.grid.geometry import NONE, SYMBOLS, symbol
from kasta.solve.kept import kept
from kasta.solve.knaster.arrays import CIRCLED, KnasterModel
from kasta.solve.knaster.quick import best_action, best_circle, play_quickly
from kasta.solve.knaster.search import new_choices, new_workspace, search, worth_after_throw, worth_before_throw
from kasta.solve.knaster.sheet import KnasterCells, new_sheet
from kasta.solve.knaster.start import new_value
from kasta.solve.knaster.value import KnasterValue, new_work
from kasta.solve.splitmix_kernels import Generator, new_generator
from kasta.solve.types import Floats, Ints
from kasta.values import Option, Progress, quietly

FILE = Path(__file__).parent / "data" / "knaster.values"
REVIEW_FILE = Path(__file__).parent / "data" / "knaster-review.values"
BEST = 104.7  # the mean total of the bot of that name (bench/results-grid.md)
ALL = 10_000  # choices, more than any throw leaves
REVIEW_DOUBT = 0.7  # of a choice against others on the same sheet: so that a game's errors match its drift


class KnasterEstimates(Estimates[Sheet, Action]):
    """Estimates for Knaster from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=20, played=10, games=1200, throws=6, trust=10.0),
        "best": Budget(first=16, played=10, games=6500, throws=12, trust=10.0),
        "advice": Budget(first=25, played=25, games=1500, throws=10, trust=10.0),
        "review": Budget(first=ALL),
    }
    doubt, later_doubt = 2.1, 1.1
    spread = 11.0

    def __init__(
        self, model: KnasterModel, value: KnasterValue, budget: str = "advice", best: float | None = None
    ) -> None:
        super().__init__(budget, best)
        self.model, self.learned = model, value
        self._workspace, self._work = new_workspace(model.arrays), new_work(model.arrays)

    @property
    def solo(self) -> Knaster:
        return self.model.game

    def encode(self, sheet: Sheet) -> KnasterCells:
        """A sheet as kernels have it."""
        found = new_sheet(self.model.arrays)
        for cell, number in enumerate(sheet.numbers):
            if number != FREE:
                found.symbol[cell] = symbol(number) + CIRCLED * (cell in sheet.circled)
                found.written[0] += 1
        found.uncircled[1:] = np.bincount(found.symbol, minlength=SYMBOLS)[1:SYMBOLS]
        found.circles[0] = len(sheet.circled)
        for number, line in enumerate(self.solo.grid.lines):
            found.content[number] = self.model.content(tuple(found.symbol[list(line.cells)].tolist()))
        return found

    def is_exact(self, sheet: Sheet) -> bool:
        return sheet.last

    def rank(self, sheet: Sheet, budget: Budget, seed: int) -> list[Option[Action]]:
        ends: dict[tuple[int, int], int] = {}  # what a throw may come to: cell written into, cells circled
        reached: dict[Action, list[int]] = {}
        circled = _mask(sheet)
        for action in self.solo.legal(sheet):
            cell = action.cell if isinstance(action, Write) else NONE
            masks = self.served(self.solo.act(sheet, action))
            reached[action] = [ends.setdefault((cell, mask & ~circled), len(ends)) for mask in masks]
        choices = new_choices([cell for cell, _ in ends], [circles for _, circles in ends])
        found, thrown = self.encode(sheet), symbol(sheet.sum) if sheet.sum else NONE
        search(
            self.model.arrays,
            self.learned,
            found,
            thrown,
            sheet.last,
            choices,
            budget,
            new_generator(seed),
            self._workspace,
        )
        halving, options = choices.halving, list[Option[Action]]()
        for action, numbers in reached.items():
            number = max(numbers, key=lambda number: halving.worth[number])
            error = 0.0 if sheet.last else self.error(halving, number, budget.trust)
            options.append(Option(action, float(halving.worth[number]), error))
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
        return self.model.earns[tuple(sorted(map(symbol, line.numbers(sheet.numbers))))]

    def quick(self, sheet: Sheet) -> Action:
        if sheet.last and sheet.sum is not None:
            return self.rank(sheet, Budget(), 0)[0].action
        t, found, cells = self.model.arrays, self.encode(sheet), self.solo.grid.cells
        if sheet.sum is None:
            line = sheet.serving or sheet.owing[0]
            number = self.solo.grid.lines.index(line)
            return Bonus(line, cells[best_circle(t, self.learned, found, number, self._work)])
        action = best_action(t, self.learned, found, symbol(sheet.sum), self._work)
        return Write(cells[action]) if action < len(cells) else Circle(cells[action - len(cells)])

    def before_throw(self, sheet: Sheet) -> float:
        return float(worth_before_throw(self.model.arrays, self.learned, self.encode(sheet), self._workspace))

    def after_throw(self, sheet: Sheet) -> float:
        if sheet.last:
            return self.rank(sheet, Budget(), 0)[0].value
        t, thrown = self.model.arrays, symbol(sheet.sum or 0)
        return float(worth_after_throw(t, self.learned, self.encode(sheet), thrown, self._workspace))

    def play_some(self, generator: Generator, totals: Ints, luck: Floats, *, with_luck: bool) -> None:
        t = self.model.arrays
        play_quickly(t, self.learned, new_sheet(t), self._work, with_luck, generator, totals, luck)


def _mask(sheet: Sheet) -> int:
    return sum(1 << cell for cell in sheet.circled)


def load(model: KnasterModel, path: Path) -> KnasterValue:
    """Learned values, in steps, from what learning changed."""
    changes, start = learned_file.load(path, model.fingerprint), new_value(model.arrays, model.contents)
    lines, counts, waiting = (
        learned_file.in_steps(getattr(start, name), np.int16) + changes[name]
        for name in ("lines", "counts", "waiting")
    )
    return KnasterValue(lines, counts, waiting, changes["pairs"], 1 / learned_file.STEPS)


def save(model: KnasterModel, value: KnasterValue, path: Path, about: dict[str, object]) -> None:
    start = new_value(model.arrays, model.contents)
    changes = {
        name: learned_file.in_steps(getattr(value, name), np.int16)
        - learned_file.in_steps(getattr(start, name), np.int16)
        for name in ("lines", "counts", "waiting")
    }
    learned_file.save(
        path, model.fingerprint, {**changes, "pairs": learned_file.in_steps(value.pairs, np.int8)}, about
    )


def kept_model(game: Knaster) -> KnasterModel:
    """The model of a game, with its arrays filled."""

    def filled() -> KnasterModel:
        model = KnasterModel(game)
        _ = model.fingerprint  # which is that of all arrays
        return model

    return kept(f"model of {game!r}", filled)


@cache
def estimates(game: Knaster) -> KnasterEstimates:
    """Estimates for a game, with the values that come with this package."""
    model = kept_model(game)
    return KnasterEstimates(model, load(model, FILE))


def valuer(game: AnyGame, _progress: Progress = quietly) -> KnasterEstimates:
    return estimates(_solo(game))


@cache
def _for_reviews(game: Knaster) -> KnasterEstimates:
    """The same, with the values that reviews go by: learned from weak players' sheets as well."""
    model = kept_model(game)
    found = KnasterEstimates(model, load(model, REVIEW_FILE), "review", BEST)
    found.doubt = REVIEW_DOUBT
    return found


def reviewer(game: AnyGame, _progress: Progress = quietly) -> KnasterEstimates:
    return _for_reviews(_solo(game))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return estimates(_solo(game)).luck


def _solo(game: AnyGame) -> Knaster:
    return cast(Knaster, game.solo)
