"""The whole distribution of a Yatzy total: not sampled, but carried along from turn to turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from time import perf_counter

import numpy as np

from kasta.games.block import Sheet
from kasta.games.traits import AnyGame
from kasta.solve.types import Floats
from kasta.solve.yatzy.estimate import found_estimate
from kasta.solve.yatzy.kernels.distribution import carry, flow_turn, lay_out, reach_from, room_for_steps
from kasta.solve.yatzy.kernels.play import new_workspace
from kasta.solve.yatzy.sample import GAMES, SEED
from kasta.solve.yatzy.solution import Solution, block, solution_of
from kasta.solve.yatzy.solution_file import Computed, load_or_compute
from kasta.solve.yatzy.state_space import StateSpace, YatzyPosition
from kasta.values import Progress, quietly


@dataclass(frozen=True)
class Distribution:
    """The chance of each final total, from `first` on; where `games` were played for it, the part of them."""

    first: int
    chances: Floats
    games: int | None = None

    @property
    def mean(self) -> float:
        return float(self.chances @ self.totals)

    @property
    def sd(self) -> float:
        return sqrt(self.chances @ (self.totals - self.mean) ** 2)

    @property
    def totals(self) -> Floats:
        return np.arange(self.first, self.first + len(self.chances), dtype=np.float64)

    def at_least(self, total: int) -> float:
        return float(self.chances[max(0, total - self.first) :].sum())

    def error(self, chance: float) -> float:
        """The standard error of a chance, 0 where it is exact."""
        return sqrt(chance * (1 - chance) / self.games) if self.games else 0.0

    def below(self, total: int) -> float:
        """The part of all games that a total beats."""
        return float(self.chances[: max(0, total - self.first)].sum())

    def percentile(self, percent: float) -> int:
        """The least total that so many percent of all games do not exceed."""
        return self.first + int(np.searchsorted(np.cumsum(self.chances), percent / 100))


def distribution(solution: Solution, sheet: Sheet | None = None, progress: Progress = quietly) -> Distribution:
    """The best player's final totals from a sheet between turns on; without one from the start, kept in a file."""
    space = solution.space
    if sheet is not None:
        rest = rest_of(space, solution.values, solution.squares, space.position(sheet), progress)
        return Distribution(space.counted(sheet), rest)

    def make() -> Computed:
        begun = perf_counter()
        start = space.position(space.game.start())
        totals = rest_of(space, solution.values, solution.squares, start, progress)
        return Computed(totals, perf_counter() - begun)

    return Distribution(0, load_or_compute(solution.home.with_suffix(".totals"), space.fingerprint, make).array)


def distribution_of(game: AnyGame, progress: Progress = quietly) -> Distribution:
    """The best player's final totals of a whole game: exact or, in a game that is estimated, of many games."""
    estimate = found_estimate(block(game))
    if estimate is None:
        return distribution(solution_of(game), progress=progress)
    totals = estimate.totals(GAMES, SEED, progress)
    return Distribution(0, np.bincount(totals) / GAMES, GAMES)


def rest_of(
    space: StateSpace, values: Floats, squares: Floats, at: YatzyPosition, progress: Progress = quietly
) -> Floats:
    """The best player's chance of each number of points still to come, from 0 on."""
    t, workspace, filled = space.arrays, new_workspace(space), at.mask.bit_count()
    reach, states, chances = reach_from(t, space.state(at)), np.array([space.state(at)]), np.ones(1)
    while filled < t.boxes.size:
        level = space.states(filled + 1)
        steps = room_for_steps(t, len(states))
        flow_turn(t, values, squares, workspace, states, reach, steps)
        after = level[reach.high[level] >= 0]
        chances_after = np.zeros(lay_out(after, reach))
        carry(states, reach, steps, chances, chances_after)
        states, chances = after, chances_after
        filled += 1
        progress(filled, t.boxes.size)
    bonus = space.bonus(states).astype(np.int64)
    totals = np.zeros((reach.high[states] + bonus).max() + 1)
    for state, extra in zip(states, bonus, strict=True):
        low, high, place = int(reach.low[state]), int(reach.high[state]), reach.place[state]
        totals[low + extra : high + extra + 1] += chances[place : place + high - low + 1]
    return totals
