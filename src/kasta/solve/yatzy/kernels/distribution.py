"""Where the best player's games go: chances of every total in every state, carried from turn to turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kasta.solve.jit import kernel, part
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.kernels.play import YatzyWorkspace, plan
from kasta.solve.yatzy.kernels.value import boxes_of, following, upper_of
from kasta.solve.yatzy.simd import LANES


class Reach(NamedTuple):
    """For each number of a state: the least and most points so far, and where their part of another array begins.

    One serves all turns, because no state belongs to two.
    """

    low: Any
    high: Any
    place: Ints


def reach_from(t: YatzyArrays, start: int) -> Reach:
    """Only one state is reached, with no points yet."""
    numbers = t.numbering.first[-1]
    most = np.iinfo(np.int16).max
    reach = Reach(np.full(numbers, most, np.int16), np.full(numbers, -1, np.int16), np.zeros(numbers, np.int64))
    reach.low[start] = reach.high[start] = 0
    return reach


def lay_out(states: Ints, reach: Reach) -> int:
    """Give each of these states its place, and say how much room all need."""
    counts = reach.high[states].astype(np.int64) - reach.low[states] + 1
    reach.place[states] = np.cumsum(counts) - counts
    return int(counts.sum())


class Steps(NamedTuple):
    """Where a turn may lead, one part for each state."""

    first: Ints
    to: Any
    gain: Any
    chance: Floats


def room_for_steps(t: YatzyArrays, states: int) -> Steps:
    """Far too much, but what is not written to needs no memory."""
    most = states * len(t.boxes.gain)
    return Steps(
        np.empty(states + 1, np.int64), np.empty(most, np.int32), np.empty(most, np.int16), np.empty(most)
    )


@part
def throw_again(more: Any, keeps: int, sets: Floats) -> None:  # noqa: ANN401
    """Carry the chances of kept dice on to complete throws, die by die."""
    faces = more.shape[1]
    for dice in range(keeps):
        share = sets[dice] / faces
        sets[dice] = 0.0
        if share > 0.0:
            for face in range(faces):
                sets[more[dice, face]] += share


@part
def flow(t: YatzyArrays, plans: Floats, lane: int, sets: Floats, ends: Floats) -> None:
    """Write the chance that a turn ends with each outcome; `sets` is room for the chance of each set of dice."""
    more, keeps = t.dice.more, t.dice.keeps
    for dice in range(t.dice.sets):
        sets[dice] = t.dice.chance[dice - keeps] if dice >= keeps else 0.0
    for left in range(t.dice.throws - 1, 0, -1):
        for dice in range(keeps, t.dice.sets):
            kept = int(plans[left, dice, lane])
            if kept != dice:
                sets[kept] += sets[dice]
                sets[dice] = 0.0
        throw_again(more, keeps, sets)
    for o in range(len(ends)):
        ends[o] = 0.0
    for dice in range(keeps, t.dice.sets):
        ends[int(plans[0, dice, lane])] += sets[dice]


@kernel
def flow_turn(
    t: YatzyArrays,
    values: Floats,
    squares: Floats,
    workspace: YatzyWorkspace,
    states: Ints,
    reach: Reach,
    steps: Steps,
) -> None:
    """Find all steps of a turn from these states, sorted and with as many boxes filled, and how far they reach."""
    n, step = t.numbering, 0
    uppers, sets, ends = np.empty(LANES, np.int64), np.empty(t.dice.sets), np.empty(len(t.boxes.gain))
    leads = np.empty(len(ends), np.int64)
    begin = 0
    while begin < len(states):
        mask, held = boxes_of(n, states[begin])
        end = begin
        while end < len(states) and end < begin + LANES and states[end] < n.first[n.ways * mask + held + 1]:
            end += 1
        for lane in range(LANES):
            uppers[lane] = upper_of(t.states, n, mask, held, states[min(begin + lane, end - 1)])
        plan(t, mask, held, uppers, values, squares, workspace)
        plans = workspace.plans
        for i in range(begin, end):
            flow(t, plans, i - begin, sets, ends)
            following(t.boxes, n, mask, held, uppers[i - begin], leads)
            steps.first[i] = step
            for o in range(len(ends)):
                if ends[o] > 0.0:
                    to = leads[o]
                    steps.to[step], steps.gain[step], steps.chance[step] = to, t.boxes.gain[o], ends[o]
                    reach.low[to] = min(reach.low[to], reach.low[states[i]] + t.boxes.gain[o])
                    reach.high[to] = max(reach.high[to], reach.high[states[i]] + t.boxes.gain[o])
                    step += 1
        begin = end
    steps.first[len(states)] = step


@kernel
def carry(states: Ints, reach: Reach, steps: Steps, chances: Floats, chances_after: Floats) -> None:
    """Carry the chances of all points so far over one turn."""
    low, high, place = reach.low, reach.high, reach.place
    for i in range(len(states)):
        here, count = place[states[i]], high[states[i]] - low[states[i]] + 1
        for step in range(steps.first[i], steps.first[i + 1]):
            to, chance = steps.to[step], steps.chance[step]
            there = place[to] + low[states[i]] + steps.gain[step] - low[to]
            for points in range(count):
                chances_after[there + points] += chance * chances[here + points]
