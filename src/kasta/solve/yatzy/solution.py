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
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import NOT_ALLOWED, situation
from kasta.solve.yatzy.rule_answers import OWN_FILLED
from kasta.solve.yatzy.solution_file import Computed, folder, load_or_compute
from kasta.solve.yatzy.state_space import Position, StateSpace
from kasta.values import Option, Progress, quietly

TURNS_KEPT = 512  # evaluated turns in memory, some 25 KB each


class Turn:
    """One turn evaluated: given what each outcome of it is worth, what dice are worth before."""

    def __init__(self, space: StateSpace, at: Position, after: Floats) -> None:
        t = space.arrays
        self.space, self.after = space, after
        self.kept, self.best = np.empty((t.dice.throws, t.dice.sets)), np.empty((t.dice.throws, t.dice.sets))
        work = np.full(t.dice.sets, -np.inf)
        work[t.dice.keeps :] = self._fill(at)
        for left in range(t.dice.throws):
            if left:
                for size in reversed(space.sizes[:-1]):
                    work[size] = work[t.dice.more[size]].mean(axis=1)
                work[t.dice.unkeepable] = -np.inf
                self.kept[left] = work
                for size in space.sizes[1:]:
                    np.maximum(work[size], work[t.dice.fewer[size]].max(axis=1), out=work[size])
            self.best[left] = work

    def _fill(self, at: Position) -> Floats:
        """What each complete throw is worth if a box is filled with it."""
        t = self.space.arrays
        answers = situation(t.boxes, at.mask, at.held) + OWN_FILLED * (t.boxes.own_box & ~at.mask == 0)
        free = [box for box in range(t.boxes.size) if not at.mask >> box & 1]
        outcomes = t.boxes.outcome[answers, np.arange(t.dice.sets - t.dice.keeps)][:, free]
        worth: Floats = np.where(outcomes == NOT_ALLOWED, -np.inf, self.after[outcomes]).max(axis=1)
        return worth

    def begin(self) -> float:
        """What the turn is worth before its first throw."""
        t = self.space.arrays
        return float(self.best[-1, t.dice.keeps :] @ t.dice.chance[: t.dice.sets - t.dice.keeps])

    def value(self, sheet: Sheet) -> float:
        """What the dice on the table are worth, thrown or kept."""
        game = self.space.game
        if not sheet.throws:
            return self.begin()
        worth = self.best if isinstance(game.next(sheet), Pick) else self.kept
        return float(worth[game.throws - sheet.throws, self.space.number[sheet.dice]])

    def options(self, sheet: Sheet) -> Iterator[tuple[Action, float]]:
        """What each legal action is worth."""
        space = self.space
        outcomes, left = space.outcomes(sheet), space.game.throws - sheet.throws
        for action in space.game.legal(sheet):
            match action:
                case Keep(dice):
                    yield action, float(self.kept[left, space.number[dice]])
                case Fill(box):
                    outcome = outcomes[space.game.boxes.index(box)]
                    yield action, float(self.after[space.outcome_number[outcome]])


@dataclass(frozen=True)
class Solution:
    """The expected rest of the total for every state that can be: a `Valuer`."""

    space: StateSpace
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
        return len(self.space.states) - len(self.space.full)

    @cached_property
    def squares(self) -> Floats:
        """The expected square of the rest, for every state."""

        def make() -> Computed:
            from kasta.solve.yatzy.solver import solve_squares

            return solve_squares(self.space, self.values)

        return self.space.unpack(
            load_or_compute(self.home.with_suffix(".squares"), self.space.fingerprint, make).array
        )

    @property
    def sd(self) -> float:
        """The best player's standard deviation; of equal choices the one that spreads more is taken."""
        return sqrt(self.squares[0] - self.values[0] ** 2)

    def value(self, sheet: Sheet) -> float:
        at = self.space.position(sheet)
        rest = self._turn(at).value(sheet) if sheet.throws else float(self.values[self.space.state(at)])
        return self.space.counted(sheet) + rest

    def options(self, sheet: Sheet) -> list[Option[Action]]:
        if not isinstance(self.space.game.next(sheet), Pick):
            return []
        counted = self.space.counted(sheet)
        turn = self._turn(self.space.position(sheet))
        options = [Option(action, counted + worth) for action, worth in turn.options(sheet)]
        return sorted(options, key=lambda option: -option.value)

    def _turn(self, at: Position) -> Turn:
        if at not in self._turns:
            if len(self._turns) >= TURNS_KEPT:
                self._turns.clear()
            after = self.space.arrays.boxes.gain + self.values[self.space.following(at)]
            self._turns[at] = Turn(self.space, at, after)
        return self._turns[at]

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Ints:
        """The best player's totals in so many games; the same seed gives the same games, whatever their number."""
        from kasta.solve.yatzy.solver import play_games

        return play_games(self.space, self.values, self.squares, games, seed, progress)


def solve(space: StateSpace, home: Path, progress: Progress = quietly) -> Solution:
    """The solution from its file, or made and kept."""

    def make() -> Computed:
        from kasta.solve.yatzy.solver import solve_values

        return solve_values(space, progress)

    found = load_or_compute(home.with_suffix(".values"), space.fingerprint, make)
    return Solution(space, home, space.unpack(found.array), found.seconds)


_solved: dict[Yatzy, Solution] = {}


def solution(game: Yatzy, progress: Progress = quietly) -> Solution:
    """The solution of a game, kept in memory and in the user's cache folder."""
    if game not in _solved:
        _solved[game] = solve(StateSpace(game), home(game), progress)
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
