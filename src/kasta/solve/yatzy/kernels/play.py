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
from kasta.solve.yatzy.arrays import Arrays
from kasta.solve.yatzy.kernels.value import SPARE, gather, rethrow, state
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


class Workspace(NamedTuple):
    """Arrays that planning works in."""

    after: Floats
    after_2: Floats
    work: Floats
    numbers: Floats  # of the outcomes
    plans: Floats  # [throws left, set, lane]: what to do; an outcome if none is left, else a set to keep


def new_workspace(space: StateSpace) -> Workspace:
    t = space.arrays
    outcomes, sets = len(t.boxes.gain), t.dice.sets + SPARE
    numbers = rows(outcomes)
    numbers[:] = np.arange(outcomes)[:, None]
    plans = rows(t.dice.throws * sets).reshape(t.dice.throws, sets, LANES)
    return Workspace(rows(outcomes + 1), rows(outcomes + 1), rows(2 * sets), numbers, plans)


@part
def plan(
    t: Arrays, mask: int, held: int, uppers: Ints, values: Floats, squares: Floats, workspace: Workspace
) -> None:
    """Find the best choices for every complete throw. Numbers of choices follow the values that they belong to."""
    after, after_2, work = workspace.after, workspace.after_2, workspace.work
    gather(t.boxes, mask, held, uppers, values, after)
    gather_squares(t.boxes, mask, held, uppers, squares, after, after_2)
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
def sort(keys: Ints, counts: Ints, order: Ints) -> None:
    """The order of games by the number of their state."""
    for key in range(len(counts)):
        counts[key] = 0
    for key in keys:
        counts[key + 1] += 1
    for key in range(1, len(counts)):
        counts[key] += counts[key - 1]
    for game in range(len(keys)):
        order[counts[keys[game]]] = game
        counts[keys[game]] += 1


@part
def alike(width: int, at: Ints, order: Ints, begin: int, uppers: Ints) -> int:
    """Where the games end that have the same boxes filled as the first, and no more upper totals than lanes."""
    end, lane, before = begin, -1, -1
    while end < len(order):
        here = at[order[end]]
        if here != before:
            if lane == LANES - 1 or here // width != at[order[begin]] // width:
                break
            lane += 1
            for other in range(lane, LANES):
                uppers[other] = here % width
            before = here
        end += 1
    return end


@kernel
def play(
    t: Arrays,
    rolls: Rolls,
    values: Floats,
    squares: Floats,
    workspace: Workspace,
    seed: np.uint64,
    first_game: int,
    totals: Ints,
) -> None:
    """Play as many games as there are totals, all of them round by round."""
    games, width = len(totals), t.boxes.cap + 1
    at, order, uppers = np.zeros(games, np.int64), np.empty(games, np.int64), np.empty(LANES, np.int64)
    counts = np.empty(len(values) + 1, np.int64)
    first, result, plans = rolls.first, rolls.result, workspace.plans
    cap, box, gain, upper, holds = t.boxes.cap, t.boxes.box, t.boxes.gain, t.boxes.upper, t.boxes.holds
    for turn in range(t.boxes.size):
        sort(at, counts, order)
        begin = 0
        while begin < games:
            end = alike(width, at, order, begin, uppers)
            mask, held = at[order[begin]] // width // 2, at[order[begin]] // width % 2
            plan(t, mask, held, uppers, values, squares, workspace)
            lane = 0
            for i in range(begin, end):
                game = order[i]
                while uppers[lane] != at[game] % width:
                    lane += 1
                number = ((first_game + game) * t.boxes.size + turn) * t.dice.throws
                o = take_turn(first, result, plans, lane, seed, number)
                totals[game] += int(gain[o])
                at[game] = state(cap, mask | 1 << box[o], held | holds[o], min(uppers[lane] + upper[o], cap))
            begin = end
    for game in range(games):
        totals[game] += int(t.states.bonus[at[game] % width])
