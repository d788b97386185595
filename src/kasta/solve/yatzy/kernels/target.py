"""Playing for something else than the expected total: for the expected utility of the points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.solve.jit import kernel
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.kernels.distribution import Reach
from kasta.solve.yatzy.kernels.value import begin, boxes_of, choose, fill, following, rethrow, situation, upper_of
from kasta.solve.yatzy.simd import LANES


@kernel
def span_turn(t: YatzyArrays, states: Ints, reach: Reach, possible: NDArray[np.bool_], top: int) -> None:
    """Find out which points can be had one turn later; from `top` on, more points make no difference."""
    low, high, b, leads = reach.low, reach.high, t.boxes, np.empty(len(t.boxes.gain), np.int64)
    for number in states:
        mask, held = boxes_of(t.numbering, number)
        following(b, t.numbering, mask, held, upper_of(t.states, t.numbering, mask, held, number), leads)
        about = situation(b, mask, held)
        for box in range(b.size):
            if mask >> box & 1:
                continue
            for o in range(b.first_outcome[box], b.first_outcome[box + 1]):
                if possible[about, o]:
                    to = leads[o]
                    low[to] = min(low[to], low[number] + b.gain[o])
                    high[to] = min(max(high[to], high[number] + b.gain[o]), top)
                    low[to] = min(low[to], high[to])


@kernel
def aim_turn(
    t: YatzyArrays,
    states: Ints,
    reach: Reach,
    possible: NDArray[np.bool_],
    worth_after: Floats,
    worth: Floats,
    after: Floats,
    work: Floats,
) -> None:
    """From what all points are worth after a turn to what they are worth before it: lanes are points."""
    low, high, place, b = reach.low, reach.high, reach.place, t.boxes
    leads = np.empty(len(b.gain), np.int64)
    for number in states:
        mask, held = boxes_of(t.numbering, number)
        following(b, t.numbering, mask, held, upper_of(t.states, t.numbering, mask, held, number), leads)
        about = situation(b, mask, held)
        here = place[number] - low[number]
        for points in range(low[number], high[number] + 1, LANES):
            for box in range(b.size):
                if mask >> box & 1:
                    continue
                for o in range(b.first_outcome[box], b.first_outcome[box + 1]):
                    if possible[about, o]:
                        to = leads[o]
                        there, gain = place[to] - low[to], int(b.gain[o])
                        for lane in range(LANES):
                            after[o, lane] = worth_after[there + max(min(points + lane + gain, high[to]), low[to])]
            fill(b, t.dice.keeps, t.dice.sets, mask, held, after, work)
            for _ in range(t.dice.throws - 1):
                rethrow(t.dice, work)
                choose(t.dice, work)
            mean = begin(t.dice, work)
            for lane in range(min(LANES, high[number] + 1 - points)):
                worth[here + points + lane] = work[mean, lane]
