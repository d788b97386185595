"""Many games of a player who goes by estimated values, with or without saved throws, all of them turn by turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kasta.solve.jit import kernel, part
from kasta.solve.types import Floats, Ints, Table
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.kernels.play import Rolls, alike, random
from kasta.solve.yatzy.kernels.value import SPARE, boxes_of, rethrow, upper_of
from kasta.solve.yatzy.kernels.variance import follow_choose, follow_fill
from kasta.solve.yatzy.simd import LANES, add, put, rows


class EstimatedWorkspace(NamedTuple):
    """Arrays that planning works in."""

    after: Floats
    work: Floats
    numbers: Floats  # of the outcomes
    fills: Floats  # [throws left, set, lane]: the best outcome
    keeps: Floats  # [throws left, set, lane]: the best set to keep; all dice to fill a box


def new_room(t: YatzyArrays) -> EstimatedWorkspace:
    """For as many throws as can ever be left."""
    most, sets = most_throws(t), t.dice.sets + SPARE
    numbers = rows(len(t.boxes.gain))
    numbers[:] = np.arange(len(t.boxes.gain))[:, None]
    plans = [rows(most * sets).reshape(most, sets, LANES) for _ in range(2)]
    return EstimatedWorkspace(rows(len(t.boxes.gain) + 1), rows(sets), numbers, *plans)


def most_throws(t: YatzyArrays) -> int:
    """The most throws that a turn can have, with all that can be saved."""
    return t.dice.throws + (t.boxes.size - 1) * (t.dice.throws - 1)


@part
def gather_estimates(t: YatzyArrays, mask: int, uppers: Ints, tall: Table, wide: Table, after: Floats) -> None:
    """As `gather`, where values are products of a row of one matrix and one of the other."""
    b, n, raw, full = t.boxes, t.numbering, len(t.boxes.gain), (1 << t.boxes.size) - 1
    for box in range(b.size):
        if mask >> box & 1:
            continue
        to, upper = mask | 1 << box, -1
        for o in range(b.first_outcome[box], b.first_outcome[box + 1]):
            if b.upper[o] != upper:
                upper = b.upper[o]
                for lane in range(LANES):
                    total = min(uppers[lane] + upper, b.cap)
                    if lane and uppers[lane] == uppers[lane - 1]:
                        after[raw, lane] = after[raw, lane - 1]
                    elif to == full:
                        after[raw, lane] = t.states.bonus[total]
                    else:
                        number = n.first[n.ways * to] + n.rank[n.part[to], total]
                        row, column = number % len(tall), number // len(tall)
                        rest = 0.0
                        for i in range(tall.shape[1]):
                            rest += tall[row, i] * wide[column, i]
                        after[raw, lane] = rest
            add(after, o, after, raw, b.gain[o])


@part
def plan_ahead(
    t: YatzyArrays, mask: int, uppers: Ints, tall: Table, wide: Table, most: int, room: EstimatedWorkspace
) -> None:
    """Find the best choices for every complete throw, while so many throws are left or fewer."""
    after, work = room.after, room.work
    for left in range(most + 1):
        if left:
            rethrow(t.dice, work)
        gather_estimates(t, mask, uppers, tall[min(left, len(tall) - 1)], wide, after)
        fills, keeps = room.fills[left], room.keeps[left]
        follow_fill(t.boxes, t.dice.keeps, t.dice.sets, mask, 0, after, room.numbers, work, fills, 0.0)
        for row in range(t.dice.sets):
            put(keeps, row, row)
        if left:
            follow_choose(t.dice, work, keeps, 0.0)


@part
def take_long_turn(
    first: Ints,
    result: Any,  # noqa: ANN401
    room: EstimatedWorkspace,
    lane: int,
    seed: np.uint64,
    number: int,
    left: int,
) -> tuple[int, int]:
    """The outcome that a turn ends with, and how many throws are left then."""
    kept = 0
    while True:
        ways = first[kept + 1] - first[kept]
        dice = result[first[kept] + int(random(seed, number + left) * ways)]
        choice = int(room.keeps[left, dice, lane])
        if choice == dice:
            return int(room.fills[left, dice, lane]), left
        kept = choice
        left -= 1


@kernel
def play_estimated_turn(
    t: YatzyArrays,
    rolls: Rolls,
    tall: Table,
    wide: Table,
    room: EstimatedWorkspace,
    seed: np.uint64,
    numbers: Ints,
    at: Ints,
    saved: Ints,
    saves: bool,  # noqa: FBT001 - numba knows no keywords
    order: Ints,
    totals: Ints,
) -> None:
    """Play one turn of all games, from the states that they are at; random numbers begin at `numbers`."""
    b, n = t.boxes, t.numbering
    lanes, uppers = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    begin = 0
    while begin < len(order):
        mask, held = boxes_of(n, at[order[begin]])
        end = alike(at, order, begin, n.first[n.ways * mask + held + 1], lanes)
        most = 0
        for lane in range(LANES):
            uppers[lane] = upper_of(t.states, n, mask, held, lanes[lane])
        for i in range(begin, end):
            most = max(most, saved[order[i]] + t.dice.throws - 1)
        plan_ahead(t, mask, uppers, tall, wide, most, room)
        lane = 0
        for i in range(begin, end):
            game = order[i]
            while lanes[lane] != at[game]:
                lane += 1
            left = saved[game] + t.dice.throws - 1
            o, left = take_long_turn(rolls.first, rolls.result, room, lane, seed, numbers[game], left)
            totals[game] += int(b.gain[o])
            saved[game] = left if saves else 0
            to, upper = mask | 1 << b.box[o], min(uppers[lane] + b.upper[o], b.cap)
            at[game] = n.first[n.ways * to] + n.rank[n.part[to], upper]
        begin = end
