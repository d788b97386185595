"""Yatzy played for a wished total: the best chance of it, and what each choice leaves of it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kasta.games.block import Action, Sheet
from kasta.games.traits import AnyGame
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import NOT_ALLOWED
from kasta.solve.yatzy.estimate import found_estimate
from kasta.solve.yatzy.kernels.distribution import Reach, lay_out, reach_from
from kasta.solve.yatzy.kernels.target import aim_turn, span_turn
from kasta.solve.yatzy.kernels.value import SPARE
from kasta.solve.yatzy.rule_answers import OWN_FILLED, SITUATIONS
from kasta.solve.yatzy.simd import rows
from kasta.solve.yatzy.solution import block, solution_of
from kasta.solve.yatzy.state_space import StateSpace, YatzyPosition
from kasta.solve.yatzy.turn import Turn
from kasta.values import Option, Progress, quietly

ROUNDING = 12  # digits in which equal chances agree


def reaching(space: StateSpace, sheet: Sheet, total: int, progress: Progress = quietly) -> Turn:
    """The turn of this sheet played for a final total of at least so much: values are the best chances of it."""
    missing = max(0, total - space.counted(sheet))
    utility = np.zeros(missing + 1)
    utility[missing] = 1.0
    at = space.position(sheet)
    chances = aim(space, at, utility, progress)
    return Turn(space, at, lambda _left: chances)


def options_of(game: AnyGame, sheet: Sheet, total: int, progress: Progress = quietly) -> list[Option[Action]]:
    """Every legal action with its best chance of a final total of at least so much, best first.

    In a game that is estimated it is the chance of who plays on for the expected total, of many games.
    """
    if estimate := found_estimate(block(game)):
        from kasta.solve.yatzy.sample import chances

        return chances(estimate, sheet, total, progress)
    solution = solution_of(game)
    return rank_chances(reaching(solution.space, sheet, total, progress), sheet, solution.options(sheet))


def rank_chances(turn: Turn, sheet: Sheet, expected: Iterable[Option[Action]]) -> list[Option[Action]]:
    """Best chance first; of equal ones, the higher expected total."""
    totals = {option.action: option.value for option in expected}
    actions, chances = turn.options(sheet)
    choices = [
        Option(action, round(chance, ROUNDING)) for action, chance in zip(actions, chances.tolist(), strict=True)
    ]
    return sorted(choices, key=lambda choice: (-choice.value, -totals[choice.action]))


def aim(space: StateSpace, at: YatzyPosition, utility: Floats, progress: Progress = quietly) -> Floats:
    """The expected utility of each outcome of the next turn, if r points still to come have utility[r].

    More points than utility has entries have the last one's, and it never falls with more points. Exact; it takes
    the longer the more boxes are free.
    """
    t, top = space.arrays, len(utility) - 1
    reach = reach_from(t, space.state(at))
    possible = _possible(space)
    turns = [np.array([space.state(at)])]
    for filled in range(at.mask.bit_count(), t.boxes.size):
        span_turn(t, turns[-1], reach, possible, top)
        level = space.states(filled + 1)
        turns.append(level[reach.high[level] >= 0])
    worth = _at_end(space, turns[-1], reach, utility)
    after, work = rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE)
    for done, states in enumerate(turns[-2:0:-1], 1):
        before = np.empty(lay_out(states, reach))
        aim_turn(t, states, reach, possible, worth, before, after, work)
        worth = before
        progress(done, len(turns) - 2)
    to = space.following(at)
    points = np.clip(t.boxes.gain.astype(np.int64), reach.low[to], np.maximum(reach.high[to], reach.low[to]))
    index = np.where(reach.high[to] >= 0, reach.place[to] + points - reach.low[to], 0)
    return worth[index]


def _possible(space: StateSpace) -> NDArray[np.bool_]:
    """Which outcomes can be in a situation, or are the worth of nothing."""
    t = space.arrays
    possible = np.zeros((len(SITUATIONS), len(t.boxes.gain)), np.bool_)
    possible[:, t.boxes.nothing] = True
    for number in range(len(SITUATIONS)):
        for own_filled in (0, OWN_FILLED):
            outcomes = t.boxes.outcome[number & ~OWN_FILLED | own_filled]
            possible[number, outcomes[outcomes != NOT_ALLOWED]] = True
    return possible


def _at_end(space: StateSpace, states: Ints, reach: Reach, utility: Floats) -> Floats:
    worth = np.empty(lay_out(states, reach))
    for number in states:
        points = np.arange(reach.low[number], reach.high[number] + 1)
        bonus = int(space.bonus(number))
        worth[reach.place[number] + points - points[0]] = utility[np.minimum(points + bonus, len(utility) - 1)]
    return worth
