"""Knaster estimated: what every sheet and every action is worth, and who plays by that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import ClassVar, cast

import numpy as np

from kasta.games.grid import FREE, Line
from kasta.games.knaster import Action, Bonus, Circle, Knaster, Sheet, Write
from kasta.games.traits import AnyGame
from kasta.solve import value_file
from kasta.solve.grid import learned_file
from kasta.solve.grid.estimates import PLAYED_OUT, Estimates, kept_model
from kasta.solve.grid.geometry import NONE, SYMBOLS, symbol
from kasta.solve.grid.halving import Budget
from kasta.solve.grid.learned_file import in_steps
from kasta.solve.grid.place import Chances, won
from kasta.solve.knaster.arrays import CIRCLED, KnasterModel
from kasta.solve.knaster.ending import choices_if_last, others_games, own_games
from kasta.solve.knaster.pressed import URGENT, pressed
from kasta.solve.knaster.search import (
    Choices,
    KnasterSearch,
    best_action,
    best_circle,
    new_choices,
    new_search,
    play_quickly,
    search,
    worth_after_throw,
    worth_before_throw,
)
from kasta.solve.knaster.sheet import KnasterCells, new_sheet
from kasta.solve.knaster.value import KnasterPlayer, KnasterValue, new_player, new_value
from kasta.solve.splitmix_kernels import Generator, many_throws, new_generator
from kasta.solve.types import Floats, Ints
from kasta.values import Option, Progress, quietly

FILE = value_file.SHIPPED / "knaster.values"
BEST = 104.7  # the mean total of the bot of that name (bench/results-grid.md)
LATE = 8  # numbers that the fullest sheet lacks, from which on `best` plays for the place
MOST_THROWS = 40  # that are played out: a game is hardly ever longer from there
ALL = 10_000  # choices, more than any throw leaves


class KnasterEstimates(Estimates[Sheet, Action]):
    """Estimates for Knaster from a file of learned values."""

    budgets: ClassVar[dict[str, Budget]] = {
        "quick": Budget(),
        "strong": Budget(first=20, played=10, games=1200, throws=6, trust=10.0),
        "best": Budget(first=16, played=10, games=6500, throws=12, trust=10.0),
        "glance": Budget(first=ALL),
        "advice": Budget(first=ALL, played=8, games=600, throws=6, trust=10.0),
    }
    doubt, doubt_apart, later_doubt = 2.3, 1.0, 1.1
    spread, indistinct = 11.0, 0.15
    model: KnasterModel
    learned: KnasterValue
    alone: KnasterEstimates | None = None  # at a table of several: the valuer of a sheet alone
    others_lack = 0  # there: how many numbers the fullest of the other sheets does

    @cached_property
    def player(self) -> KnasterPlayer:
        return new_player(self.model.arrays, self.learned)

    @cached_property
    def _search(self) -> KnasterSearch:
        return new_search(self.player)

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
        circled = _mask(sheet.circled)
        for action in self.solo.legal(sheet):
            cell = action.cell if isinstance(action, Write) else NONE
            masks = self.served(self.solo.act(sheet, action))
            reached[action] = [ends.setdefault((cell, mask & ~circled), len(ends)) for mask in masks]
        choices = new_choices([cell for cell, _ in ends], [circles for _, circles in ends])
        found, thrown = self.encode(sheet), symbol(sheet.sum) if sheet.sum else NONE
        search(self._search, found, thrown, sheet.last, choices, budget, new_generator(seed))
        halving, options = choices.halving, list[Option[Action]]()
        if self.alone and not sheet.last:
            self._press(sheet, found, thrown, choices)
        for action, numbers in reached.items():
            number = max(numbers, key=lambda number: halving.worth[number])
            error = 0.0 if sheet.last else self.error(halving, number, budget.trust)
            options.append(Option(action, float(halving.worth[number]), error))
        return sorted(options, key=lambda option: -option.value)

    def is_late(self, sheet: Sheet, others: Sequence[Sheet]) -> bool:
        return not sheet.last and min(map(self.solo.lacks, (sheet, *others))) <= LATE

    def chances(
        self, sheet: Sheet, options: Sequence[Option[Action]], others: Sequence[Sheet], seed: int
    ) -> list[Chances]:
        arrays, generator = self.model.arrays, new_generator(seed)
        throws = many_throws(arrays.sums, PLAYED_OUT, MOST_THROWS, generator)
        ends, one = np.full(PLAYED_OUT, MOST_THROWS - 1), new_sheet(arrays)
        rivals = np.zeros((len(others), *throws.shape))
        for other, totals in zip(others, rivals, strict=True):
            thrown = symbol(other.sum) if other.sum else NONE
            others_games(self.player, self.encode(other), one, thrown, throws, ends, totals)
        found, games = list[Chances](), np.arange(PLAYED_OUT)
        for option in options:
            choices, best = self._ends_of(sheet, option.action, generator)
            own, last = np.zeros(PLAYED_OUT), np.zeros(PLAYED_OUT, np.int64)
            thrown = symbol(sheet.sum) if sheet.sum else NONE
            own_games(self._search, self.encode(sheet), thrown, choices, best, throws, ends, own, last)
            found.append(Chances(option, won(own, rivals[:, games, last])))
        return found

    def _ends_of(self, sheet: Sheet, action: Action, generator: Generator) -> tuple[Choices, int]:
        """What a throw may come to after an action, and the best of it."""
        cell = action.cell if isinstance(action, Write) else NONE
        drawn = [mask & ~_mask(sheet.circled) for mask in self.served(self.solo.act(sheet, action))]
        choices, thrown = new_choices([cell] * len(drawn), drawn), symbol(sheet.sum) if sheet.sum else NONE
        best = search(
            self._search, self.encode(sheet), thrown, sheet.last, choices, self.budgets["glance"], generator
        )
        return choices, best

    def _press(self, sheet: Sheet, found: KnasterCells, thrown: int, choices: Choices) -> None:
        """Take from what each choice is worth alone what the end by another's full sheet will cost.

        As long as that end is far, it costs all choices the same: nobody plays for it yet.
        """
        worth, at_once = choices.halving.worth, np.zeros(len(choices.cell))
        choices_if_last(self._search, found, thrown, choices, at_once)
        made, raised = self.solo.total(sheet), self._unforeseen  # by which all is raised later, this apart
        at_once = (at_once + raised * made) / (1 + raised)
        cost = pressed(self.solo.lacks(sheet) - (choices.cell != NONE), self.others_lack) * (worth - at_once)
        worth -= cost if self.others_lack <= URGENT else cost[np.argmax(worth)]

    def beside(self, lacks: int) -> KnasterEstimates:
        return self._tables(lacks)

    @cached_property
    def _tables(self) -> Callable[[int], KnasterEstimates]:
        _ = self._search, self._unforeseen  # which are the same at all tables

        def at_table(lacks: int) -> KnasterEstimates:
            found = copy(self)
            for name in ("_remembered", "_glanced"):
                vars(found).pop(name, None)
            found.alone, found.others_lack = self, lacks
            return found

        return cache(at_table)

    def mean(self, sheet: Sheet) -> float:
        if self.alone is None or self.others_lack or sheet.last:
            return super().mean(sheet)
        return self._over_throws(sheet, self.value, last=True)

    def served(self, sheet: Sheet) -> set[int]:
        """All sets of circled cells that the rules let a sheet come to before it rests, as masks."""
        earned = {
            line: self.model.earns[tuple(sorted(map(symbol, line.numbers(sheet.numbers))))] for line in sheet.owing
        }

        @cache
        def settled(circled: int, owing: tuple[Line, ...]) -> set[int]:
            """The same, with lines that are not begun."""
            left = tuple(line for line in owing if any(not circled >> cell & 1 for cell in line.cells))
            found: set[int] = set() if left else {circled}
            for line in left:
                others = tuple(other for other in left if other != line)
                for after in _drawn(circled, line, earned[line]):
                    found |= settled(after, others)
            return found

        if sheet.serving is None:
            return settled(_mask(sheet.circled), sheet.owing)
        begun = _drawn(_mask(sheet.circled), sheet.serving, sheet.left)
        return set().union(*(settled(circled, sheet.owing) for circled in begun))

    def quick(self, sheet: Sheet) -> Action:
        if self.alone or (sheet.last and sheet.sum is not None):
            return self.rank(sheet, Budget(), 0)[0].action
        found, cells = self.encode(sheet), self.solo.grid.cells
        if sheet.sum is None:
            line = sheet.serving or sheet.owing[0]
            number = self.solo.grid.lines.index(line)
            return Bonus(line, cells[best_circle(self.player, found, number)])
        action = best_action(self.player, found, symbol(sheet.sum))
        return Write(cells[action]) if action < len(cells) else Circle(cells[action - len(cells)])

    def before_throw(self, sheet: Sheet) -> float:
        return float(worth_before_throw(self._search, self.encode(sheet)))

    def after_throw(self, sheet: Sheet) -> float:
        if sheet.last:
            return self.rank(sheet, Budget(), 0)[0].value
        return float(worth_after_throw(self._search, self.encode(sheet), symbol(sheet.sum or 0)))

    def play_some(self, generator: Generator, totals: Ints, luck: Floats, *, with_luck: bool) -> None:
        play_quickly(self.player, new_sheet(self.model.arrays), with_luck, generator, totals, luck)


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _drawn(circled: int, line: Line, count: int) -> list[int]:
    """Every way to draw so many circles in a line, or all that still can be."""
    cells = [cell for cell in line.cells if not circled >> cell & 1]
    return [circled | _mask(drawn) for drawn in combinations(cells, min(count, len(cells)))]


def load(model: KnasterModel, path: Path) -> KnasterValue:
    """Learned values, in steps, from what learning changed."""
    changes, start = learned_file.load(path, model.fingerprint), new_value(model.arrays, model.contents)
    lines, counts, waiting = (
        in_steps(getattr(start, name), np.int16) + changes[name] for name in ("lines", "counts", "waiting")
    )
    return KnasterValue(lines, counts, waiting, changes["pairs"], 1 / learned_file.STEPS)


def save(model: KnasterModel, value: KnasterValue, path: Path, about: dict[str, object]) -> None:
    start = new_value(model.arrays, model.contents)
    changes = {
        name: in_steps(getattr(value, name), np.int16) - in_steps(getattr(start, name), np.int16)
        for name in ("lines", "counts", "waiting")
    }
    learned_file.save(path, model.fingerprint, {**changes, "pairs": in_steps(value.pairs, np.int8)}, about)


@cache
def estimates(game: Knaster) -> KnasterEstimates:
    """Estimates for a game, with the values that come with this package."""
    model = kept_model(KnasterModel(game))
    return KnasterEstimates(model, load(model, FILE), BEST)


def valuer(game: AnyGame, _progress: Progress = quietly) -> KnasterEstimates:
    return estimates(cast(Knaster, game.solo))


def luck(game: AnyGame) -> Callable[[Sheet, Sheet], float]:
    return valuer(game).luck
