"""What takes long, and needs kernels: solving, and playing very many games."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from kasta.solve.yatzy.arrays import Floats, Ints
from kasta.solve.yatzy.kernels.play import play, rolls, room
from kasta.solve.yatzy.kernels.value import SPARE, solve_masks
from kasta.solve.yatzy.kernels.variance import spread_masks
from kasta.solve.yatzy.simd import rows
from kasta.solve.yatzy.solution_file import Kept
from kasta.solve.yatzy.state_space import Book
from kasta.values import Progress, quietly

GAMES_TOGETHER = 1 << 20  # more of them stand alike more often, and cost memory


def solve_values(book: Book, progress: Progress = quietly) -> Kept:
    """The expected rest of the total for each state, from the last box to the first."""
    t = book.tables
    values = book.nowhere()
    values[book.full] = t.states.bonus[book.full % (t.boxes.cap + 1)]
    after, work = rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE)
    solve_masks(t, np.zeros(0, np.int64), values, after, work)  # compiles
    begun = perf_counter()
    for filled in range(t.boxes.size - 1, -1, -1):
        solve_masks(t, book.masks(filled), values, after, work)
        progress(t.boxes.size - filled, t.boxes.size)
    return Kept(values[book.states], perf_counter() - begun)


def solve_squares(book: Book, values: Floats, progress: Progress = quietly) -> Kept:
    """The expected square of the same rest, when the best player plays."""
    t = book.tables
    squares = book.nowhere()
    squares[book.full] = t.states.bonus[book.full % (t.boxes.cap + 1)] ** 2
    after, after_2 = rows(len(t.boxes.gain) + 1), rows(len(t.boxes.gain) + 1)
    work, work_2 = rows(t.dice.sets + SPARE), rows(t.dice.sets + SPARE)
    begun = perf_counter()
    for filled in range(t.boxes.size - 1, -1, -1):
        spread_masks(t, book.masks(filled), values, squares, after, after_2, work, work_2)
        progress(t.boxes.size - filled, t.boxes.size)
    return Kept(squares[book.states], perf_counter() - begun)


def play_games(
    book: Book, values: Floats, squares: Floats, games: int, seed: int, progress: Progress = quietly
) -> Ints:
    """The best player's totals."""
    totals = np.zeros(games, np.int64)
    space = room(book)
    for first in range(0, games, GAMES_TOGETHER):
        some = totals[first : first + GAMES_TOGETHER]
        play(book.tables, rolls(book), values, squares, space, seed, first, some)
        progress(first + len(some), games)
    return totals
