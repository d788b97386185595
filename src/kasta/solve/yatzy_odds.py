"""The whole distribution of a Yatzy total: not sampled, but carried along from turn to turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from time import perf_counter

import numpy as np

from kasta.games.yatzy import Sheet
from kasta.solve.book import Book, Position
from kasta.solve.files import Kept, kept
from kasta.solve.flowing import Steps, carry, flow_turn, nowhere
from kasta.solve.playing import room
from kasta.solve.tables import Floats
from kasta.solve.yatzy import Solution
from kasta.values import Progress, quietly


@dataclass(frozen=True)
class Distribution:
    """The chance of each final total, from `first` on."""

    first: int
    chances: Floats

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

    def below(self, total: int) -> float:
        """The part of all games that a total beats."""
        return float(self.chances[: max(0, total - self.first)].sum())

    def percentile(self, percent: float) -> int:
        """The least total that so many percent of all games do not exceed."""
        return self.first + int(np.searchsorted(np.cumsum(self.chances), percent / 100))


def distribution(solution: Solution, sheet: Sheet | None = None, progress: Progress = quietly) -> Distribution:
    """The best player's final totals from a sheet between turns on; without one from the start, kept in a file."""
    book = solution.book
    if sheet is not None:
        rest = rest_of(book, solution.values, solution.squares, book.position(sheet), progress)
        return Distribution(book.counted(sheet), rest)

    def make() -> Kept:
        begun = perf_counter()
        start = book.position(book.game.start())
        totals = rest_of(book, solution.values, solution.squares, start, progress)
        return Kept(totals, perf_counter() - begun)

    return Distribution(0, kept(solution.home.with_suffix(".totals"), book.fingerprint, make).array)


def rest_of(book: Book, values: Floats, squares: Floats, at: Position, progress: Progress = quietly) -> Floats:
    """The best player's chance of each number of points still to come, from 0 on."""
    t, space = book.tables, room(book)
    states, chances = np.array([book.state(at)]), np.ones(1)
    now = nowhere(t)
    now.low[states] = now.high[states] = now.place[states] = 0
    for done in range(at.mask.bit_count(), t.boxes):
        most = len(states) * len(t.gain)  # far fewer in fact, and what is not written needs no memory
        steps = Steps(
            np.empty(len(states) + 1, np.int64), np.empty(most, np.int32), np.empty(most, np.int16), np.empty(most)
        )
        then = nowhere(t)
        flow_turn(t, values, squares, space, states, now, then, steps)
        after = np.flatnonzero(then.high >= 0)
        counts = then.high[after].astype(np.int64) - then.low[after] + 1
        then.place[after] = np.cumsum(counts) - counts
        chances_after = np.zeros(counts.sum())
        carry(states, now, chances, then, chances_after, steps)
        states, now, chances = after, then, chances_after
        progress(done + 1, t.boxes)
    bonus = t.bonus[states % (t.cap + 1)].astype(np.int64)
    totals = np.zeros((now.high[states] + bonus).max() + 1)
    for state, extra in zip(states, bonus, strict=True):
        low, high, place = now.low[state], now.high[state], now.place[state]
        totals[low + extra : high + extra + 1] += chances[place : place + high - low + 1]
    return totals
