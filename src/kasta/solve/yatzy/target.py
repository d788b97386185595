"""Yatzy played for a wished total: the best chance of it, and what each choice leaves of it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kasta.games.traits import AnyGame
from kasta.games.yatzy import Action, Sheet
from kasta.solve.yatzy.arrays import NOT_ALLOWED, Floats, Ints
from kasta.solve.yatzy.kernels.distribution import Reach, lay_out, reach_from
from kasta.solve.yatzy.kernels.target import aim_turn, span_turn
from kasta.solve.yatzy.kernels.value import SPARE
from kasta.solve.yatzy.rule_answers import OWN_FILLED, SITUATIONS
from kasta.solve.yatzy.simd import rows
from kasta.solve.yatzy.solution import Turn, solution_of
from kasta.solve.yatzy.state_space import Book, Position
from kasta.values import Option, Progress, quietly

ROUNDING = 12  # digits in which equal chances agree


def reaching(book: Book, sheet: Sheet, total: int, progress: Progress = quietly) -> Turn:
    """The turn of this sheet played for a final total of at least so much: values are the best chances of it."""
    missing = max(0, total - book.counted(sheet))
    wish = np.zeros(missing + 1)
    wish[missing] = 1.0
    at = book.position(sheet)
    return Turn(book, at, aim(book, at, wish, progress))


def options_of(game: AnyGame, sheet: Sheet, total: int, progress: Progress = quietly) -> list[Option[Action]]:
    """Every legal action with its best chance of a final total of at least so much, best first."""
    solution = solution_of(game)
    chances = reaching(solution.book, sheet, total, progress).options(sheet)
    return rank_chances(chances, solution.options(sheet))


def rank_chances(
    chances: Iterable[tuple[Action, float]], expected: Iterable[Option[Action]]
) -> list[Option[Action]]:
    """Best chance first; of equal ones, the higher expected total."""
    totals = {option.action: option.value for option in expected}
    ranked = sorted(chances, key=lambda choice: (-round(choice[1], ROUNDING), -totals[choice[0]]))
    return [Option(action, chance) for action, chance in ranked]


def aim(book: Book, at: Position, wish: Floats, progress: Progress = quietly) -> Floats:
    """What each outcome of the next turn is worth, if r points still to come are worth wish[r], and the last more.

    A wish never falls with more points. Exact; it takes the longer the more boxes are free.
    """
    t, top = book.tables, len(wish) - 1
    reach = reach_from(t, book.state(at))
    possible = _possible(book)
    turns = [np.array([book.state(at)])]
    for filled in range(at.mask.bit_count(), t.boxes.size):
        span_turn(t, turns[-1], reach, possible, top)
        level = book.levels[filled + 1]
        turns.append(level[reach.high[level] >= 0])
    worth = _at_end(book, turns[-1], reach, wish)
    after, work = rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE)
    for done, states in enumerate(turns[-2:0:-1], 1):
        before = np.empty(lay_out(states, reach))
        aim_turn(t, states, reach, possible, worth, before, after, work)
        worth = before
        progress(done, len(turns) - 2)
    to = book.following(at)
    points = np.clip(t.boxes.gain.astype(np.int64), reach.low[to], np.maximum(reach.high[to], reach.low[to]))
    index = np.where(reach.high[to] >= 0, reach.place[to] + points - reach.low[to], 0)
    return worth[index]


def _possible(book: Book) -> NDArray[np.bool_]:
    """Which outcomes can be in a situation, or are the worth of nothing."""
    t = book.tables
    possible = np.zeros((len(SITUATIONS), len(t.boxes.gain)), np.bool_)
    possible[:, t.boxes.nothing] = True
    for number in range(len(SITUATIONS)):
        for own_filled in (0, OWN_FILLED):
            outcomes = t.boxes.outcome[number & ~OWN_FILLED | own_filled]
            possible[number, outcomes[outcomes != NOT_ALLOWED]] = True
    return possible


def _at_end(book: Book, states: Ints, reach: Reach, wish: Floats) -> Floats:
    worth = np.empty(lay_out(states, reach))
    for number in states:
        points = np.arange(reach.low[number], reach.high[number] + 1)
        bonus = int(book.tables.states.bonus[number % (book.tables.boxes.cap + 1)])
        worth[reach.place[number] + points - points[0]] = wish[np.minimum(points + bonus, len(wish) - 1)]
    return worth
