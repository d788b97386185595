"""What takes long, and needs kernels: solving, and playing very many games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import comb
from pathlib import Path
from time import perf_counter

import numpy as np

from kasta.solve.splitmix import WORD
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.kernels.play import new_workspace, play_turn, rolls
from kasta.solve.yatzy.kernels.value import SPARE, solve_masks
from kasta.solve.yatzy.kernels.variance import TIE, solve_square_masks
from kasta.solve.yatzy.scratch import Scratch, scratch
from kasta.solve.yatzy.simd import LANES, rows
from kasta.solve.yatzy.solution_file import Computed
from kasta.solve.yatzy.state_space import StateSpace
from kasta.values import Progress, quietly

GAMES_TOGETHER = 1 << 20  # more of them stand alike more often, and cost memory
PIECE = 1 << 10  # masks that a processor solves at a time


def solve_values(space: StateSpace, progress: Progress = quietly, keep: Path | None = None) -> Computed:
    """The expected rest of the total for each state, from the last box to the first.

    For a large game all processors work, and what they found so far is kept beside the path `keep`.
    """

    def solve(masks: Ints, values: Floats) -> None:
        t = space.arrays
        solve_masks(t, masks, values, _uppers(), rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE))

    return _solve(space, space.bonus(space.full), solve, progress, keep)


def solve_squares(
    space: StateSpace, means: Floats, progress: Progress = quietly, keep: Path | None = None, tie: float = TIE
) -> Computed:
    """The expected square of the same rest, when the best player plays; `tie` says how among equals."""

    def solve(masks: Ints, values: Floats) -> None:
        t = space.arrays
        outcomes, sets = len(t.boxes.gain) + 1, t.dice.sets + SPARE
        room = rows(outcomes), rows(outcomes), rows(sets), rows(sets)
        solve_square_masks(t, masks, means, values, tie, _uppers(), *room)

    return _solve(space, space.bonus(space.full) ** 2, solve, progress, keep)


def _uppers() -> Ints:
    """Room for the upper totals that are solved side by side."""
    return np.empty(LANES, np.int64)


def _solve(
    space: StateSpace,
    at_end: Floats,
    solve: Callable[..., None],
    progress: Progress,
    keep: Path | None,
) -> Computed:
    turns = space.arrays.boxes.size

    def pieces_of(level: int) -> list[Ints]:
        masks = space.masks(turns - 1 - level)
        return np.array_split(masks, -(-len(masks) // PIECE))

    def states(level: int) -> Iterator[Ints]:
        return map(space.states_of, pieces_of(level))

    if space.large and keep:
        made = scratch(keep, space.fingerprint, space.size, states)
    else:
        made = Scratch(np.full(space.size, np.nan), states)
    array = made.array.view(np.ndarray)
    array[space.full] = at_end
    solve(np.zeros(0, np.int64), values=array)  # compiles
    pool = ThreadPoolExecutor(processors() if space.large else 1)
    begin = len(made.checksums)
    done = sum(comb(turns, level + 1) for level in range(begin))
    try:
        for level in range(begin, turns):
            begun = perf_counter()
            pieces = pieces_of(level)
            for piece, _ in zip(pieces, pool.map(partial(solve, values=array), pieces), strict=True):
                done += len(piece)
                progress(done, (1 << turns) - 1)
            made.note(perf_counter() - begun)
    finally:
        pool.shutdown(cancel_futures=True)
    return Computed(array, made.seconds)


def processors() -> int:
    """As many as this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_games(
    space: StateSpace, values: Floats, squares: Floats, games: int, seed: int, progress: Progress = quietly
) -> Ints:
    """The best player's totals."""
    t, workspace, turns = space.arrays, new_workspace(space), space.arrays.boxes.size
    totals = np.zeros(games, np.int64)
    for first in range(0, games, GAMES_TOGETHER):
        some = totals[first : first + GAMES_TOGETHER]
        at = np.full(len(some), space.state(space.position(space.game.start())))
        for turn in range(turns):
            number = (first * turns + turn) * t.dice.throws
            word = np.uint64(seed & WORD)
            play_turn(t, rolls(space), values, squares, workspace, word, number, at, np.argsort(at), some)
            progress(first * turns + (turn + 1) * len(some), games * turns)
        some += space.bonus(at).astype(np.int64)
    return totals
