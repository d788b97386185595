"""Yatzy played for a wished total: the best chance of it, and what each choice leaves of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.solve.aiming import Span, aim_turn, span_turn
from kasta.solve.asking import OWN_FILLED, SITUATIONS
from kasta.solve.book import Book, Position
from kasta.solve.kernels import SPARE
from kasta.solve.lanes import rows
from kasta.solve.tables import NOT_ALLOWED, Floats, Ints
from kasta.values import Progress, quietly

UNREACHED = np.iinfo(np.int16).max


def aim(book: Book, at: Position, wish: Floats, progress: Progress = quietly) -> Floats:
    """What each outcome of the next turn is worth, if r points still to come are worth wish[r], and the last more.

    A wish never falls with more points. Exact; it takes the longer the more boxes are free.
    """
    t, top = book.tables, len(wish) - 1
    numbers = (2 << t.boxes) * (t.cap + 1)
    span = Span(np.full(numbers, UNREACHED, np.int16), np.full(numbers, -1, np.int16), np.zeros(numbers, np.int64))
    possible = _possible(book)
    turns = [np.array([book.state(at)])]
    span.low[turns[0]] = span.high[turns[0]] = 0
    for filled in range(at.mask.bit_count(), t.boxes):
        span_turn(t, turns[-1], span, possible, top)
        level = book.levels[filled + 1]
        turns.append(level[span.high[level] >= 0])
    worth = _at_end(book, turns[-1], span, wish)
    after, work = rows(len(t.gain) + 1), rows(t.sets + SPARE)
    for done, states in enumerate(turns[-2:0:-1], 1):
        before = np.empty(_lay_out(states, span))
        aim_turn(t, states, span, possible, worth, before, after, work)
        worth = before
        progress(done, len(turns) - 2)
    to = book.following(at)
    points = np.clip(t.gain.astype(np.int64), span.low[to], np.maximum(span.high[to], span.low[to]))
    reached = np.where(span.high[to] >= 0, span.place[to] + points - span.low[to], 0)
    return worth[reached]


def _possible(book: Book) -> NDArray[np.bool_]:
    """Which outcomes can be in a situation, or are the worth of nothing."""
    t = book.tables
    possible = np.zeros((len(SITUATIONS), len(t.gain)), np.bool_)
    possible[:, t.nothing] = True
    for number in range(len(SITUATIONS)):
        for own_filled in (0, OWN_FILLED):
            outcomes = t.outcome[number & ~OWN_FILLED | own_filled]
            possible[number, outcomes[outcomes != NOT_ALLOWED]] = True
    return possible


def _lay_out(states: Ints, span: Span) -> int:
    """Give each state its place, and say how much room all need."""
    counts = span.high[states].astype(np.int64) - span.low[states] + 1
    span.place[states] = np.cumsum(counts) - counts
    return int(counts.sum())


def _at_end(book: Book, states: Ints, span: Span, wish: Floats) -> Floats:
    worth = np.empty(_lay_out(states, span))
    for number in states:
        points = np.arange(span.low[number], span.high[number] + 1)
        bonus = int(book.tables.bonus[number % (book.tables.cap + 1)])
        worth[span.place[number] + points - points[0]] = wish[np.minimum(points + bonus, len(wish) - 1)]
    return worth
