"""The best player's choices, and how far totals spread: what kernels carry along with the best value.

Whatever belongs to a value, such as the expected square or the number of a choice, *follows* it: it is taken over
where the value is.
"""

from __future__ import annotations

import numpy as np

from kasta.solve.jit import kernel, part
from kasta.solve.kernels import NEVER, begin, gather, outcome, situation, state
from kasta.solve.lanes import LANES, add, average, follow, put
from kasta.solve.tables import NOT_ALLOWED, TOGETHER, Floats, Ints, Tables

# Of choices with the same expectation the best player takes the one that spreads more. Such ties differ by
# rounding only, so squares count this much: more than rounding, less than any real difference.
TIE = 1e-12


@part
def gather_squares(
    t: Tables, mask: int, held: int, uppers: Ints, squares: Floats, after: Floats, after_2: Floats
) -> None:
    """As `gather`, for squares; `after` must be filled already."""
    for box in range(t.boxes):
        if mask >> box & 1:
            continue
        for o in range(t.first_outcome[box], t.first_outcome[box + 1]):
            start = state(t.cap, mask | 1 << box, held | t.holds[o], 0)
            for lane in range(LANES):
                rest = squares[start + min(uppers[lane] + t.upper[o], t.cap)]
                after_2[o, lane] = rest + t.gain[o] * (2.0 * after[o, lane] - t.gain[o])


@part
def follow_fill(
    t: Tables, mask: int, held: int, after: Floats, after_2: Floats, work: Floats, work_2: Floats, weight: float
) -> None:
    """As `fill`, with companions."""
    zero = t.sets + TOGETHER
    put(work, zero, NEVER)
    put(work_2, zero, 0.0)
    for box in range(t.boxes):
        if not mask >> box & 1:
            follow(work, zero, after, t.nothing[box], work_2, after_2, weight)
    for row in range(t.keeps, t.sets):
        add(work, row, work, zero, 0.0)
        add(work_2, row, work_2, zero, 0.0)
    for box in range(t.boxes):
        if not mask >> box & 1:
            for i in range(t.first_pay[box], t.first_pay[box + 1]):
                follow(work, t.pay_set[i], after, t.pay_outcome[i], work_2, after_2, weight)
    outcomes, own_box, about = t.outcome, t.own_box, situation(t, mask, held)
    for throw in t.special:
        put(work, t.keeps + throw, NEVER)
        for box in range(t.boxes):
            o = outcome(outcomes, own_box, about, mask, throw, box)
            if o != NOT_ALLOWED:
                follow(work, t.keeps + throw, after, o, work_2, after_2, weight)


@part
def follow_rethrow(t: Tables, work: Floats, work_2: Floats) -> None:
    """As `rethrow`, with companions that are means, too."""
    more = t.more
    for row in range(t.keeps - 1, -1, -1):
        sets = (more[row, 0], more[row, 1], more[row, 2], more[row, 3], more[row, 4], more[row, 5])
        average(work, row, sets)
        average(work_2, row, sets)
    for row in t.unkeepable:
        put(work, row, NEVER)


@part
def follow_choose(t: Tables, work: Floats, work_2: Floats, weight: float) -> None:
    """As `choose`, with companions."""
    fewer = t.fewer
    for kind in range(len(t.kinds)):
        first, last, distinct = t.kinds[kind]
        for row in range(first, last):
            for i in range(distinct):
                follow(work, row, work, fewer[row, i], work_2, work_2, weight)


@kernel
def spread_masks(
    t: Tables,
    masks: Ints,
    values: Floats,
    squares: Floats,
    after: Floats,
    after_2: Floats,
    work: Floats,
    work_2: Floats,
) -> None:
    """Find the expected squares for all states of these masks; those with a box more must be done already."""
    uppers = np.empty(LANES, np.int64)
    for mask in masks:
        first, last = t.first_reach[t.part[mask]], t.first_reach[t.part[mask] + 1]
        for held in range(2 if t.holding and mask & t.yatzy_box else 1):
            for start in range(first, last, LANES):
                for lane in range(LANES):
                    uppers[lane] = t.reach[min(start + lane, last - 1)]
                gather(t, mask, held, uppers, values, after)
                gather_squares(t, mask, held, uppers, squares, after, after_2)
                follow_fill(t, mask, held, after, after_2, work, work_2, TIE)
                for _ in range(t.throws - 1):
                    follow_rethrow(t, work, work_2)
                    follow_choose(t, work, work_2, TIE)
                mean = begin(t, work_2)
                here = state(t.cap, mask, held, 0)
                for lane in range(LANES):
                    squares[here + uppers[lane]] = work_2[mean, lane]
