"""The fast parts of the Yatzy solver, for any game that `arrays` describes.

A *state* is a mask of filled boxes, whether the Yatzy box holds points, and the upper total; `state` numbers it.
One work array has a row for each set of dice, and lanes for several states of the same boxes. What the dice are
worth if a box is filled now is written to the rows of complete throws; then, for each throw that is still to come,
the rows of kept dice become the mean over one die more, from large sets to small, and every row the best of what
can be kept of it, from small sets to large.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kasta.solve.jit import lean_kernel, lean_part, part
from kasta.solve.types import Floats, Ints, Table
from kasta.solve.yatzy import arrays
from kasta.solve.yatzy.arrays import NOT_ALLOWED, TOGETHER, Boxes, Dice, Numbering, States, YatzyArrays
from kasta.solve.yatzy.rule_answers import OWN_FILLED
from kasta.solve.yatzy.simd import LANES, add, add_weighted, average, lift, lift_to_best, put

SPARE = 2 + TOGETHER  # rows behind the sets: padding for `add_weighted`, the best zero, the mean
NEVER = -1e300  # worth less than anything, and still a number


# Parts that are called often take single arrays: all at once would be counted in and out at every call.


situation = lean_part(arrays.situation)


@part
def boxes_of(n: Numbering, number: int) -> tuple[int, int]:
    """The mask of filled boxes in a state, and whether Yatzy is held."""
    place = int(np.searchsorted(n.first, number, side="right")) - 1
    return place // n.ways, place % n.ways


@lean_part
def upper_of(s: States, n: Numbering, mask: int, held: int, number: int) -> int:
    """The upper total of a state whose boxes are known."""
    return int(s.reach[s.first_reach[n.part[mask]] + number - n.first[n.ways * mask + held]])


@lean_part
def following(b: Boxes, n: Numbering, mask: int, held: int, upper: int, to: Ints) -> None:
    """Write the number of the state that each outcome leads to; nothing for boxes that are filled."""
    for box in range(b.size):
        if not mask >> box & 1:
            after = mask | 1 << box
            for o in range(b.first_outcome[box], b.first_outcome[box + 1]):
                start = n.first[n.ways * after + (held | b.holds[o])]
                to[o] = start + n.rank[n.part[after], min(upper + b.upper[o], b.cap)]


@lean_part
def outcome(outcomes: Any, own_box: Ints, situation: int, mask: int, throw: int, box: int) -> int:  # noqa: ANN401
    """What filling a box with a throw brings, NOT_ALLOWED if it is filled or the throw must go elsewhere."""
    if mask >> box & 1:
        return NOT_ALLOWED
    own_filled = own_box[throw] & ~mask == 0
    return int(outcomes[situation + OWN_FILLED * own_filled, throw, box])


@lean_part
def gather(b: Boxes, n: Numbering, mask: int, held: int, uppers: Ints, values: Table, after: Floats) -> None:
    """Write what each outcome is worth to `after`, in one lane for each upper total."""
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
                    after[raw, lane] = values[start + n.rank[part, min(uppers[lane] + upper, b.cap)]]
            add(after, o, after, raw, b.gain[o])


@lean_part
def fill(b: Boxes, keeps: int, sets: int, mask: int, held: int, after: Floats, work: Floats) -> None:
    """Write what each complete throw is worth if a box is filled with it, given the worth of each outcome."""
    zero = sets + TOGETHER
    put(work, zero, NEVER)
    for box in range(b.size):
        if not mask >> box & 1:
            lift(work, zero, after, b.nothing[box])
    for row in range(keeps, sets):
        add(work, row, work, zero, 0.0)
    for box in range(b.size):
        if not mask >> box & 1:
            for i in range(b.first_pay[box], b.first_pay[box + 1]):
                lift(work, b.pay_set[i], after, b.pay_outcome[i])
    outcomes, own_box, about = b.outcome, b.own_box, situation(b, mask, held)
    for throw in b.special:
        put(work, keeps + throw, NEVER)
        for box in range(b.size):
            o = outcome(outcomes, own_box, about, mask, throw, box)
            if o != NOT_ALLOWED:
                lift(work, keeps + throw, after, o)


@lean_part
def rethrow(d: Dice, work: Floats) -> None:
    """From the worth of complete throws to that of kept dice, before the others are thrown."""
    more = d.more
    for row in range(d.keeps - 1, -1, -1):
        average(work, row, (more[row, 0], more[row, 1], more[row, 2], more[row, 3], more[row, 4], more[row, 5]))
    for row in d.unkeepable:
        put(work, row, NEVER)


def chooser(take_best: Any) -> Any:  # noqa: ANN401, C901 - an operation of `simd`, and what it makes
    """From the worth of kept dice to that of the best choice of what to keep; keeping all is filling a box.

    A tuple's length must be known when compiling: so there is one call for each length of the list.
    """

    @lean_part
    def choose(d: Dice, work: Floats, *also: Any) -> None:  # noqa: ANN401, C901
        less = d.fewer
        for kind in range(len(d.kinds)):
            first, last, distinct = d.kinds[kind]
            if distinct == 1:
                for row in range(first, last):
                    take_best(work, row, (less[row, 0],), *also)
            elif distinct == 2:  # noqa: PLR2004
                for row in range(first, last):
                    take_best(work, row, (less[row, 0], less[row, 1]), *also)
            elif distinct == 3:  # noqa: PLR2004
                for row in range(first, last):
                    take_best(work, row, (less[row, 0], less[row, 1], less[row, 2]), *also)
            elif distinct == 4:  # noqa: PLR2004
                for row in range(first, last):
                    take_best(work, row, (less[row, 0], less[row, 1], less[row, 2], less[row, 3]), *also)
            else:
                for row in range(first, last):
                    five = (less[row, 0], less[row, 1], less[row, 2], less[row, 3], less[row, 4])
                    take_best(work, row, five, *also)
                    for i in range(5, distinct):
                        take_best(work, row, (less[row, i],), *also)

    return choose


choose = chooser(lift_to_best)


@lean_part
def begin(d: Dice, work: Floats) -> int:
    """The row with the worth before the first throw."""
    mean = d.sets + TOGETHER + 1
    put(work, mean, 0.0)
    p = d.chance
    for i in range(0, len(p), TOGETHER):
        weights = (p[i], p[i + 1], p[i + 2], p[i + 3], p[i + 4], p[i + 5])
        weights_too = (p[i + 6], p[i + 7], p[i + 8], p[i + 9], p[i + 10], p[i + 11])
        add_weighted(work, mean, d.keeps + i, weights + weights_too)
    return mean


@lean_kernel
def solve_masks(t: YatzyArrays, masks: Ints, values: Floats, uppers: Ints, after: Floats, work: Floats) -> None:
    """Solve all states of these masks; those with a box more must be solved already."""
    for mask in masks:
        part = t.states.part[mask]
        first, last = t.states.first_reach[part], t.states.first_reach[part + 1]
        for held in range(2 if t.boxes.holding and mask & t.boxes.yatzy_box else 1):
            for start in range(first, last, LANES):
                for lane in range(LANES):
                    uppers[lane] = t.states.reach[min(start + lane, last - 1)]
                gather(t.boxes, t.numbering, mask, held, uppers, values, after)
                fill(t.boxes, t.dice.keeps, t.dice.sets, mask, held, after, work)
                for _ in range(t.dice.throws - 1):
                    rethrow(t.dice, work)
                    choose(t.dice, work)
                mean = begin(t.dice, work)
                here = t.numbering.first[t.numbering.ways * mask + held] + start - first
                for lane in range(min(LANES, last - start)):
                    values[here + lane] = work[mean, lane]
