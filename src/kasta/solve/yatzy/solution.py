"""Yatzy solved: what every sheet and every choice is worth. What it takes to get there is in `solver`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from math import sqrt
from pathlib import Path

import numpy as np

from kasta.core import Pick
from kasta.errors import Unreadable
from kasta.games.traits import AnyGame
from kasta.games.yatzy import RULE_SETS, Action, Fill, Keep, Sheet, Yatzy
from kasta.solve.yatzy.arrays import NOT_ALLOWED, Floats, Ints, situation
from kasta.solve.yatzy.rule_answers import OWN_FILLED
from kasta.solve.yatzy.solution_file import Kept, folder, kept
from kasta.solve.yatzy.state_space import Book, Position
from kasta.values import Option, Progress, quietly

TURNS_KEPT = 512  # weighed turns in memory, some 25 KB each


class Turn:
    """One turn weighed: given what each outcome of it is worth, what dice are worth before."""

    def __init__(self, book: Book, at: Position, after: Floats) -> None:
        t = book.tables
        self.book, self.after = book, after
        self.kept, self.best = np.empty((t.dice.throws, t.dice.sets)), np.empty((t.dice.throws, t.dice.sets))
        work = np.full(t.dice.sets, -np.inf)
        work[t.dice.keeps :] = self._fill(at)
        for left in range(t.dice.throws):
            if left:
                for size in reversed(book.sizes[:-1]):
                    work[size] = work[t.dice.more[size]].mean(axis=1)
                work[t.dice.unkeepable] = -np.inf
                self.kept[left] = work
                for size in book.sizes[1:]:
                    np.maximum(work[size], work[t.dice.fewer[size]].max(axis=1), out=work[size])
            self.best[left] = work

    def _fill(self, at: Position) -> Floats:
        """What each complete throw is worth if a box is filled with it."""
        t = self.book.tables
        answers = situation(t.boxes, at.mask, at.held) + OWN_FILLED * (t.boxes.own_box & ~at.mask == 0)
        free = [box for box in range(t.boxes.size) if not at.mask >> box & 1]
        outcomes = t.boxes.outcome[answers, np.arange(t.dice.sets - t.dice.keeps)][:, free]
        worth: Floats = np.where(outcomes == NOT_ALLOWED, -np.inf, self.after[outcomes]).max(axis=1)
        return worth

    def begin(self) -> float:
        """What the turn is worth before its first throw."""
        t = self.book.tables
        return float(self.best[-1, t.dice.keeps :] @ t.dice.chance[: t.dice.sets - t.dice.keeps])

    def value(self, sheet: Sheet) -> float:
        """What the dice on the table are worth, thrown or kept."""
        game = self.book.game
        if not sheet.throws:
            return self.begin()
        worth = self.best if isinstance(game.next(sheet), Pick) else self.kept
        return float(worth[game.throws - sheet.throws, self.book.number[sheet.dice]])

    def options(self, sheet: Sheet) -> Iterator[tuple[Action, float]]:
        """What each legal action is worth."""
        book = self.book
        outcomes, left = book.outcomes(sheet), book.game.throws - sheet.throws
        for action in book.game.legal(sheet):
            match action:
                case Keep(dice):
                    yield action, float(self.kept[left, book.number[dice]])
                case Fill(box):
                    outcome = outcomes[book.game.boxes.index(box)]
                    yield action, float(self.after[book.outcome_number[outcome]])


@dataclass(frozen=True)
class Solution:
    """The expected rest of the total for every state that can be: a `Valuer`."""

    book: Book
    home: Path  # its files are this, with endings
    values: Floats  # [number of the state]
    seconds: float  # what it took to solve, without compiling
    _turns: dict[Position, Turn] = field(default_factory=dict, repr=False)

    @property
    def start(self) -> float:
        return float(self.values[0])

    @property
    def states(self) -> int:
        """How many were solved; those with all boxes filled need no solving."""
        return len(self.book.states) - len(self.book.full)

    @cached_property
    def squares(self) -> Floats:
        """The expected square of the rest, for every state."""

        def make() -> Kept:
            from kasta.solve.yatzy.solver import solve_squares

            return solve_squares(self.book, self.values)

        return self.book.unpack(kept(self.home.with_suffix(".squares"), self.book.fingerprint, make).array)

    @property
    def sd(self) -> float:
        """The best player's standard deviation; of equal choices the one that spreads more is taken."""
        return sqrt(self.squares[0] - self.values[0] ** 2)

    def value(self, sheet: Sheet) -> float:
        at = self.book.position(sheet)
        rest = self._turn(at).value(sheet) if sheet.throws else float(self.values[self.book.state(at)])
        return self.book.counted(sheet) + rest

    def options(self, sheet: Sheet) -> list[Option[Action]]:
        if not isinstance(self.book.game.next(sheet), Pick):
            return []
        counted = self.book.counted(sheet)
        turn = self._turn(self.book.position(sheet))
        options = [Option(action, counted + worth) for action, worth in turn.options(sheet)]
        return sorted(options, key=lambda option: -option.value)

    def _turn(self, at: Position) -> Turn:
        if at not in self._turns:
            if len(self._turns) >= TURNS_KEPT:
                self._turns.clear()
            after = self.book.tables.boxes.gain + self.values[self.book.following(at)]
            self._turns[at] = Turn(self.book, at, after)
        return self._turns[at]

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Ints:
        """The best player's totals in so many games; the same seed gives the same games, whatever their number."""
        from kasta.solve.yatzy.solver import play_games

        return play_games(self.book, self.values, self.squares, games, seed, progress)


def solve(book: Book, home: Path, progress: Progress = quietly) -> Solution:
    """The solution from its file, or made and kept."""

    def make() -> Kept:
        from kasta.solve.yatzy.solver import solve_values

        return solve_values(book, progress)

    found = kept(home.with_suffix(".values"), book.fingerprint, make)
    return Solution(book, home, book.unpack(found.array), found.seconds)


_solved: dict[Yatzy, Solution] = {}


def solution(game: Yatzy, progress: Progress = quietly) -> Solution:
    """The solution of a game, kept in memory and in the user's cache folder."""
    if game not in _solved:
        _solved[game] = solve(Book(game), home(game), progress)
    return _solved[game]


def solution_of(game: AnyGame, progress: Progress = quietly) -> Solution:
    """The solution of a table's game, if it is Yatzy."""
    if not isinstance(game.solo, Yatzy):
        raise Unreadable("not_solved")
    return solution(game.solo, progress)


def home(game: Yatzy) -> Path:
    """Where the solution of a game is kept: named rules under their name."""
    names = [name for name, rules in RULE_SETS.items() if game == Yatzy(rules)]
    return folder() / f"yatzy-{names[0] if names else sha256(repr(game).encode()).hexdigest()[:16]}"
