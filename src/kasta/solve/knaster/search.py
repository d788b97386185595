"""Search in Knaster: two throws ahead by the value, further by rollouts.

A *choice* is all that is done with one throw: a number written or not, and the set of cells that get circles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.budget import NEVER, Budget
from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.grid.halving import (
    Halving,
    cap_eliminated,
    eliminate,
    enter,
    new_halving,
    record,
    rounds,
    set_priors,
    sort,
)
from kasta.solve.jit import lean_inline, lean_kernel, lean_part
from kasta.solve.knaster.arrays import KnasterArrays
from kasta.solve.knaster.sheet import KnasterCells, circle, copy, last_throw, new_sheet, total, write
from kasta.solve.knaster.value import (
    KnasterValue,
    KnasterWork,
    act,
    evaluate,
    expected_best,
    last_value,
    new_work,
    value_of,
)
from kasta.solve.splitmix_kernels import Generator, deal
from kasta.solve.types import Ints

TRIES = 4  # actions, to tell what a throw is worth


class Choices(NamedTuple):
    """What may be done with a throw, and how it fared."""

    cell: Ints  # [choice]: written into, NONE if nothing is written
    circles: Ints  # [choice]: a mask of cells
    halving: Halving


class KnasterWorkspace(NamedTuple):
    """Scratch."""

    work: KnasterWork
    throws: Ints
    decks: Ints  # [throw, card]
    actions: Ints
    one: KnasterCells


def new_workspace(t: KnasterArrays) -> KnasterWorkspace:
    most = 2 * len(t.g.count_of) + 1  # throws: every one but the last writes or circles
    throws, decks = np.zeros(most, np.int64), np.zeros((most, len(t.sums)), np.int64)
    return KnasterWorkspace(new_work(t), throws, decks, np.zeros(most, np.int64), new_sheet(t))


def new_choices(cells: list[int], circles: list[int]) -> Choices:
    return Choices(np.array(cells, np.int64), np.array(circles, np.int64), new_halving(len(cells)))


@lean_inline
def choose(
    t: KnasterArrays, sheet: KnasterCells, symbol: int, choices: Choices, choice: int, to: KnasterCells, owed: Ints
) -> None:
    """The sheet after a choice."""
    copy(sheet, to)
    if choices.cell[choice] != NONE:
        write(t, to, choices.cell[choice], symbol, owed)
    for cell in range(len(sheet.symbol)):
        if choices.circles[choice] >> cell & 1:
            circle(t, to, cell)


@lean_part
def best_ahead(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, symbol: int, workspace: KnasterWorkspace
) -> float:
    """What a throw is worth two throws ahead, in points: of a few actions that the value likes, the best."""
    work, actions, count = workspace.work, workspace.actions, 0
    evaluate(t, value, sheet, symbol, work)
    for action in range(len(work.worth)):
        if work.worth[action] != NEVER:
            actions[count] = action
            count += 1
    sort(work.worth, actions, count)
    most = NEVER
    for i in range(min(TRIES, count)):
        copy(sheet, workspace.one)
        act(t, value, workspace.one, actions[i], symbol, work)
        most = max(most, expected_best(t, value, workspace.one, work) * value.unit + workspace.one.circles[0])
    return most


@lean_kernel
def worth_after_throw(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, symbol: int, workspace: KnasterWorkspace
) -> float:
    return best_ahead(t, value, sheet, symbol, workspace)


@lean_kernel
def worth_before_throw(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, workspace: KnasterWorkspace
) -> float:
    """The mean of `worth_after_throw`."""
    if sheet.written[0] == len(sheet.symbol):
        return last_value(t, sheet, workspace.work.best) + sheet.circles[0]
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += t.chance[symbol] * best_ahead(t, value, sheet, symbol, workspace)
    return mean


@lean_part
def roll_out(
    t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, most: int, throws: Ints, work: KnasterWork
) -> float:
    """Play so many throws by the value alone, or to the end; what the sheet is worth then, or its total."""
    for turn in range(most):
        if sheet.written[0] == len(sheet.symbol):
            last_throw(t, sheet, throws[turn])
            return total(t, sheet)
        best = evaluate(t, value, sheet, throws[turn], work)
        act(t, value, sheet, best, throws[turn], work)
    return value_of(t, value, sheet, sheet.written[0], work.best) * value.unit + sheet.circles[0]


@lean_kernel
def search(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    symbol: int,
    last: bool,  # noqa: FBT001
    choices: Choices,
    budget: Budget,
    generator: Generator,
    workspace: KnasterWorkspace,
) -> int:
    """Fill the halving of all choices, of which those of the last throw are final; the best one."""
    halving, one = choices.halving, workspace.one
    worth, order = halving.worth, halving.order
    count = len(worth)
    for i in range(count):
        order[i] = i
        choose(t, sheet, symbol, choices, i, one, workspace.work.owed)
        if last:
            enter(halving, i, total(t, one))
        else:
            now = value_of(t, value, one, one.written[0], workspace.work.best)
            enter(halving, i, now * value.unit + one.circles[0])
    sort(worth, order, count)
    if last or count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        choose(t, sheet, symbol, choices, order[i], one, workspace.work.owed)
        worth[order[i]] = expected_best(t, value, one, workspace.work) * value.unit + one.circles[0]
    sort(worth, order, tried)
    halve_by_rollouts(t, value, sheet, symbol, choices, budget, generator, workspace)
    cap_eliminated(halving, count)
    return order[0]


@lean_part
def halve_by_rollouts(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    symbol: int,
    choices: Choices,
    budget: Budget,
    generator: Generator,
    workspace: KnasterWorkspace,
) -> None:
    """Sequential halving of the first choices, all with the same throws."""
    halving = choices.halving
    alive = min(len(halving.worth), budget.first, budget.played)
    throws = min(len(workspace.throws), budget.throws)
    set_priors(halving)
    halvings = rounds(alive)
    while alive > 1:
        for _ in range(max(1, budget.games // (halvings * alive))):
            deal(t.sums, workspace.decks, halving.games[halving.order[0]], workspace.throws, throws, generator)
            for i in range(alive):
                choice = halving.order[i]
                choose(t, sheet, symbol, choices, choice, workspace.one, workspace.work.owed)
                came_to = roll_out(t, value, workspace.one, throws, workspace.throws, workspace.work)
                record(halving, choice, came_to - halving.prior[choice])
        alive = eliminate(halving, alive, budget.trust)
