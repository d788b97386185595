"""A game of boxes solved: what every sheet and every choice is worth. The way to get there is in `solver`."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from pathlib import Path

import numpy as np

from kasta.errors import Unreadable
from kasta.games import GAMES, OURS
from kasta.games.block import BlockGame
from kasta.games.traits import AnyGame
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.solution_file import Computed, folder, load_any, load_or_compute, places
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.turn import TurnValuer
from kasta.values import Progress, quietly


@dataclass(frozen=True)
class Solution(TurnValuer):
    """The expected rest of the total for every state that can be: a `Valuer`."""

    home: Path  # its files are this, with endings
    values: Floats  # [number of the state]
    seconds: float | None  # what it took to solve, without compiling; None if it came with Kasta
    noted_sd: float | None = None
    _squares: list[Floats] = field(default_factory=list, init=False, repr=False)

    @property
    def start(self) -> float:
        return float(self.values[0])

    @property
    def states(self) -> int:
        """How many were solved; those with all boxes filled need no solving."""
        return self.space.size - len(self.space.full)

    @property
    def spread(self) -> float:
        return self.sd

    @property
    def squares(self) -> Floats:
        """The expected square of the rest, for every state."""
        return self.find_squares()

    def find_squares(self, progress: Progress = quietly) -> Floats:
        """The same; the first time it may take long, and calls `progress`."""
        path = self.home.with_suffix(".squares")

        def make() -> Computed:
            from kasta.solve.yatzy.solver import solve_squares

            return solve_squares(self.space, self.values, progress, path)

        if not self._squares:
            self._squares.append(load_or_compute(path, self.space.fingerprint, make).array)
        return self._squares[0]

    @property
    def sd(self) -> float:
        """The best player's standard deviation; of equal choices the one that spreads more is taken."""
        return self.find_sd()

    def find_sd(self, progress: Progress = quietly) -> float:
        """The same; if it must be found out first, that may take long, and calls `progress`."""
        if self.noted_sd is not None:
            return self.noted_sd
        return sqrt(self.find_squares(progress)[0] - self.values[0] ** 2)

    def rest(self, states: Ints, saved: int = 0) -> Floats:  # noqa: ARG002 - no throws are saved
        """The expected rest of the total in these states."""
        rest: Floats = self.values[states]
        return rest

    def variance(self, states: Ints) -> Floats:
        """The variance of the rest in these states."""
        variance: Floats = self.squares[states] - self.values[states] ** 2
        return variance

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Ints:
        """The best player's totals in so many games; the same seed gives the same games, whatever their number."""
        from kasta.solve.yatzy.solver import play_games

        squares = np.zeros(0) if self.space.large else self.squares
        return play_games(self.space, self.values, squares, games, seed, progress)


def solve(space: StateSpace, home: Path, progress: Progress = quietly) -> Solution:
    """The solution from its file, or made and kept."""
    path = home.with_suffix(".values")

    def make() -> Computed:
        from kasta.solve.yatzy.solver import solve_values

        return solve_values(space, progress, path)

    found = load_or_compute(path, space.fingerprint, make)
    return Solution(space, home, found.array, found.seconds, found.sd)


_solved: dict[BlockGame, Solution] = {}


def solution(game: BlockGame, progress: Progress = quietly) -> Solution:
    """The solution of a game, kept in memory and in the user's cache folder."""
    if game.saves:
        raise Unreadable("not_solved")
    if game not in _solved:
        _solved[game] = solve(StateSpace(game), home(game), progress)
    return _solved[game]


def found_solution(game: BlockGame) -> Solution | None:
    """The solution of a game, if there is a file of it."""
    if game not in _solved and not game.saves:
        path = home(game)
        files = [file for file in places(path.with_suffix(".values")) if file.exists()]
        space = StateSpace(game)
        if files and (found := load_any(files, space.fingerprint)):
            _solved[game] = Solution(space, path, found.array, found.seconds, found.sd)
    return _solved.get(game)


def solution_of(game: AnyGame, progress: Progress = quietly) -> Solution:
    """The solution of a table's game, if it can be solved."""
    return solution(block(game), progress)


def block(game: AnyGame) -> BlockGame:
    """The rules of a table's game, if it is one of boxes."""
    if not isinstance(game.solo, BlockGame):
        raise Unreadable("not_solved")
    return game.solo


def home(game: BlockGame) -> Path:
    """Where the solution of a game is kept: named rules under their name."""
    return folder() / name(game)


def name(game: BlockGame) -> str:
    """The name of our game and rule set with these rules; of other rules, a number."""
    rule_sets = ((ours, rules, solo) for ours in OURS for rules, solo in GAMES[ours].rule_sets.items())
    names = (f"{ours}-{rules}" for ours, rules, solo in rule_sets if solo == game)
    return next(names, f"yatzy-{sha256(repr(game).encode()).hexdigest()[:16]}")
