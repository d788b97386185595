"""The whole distribution of a Yatzy total, and the chance to reach a wanted one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kasta.solve.book import Book, Position
from kasta.solve.flowing import Reach, Steps, carry, flow_turn
from kasta.solve.playing import room
from kasta.solve.tables import Floats, Ints
from kasta.values import Progress, quietly

UNREACHED = np.iinfo(np.int16).max


def distribution(book: Book, values: Floats, squares: Floats, at: Position, progress: Progress = quietly) -> Floats:
    """The best player's chance of each number of points still to come, from 0 on."""
    t, space = book.tables, room(book)
    states, chances = np.array([book.state(at)]), np.ones(1)
    now = _reach(book)
    now.low[states] = now.high[states] = now.place[states] = 0
    for done in range(at.mask.bit_count(), t.boxes):
        most = len(states) * len(t.gain)  # far fewer in fact, and what is not written needs no memory
        steps = Steps(
            np.empty(len(states) + 1, np.int64), np.empty(most, np.int32), np.empty(most, np.int16), np.empty(most)
        )
        then = _reach(book)
        flow_turn(t, values, squares, space, states, now, then, steps)
        after = np.flatnonzero(then.low != UNREACHED)
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


def _reach(book: Book) -> Reach:
    numbers = (2 << book.tables.boxes) * (book.tables.cap + 1)
    return Reach(np.full(numbers, UNREACHED, np.int16), np.full(numbers, -1, np.int16), np.zeros(numbers, np.int64))
