"""Solving a game in which throws that are not used are saved for later turns.

What a state is worth depends on how many throws are saved: `values` has a row for each number. A turn with s saved
throws is one with s throws more, so one pass over the throws that may be left finds the values for all s.
"""

from __future__ import annotations

import numpy as np

from kasta.solve.jit import kernel
from kasta.solve.types import Floats, Ints, Table
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.kernels.value import begin, choose, fill, gather, rethrow
from kasta.solve.yatzy.simd import LANES


@kernel
def solve_saving_masks(t: YatzyArrays, masks: Ints, most: int, values: Table, after: Floats, work: Floats) -> None:
    """Solve all states of these masks with up to `most` saved throws; those with a box more must be solved.

    A row that `values` does not have stands for the last one: throws beyond it are lost.
    """
    n, uppers, last_row = t.numbering, np.empty(LANES, np.int64), len(values) - 1
    for mask in masks:
        first, last = t.states.first_reach[t.states.part[mask]], t.states.first_reach[t.states.part[mask] + 1]
        for held in range(2 if t.boxes.holding and mask & t.boxes.yatzy_box else 1):
            for start in range(first, last, LANES):
                for lane in range(LANES):
                    uppers[lane] = t.states.reach[min(start + lane, last - 1)]
                here = n.first[n.ways * mask + held] + start - first
                for left in range(most + t.dice.throws):
                    if left:
                        rethrow(t.dice, work)
                    gather(t.boxes, n, mask, held, uppers, values[min(left, last_row)], after)
                    fill(t.boxes, t.dice.keeps, t.dice.sets, mask, held, after, work)
                    if left:
                        choose(t.dice, work)
                    saved = left - t.dice.throws + 1
                    if saved >= 0:
                        mean = begin(t.dice, work)
                        for lane in range(min(LANES, last - start)):
                            values[saved, here + lane] = work[mean, lane]
