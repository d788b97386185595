"""What takes long, and needs kernels: solving, and playing very many games."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from kasta.solve.splitmix import WORD
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.kernels.play import new_workspace, play, rolls
from kasta.solve.yatzy.kernels.value import SPARE, solve_masks
from kasta.solve.yatzy.kernels.variance import solve_square_masks
from kasta.solve.yatzy.simd import rows
from kasta.solve.yatzy.solution_file import Computed
from kasta.solve.yatzy.state_space import StateSpace
from kasta.values import Progress, quietly

GAMES_TOGETHER = 1 << 20  # more of them stand alike more often, and cost memory


def solve_values(space: StateSpace, progress: Progress = quietly) -> Computed:
    """The expected rest of the total for each state, from the last box to the first."""
    t = space.arrays
    values = space.new_values()
    values[space.full] = t.states.bonus[space.full % (t.boxes.cap + 1)]
    after, work = rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE)
    solve_masks(t, np.zeros(0, np.int64), values, after, work)  # compiles
    begun = perf_counter()
    for filled in range(t.boxes.size - 1, -1, -1):
        solve_masks(t, space.masks(filled), values, after, work)
        progress(t.boxes.size - filled, t.boxes.size)
    return Computed(values[space.states], perf_counter() - begun)


def solve_squares(space: StateSpace, values: Floats, progress: Progress = quietly) -> Computed:
    """The expected square of the same rest, when the best player plays."""
    t = space.arrays
    squares = space.new_values()
    squares[space.full] = t.states.bonus[space.full % (t.boxes.cap + 1)] ** 2
    after, after_2 = rows(len(t.boxes.gain) + 1), rows(len(t.boxes.gain) + 1)
    work, work_2 = rows(t.dice.sets + SPARE), rows(t.dice.sets + SPARE)
    begun = perf_counter()
    for filled in range(t.boxes.size - 1, -1, -1):
        solve_square_masks(t, space.masks(filled), values, squares, after, after_2, work, work_2)
        progress(t.boxes.size - filled, t.boxes.size)
    return Computed(squares[space.states], perf_counter() - begun)


def play_games(
    space: StateSpace, values: Floats, squares: Floats, games: int, seed: int, progress: Progress = quietly
) -> Ints:
    """The best player's totals."""
    totals = np.zeros(games, np.int64)
    workspace = new_workspace(space)
    for first in range(0, games, GAMES_TOGETHER):
        some = totals[first : first + GAMES_TOGETHER]
        play(space.arrays, rolls(space), values, squares, workspace, np.uint64(seed & WORD), first, some)
        progress(first + len(some), games)
    return totals
