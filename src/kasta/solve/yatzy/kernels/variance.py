"""The best player's choices, and how far totals spread: what kernels carry along with the best value.

Whatever belongs to a value, such as the expected square or the number of a choice, *follows* it: it is taken over
where the value is.
"""

from __future__ import annotations

from kasta.solve.jit import lean_kernel, lean_part
from kasta.solve.types import Floats, Ints, Table
from kasta.solve.yatzy.arrays import NOT_ALLOWED, TOGETHER, Boxes, Dice, Numbering, YatzyArrays
from kasta.solve.yatzy.kernels.value import NEVER, begin, chooser, gather, outcome, situation
from kasta.solve.yatzy.simd import LANES, add, average, follow, follow_best, put

# Of choices with the same expectation the best player takes the one that spreads more. Such ties differ by
# rounding only, so squares count this much: more than rounding, less than any real difference. With the opposite
# sign it would be the one that spreads less.
TIE = 1e-12


@lean_part
def gather_squares(
    b: Boxes, n: Numbering, mask: int, held: int, uppers: Ints, squares: Table, after: Floats, after_2: Floats
) -> None:
    """As `gather`, for squares; `after` must be filled already."""
    raw = len(b.gain)
    for box in range(b.size):
        if mask >> box & 1:
            continue
        to = mask | 1 << box
        part, upper, holds = n.part[to], -1, -1
        for o in range(b.first_outcome[box], b.first_outcome[box + 1]):
            if b.upper[o] != upper or b.holds[o] != holds:
                upper, holds = b.upper[o], b.holds[o]
                start = n.first[n.ways * to + (held | holds)]
                for lane in range(LANES):
                    after_2[raw, lane] = squares[start + n.rank[part, min(uppers[lane] + upper, b.cap)]]
            for lane in range(LANES):
                after_2[o, lane] = after_2[raw, lane] + b.gain[o] * (2.0 * after[o, lane] - b.gain[o])


@lean_part
def follow_fill(
    b: Boxes,
    keeps: int,
    sets: int,
    mask: int,
    held: int,
    after: Floats,
    after_2: Floats,
    work: Floats,
    work_2: Floats,
    weight: float,
) -> None:
    """As `fill`, with companions."""
    zero = sets + TOGETHER
    put(work, zero, NEVER)
    put(work_2, zero, 0.0)
    for box in range(b.size):
        if not mask >> box & 1:
            follow(work, zero, after, b.nothing[box], work_2, after_2, weight)
    for row in range(keeps, sets):
        add(work, row, work, zero, 0.0)
        add(work_2, row, work_2, zero, 0.0)
    for box in range(b.size):
        if not mask >> box & 1:
            for i in range(b.first_pay[box], b.first_pay[box + 1]):
                follow(work, b.pay_set[i], after, b.pay_outcome[i], work_2, after_2, weight)
    outcomes, own_box, about = b.outcome, b.own_box, situation(b, mask, held)
    for throw in b.special:
        put(work, keeps + throw, NEVER)
        for box in range(b.size):
            o = outcome(outcomes, own_box, about, mask, throw, box)
            if o != NOT_ALLOWED:
                follow(work, keeps + throw, after, o, work_2, after_2, weight)


@lean_part
def follow_rethrow(d: Dice, work: Floats, work_2: Floats) -> None:
    """As `rethrow`, with companions that are means, too."""
    more = d.more
    for row in range(d.keeps - 1, -1, -1):
        sets = (more[row, 0], more[row, 1], more[row, 2], more[row, 3], more[row, 4], more[row, 5])
        average(work, row, sets)
        average(work_2, row, sets)
    for row in d.unkeepable:
        put(work, row, NEVER)


follow_choose = chooser(follow_best)  # as `choose`, with companions


@lean_kernel
def solve_square_masks(
    t: YatzyArrays,
    masks: Ints,
    values: Floats,
    squares: Floats,
    tie: float,
    uppers: Ints,
    after: Floats,
    after_2: Floats,
    work: Floats,
    work_2: Floats,
) -> None:
    """Find the expected squares for all states of these masks; those with a box more must be done already."""
    for mask in masks:
        first, last = t.states.first_reach[t.states.part[mask]], t.states.first_reach[t.states.part[mask] + 1]
        for held in range(2 if t.boxes.holding and mask & t.boxes.yatzy_box else 1):
            for start in range(first, last, LANES):
                for lane in range(LANES):
                    uppers[lane] = t.states.reach[min(start + lane, last - 1)]
                gather(t.boxes, t.numbering, mask, held, uppers, values, after)
                gather_squares(t.boxes, t.numbering, mask, held, uppers, squares, after, after_2)
                follow_fill(t.boxes, t.dice.keeps, t.dice.sets, mask, held, after, after_2, work, work_2, tie)
                for _ in range(t.dice.throws - 1):
                    follow_rethrow(t.dice, work, work_2)
                    follow_choose(t.dice, work, work_2, tie)
                mean = begin(t.dice, work_2)
                here = t.numbering.first[t.numbering.ways * mask + held] + start - first
                for lane in range(min(LANES, last - start)):
                    squares[here + lane] = work_2[mean, lane]
