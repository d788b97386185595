"""The best player at play: the plan for a turn, and many games at once, sharing plans where they stand alike."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES
from kasta.solve.jit import kernel, part
from kasta.solve.splitmix_kernels import STEP, mix
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.kernels.value import SPARE, boxes_of, gather, rethrow, upper_of
from kasta.solve.yatzy.kernels.variance import TIE, follow_choose, follow_fill, gather_squares
from kasta.solve.yatzy.simd import LANES, add, put, rows
from kasta.solve.yatzy.state_space import StateSpace

UNUSED_BITS, TO_UNIT = np.uint64(11), 2.0**-53


class Rolls(NamedTuple):
    """What a throw makes of kept dice: all equally likely results, one part for each set."""

    first: Ints
    result: NDArray[np.int16]


@cache
def rolls(space: StateSpace) -> Rolls:
    more = space.arrays.dice.more
    results = {number: np.array([number], np.int16) for number in range(space.keeps, len(space.sets))}
    for number in range(space.keeps - 1, -1, -1):
        results[number] = np.concatenate([results[more[number, face]] for face in range(len(FACES))])
    parts = [results[number] for number in range(len(space.sets))]
    return Rolls(np.cumsum([0, *map(len, parts)]), np.concatenate(parts))


class YatzyWorkspace(NamedTuple):
    """Arrays that planning works in."""

    after: Floats
    after_2: Floats
    work: Floats
    numbers: Floats  # of the outcomes
    plans: Floats  # [throws left, set, lane]: what to do; an outcome if none is left, else a set to keep


def new_workspace(space: StateSpace) -> YatzyWorkspace:
    t = space.arrays
    outcomes, sets = len(t.boxes.gain), t.dice.sets + SPARE
    numbers = rows(outcomes)
    numbers[:] = np.arange(outcomes)[:, None]
    plans = rows(t.dice.throws * sets).reshape(t.dice.throws, sets, LANES)
    return YatzyWorkspace(rows(outcomes + 1), rows(outcomes + 1), rows(2 * sets), numbers, plans)


@part
def plan(
    t: YatzyArrays, mask: int, held: int, uppers: Ints, values: Floats, squares: Floats, workspace: YatzyWorkspace
) -> None:
    """Find the best choices for every complete throw. Numbers of choices follow the values that they belong to.

    Without squares, choices of equal value are as good as each other.
    """
    after, after_2, work = workspace.after, workspace.after_2, workspace.work
    gather(t.boxes, t.numbering, mask, held, uppers, values, after)
    if len(squares):
        gather_squares(t.boxes, t.numbering, mask, held, uppers, squares, after, after_2)
        for o in range(len(t.boxes.gain)):
            for lane in range(LANES):
                after[o, lane] += TIE * after_2[o, lane]
    follow_fill(
        t.boxes, t.dice.keeps, t.dice.sets, mask, held, after, workspace.numbers, work, workspace.plans[0], 0.0
    )
    filled = t.dice.sets + SPARE  # the same rows once more: the dice may be left as they are after each throw
    for row in range(t.dice.keeps, t.dice.sets):
        add(work, filled + row, work, row, 0.0)
    for left in range(1, t.dice.throws):
        choices = workspace.plans[left]
        rethrow(t.dice, work)
        for row in range(t.dice.sets):
            put(choices, row, row)
        for row in range(t.dice.keeps, t.dice.sets):
            add(work, row, work, filled + row, 0.0)
        follow_choose(t.dice, work, choices, 0.0)


@part
def random(seed: np.uint64, number: int) -> float:
    """The number-th random number from 0 to below 1: a throw's dice do not depend on how games are grouped."""
    return (mix(seed + np.uint64(number + 1) * STEP) >> UNUSED_BITS) * TO_UNIT


@part
def take_turn(first: Ints, result: Any, plans: Floats, lane: int, seed: np.uint64, number: int) -> int:  # noqa: ANN401
    """The outcome that a turn ends with; its random numbers begin at `number`."""
    kept = 0
    for left in range(len(plans) - 1, -1, -1):
        ways = first[kept + 1] - first[kept]
        dice = result[first[kept] + int(random(seed, number + left) * ways)]
        if left:
            kept = int(plans[left, dice, lane])
    return int(plans[0, dice, lane])


@part
def alike(at: Ints, order: Ints, begin: int, last: int, lanes: Ints) -> int:
    """Where the games end that stand below `last`, in no more states than there are lanes."""
    end, lane = begin, -1
    while end < len(order):
        here = at[order[end]]
        if lane < 0 or here != lanes[lane]:
            if lane == LANES - 1 or here >= last:
                break
            lane += 1
            for other in range(lane, LANES):
                lanes[other] = here
        end += 1
    return end


@kernel
def play_turn(
    t: YatzyArrays,
    rolls: Rolls,
    values: Floats,
    squares: Floats,
    workspace: YatzyWorkspace,
    seed: np.uint64,
    first_number: int,
    at: Ints,
    order: Ints,
    totals: Ints,
) -> None:
    """Play one turn of all games, from the states that they are at; the order is by these."""
    b, n = t.boxes, t.numbering
    lanes, uppers = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    first, result, plans = rolls.first, rolls.result, workspace.plans
    begin = 0
    while begin < len(order):
        mask, held = boxes_of(n, at[order[begin]])
        end = alike(at, order, begin, n.first[n.ways * mask + held + 1], lanes)
        for lane in range(LANES):
            uppers[lane] = upper_of(t.states, n, mask, held, lanes[lane])
        plan(t, mask, held, uppers, values, squares, workspace)
        lane = 0
        for i in range(begin, end):
            game = order[i]
            while lanes[lane] != at[game]:
                lane += 1
            o = take_turn(first, result, plans, lane, seed, first_number + game * b.size * t.dice.throws)
            totals[game] += int(b.gain[o])
            to, upper = mask | 1 << b.box[o], min(uppers[lane] + b.upper[o], b.cap)
            at[game] = n.first[n.ways * to + (held | b.holds[o])] + n.rank[n.part[to], upper]
        begin = end
