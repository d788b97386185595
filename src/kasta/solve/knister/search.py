"""Search in Knister: two throws ahead by the value, further by rollouts, the last cells exactly.

All budgets are counted, never timed, so that a seed gives the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.budget import NEVER, Budget
from kasta.solve.grid.geometry import EMPTY, SYMBOLS
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
from kasta.solve.jit import lean_kernel, lean_part
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.evaluate import KnisterWork, evaluate, expected_best, new_work
from kasta.solve.knister.value import KnisterCells, KnisterValue, copy, new_sheet, put
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Ints

CLOSE = 1.5  # points between cells that are nearly as good
TRIES = 4  # of these, to tell what a throw is worth


class KnisterWorkspace(NamedTuple):
    """Scratch; in the halving of cells is the answer, NEVER for those that are not free."""

    halving: Halving
    inner: Ints
    throws: Ints
    work: KnisterWork
    one: KnisterCells
    play: KnisterCells


def new_workspace(t: KnisterArrays) -> KnisterWorkspace:
    cells = len(t.g.count_of)
    inner, throws = np.zeros((2, cells), np.int64)
    return KnisterWorkspace(new_halving(cells), inner, throws, new_work(t), new_sheet(t), new_sheet(t))


@lean_part
def free_cells(sheet: KnisterCells, order: Ints) -> int:
    count = 0
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            order[count] = cell
            count += 1
    return count


@lean_part
def best_ahead(
    t: KnisterArrays,
    value: KnisterValue,
    sheet: KnisterCells,
    written: int,
    symbol: int,
    tries: int,
    workspace: KnisterWorkspace,
) -> tuple[int, float, float]:
    """The cell where a symbol is worth most two throws ahead, how much that is, and how much the value says.

    A few cells are tried, those that the value finds nearly as good as its best.
    """
    order, work = workspace.inner, workspace.work
    base, best = evaluate(t, value, sheet, written + 1, symbol, work)
    worth, count, tried = base + work.gain[best], free_cells(sheet, order), 1
    sort(work.gain, order, count)
    while tried < min(tries, count) and work.gain[best] - work.gain[order[tried]] <= CLOSE / value.unit:
        tried += 1
    most = NEVER
    for i in range(tried):
        copy(sheet, workspace.one)
        put(t, workspace.one, order[i], symbol)
        ahead = expected_best(t, value, workspace.one, written + 1, work)
        if ahead > most:
            best, most = order[i], ahead
    return best, most, worth


@lean_kernel
def worth_after_throw(
    t: KnisterArrays,
    value: KnisterValue,
    sheet: KnisterCells,
    written: int,
    symbol: int,
    workspace: KnisterWorkspace,
) -> float:
    return best_ahead(t, value, sheet, written, symbol, TRIES, workspace)[1] * value.unit


@lean_kernel
def worth_before_throw(
    t: KnisterArrays, value: KnisterValue, sheet: KnisterCells, written: int, workspace: KnisterWorkspace
) -> float:
    """The mean of `worth_after_throw`."""
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += t.chance[symbol] * best_ahead(t, value, sheet, written, symbol, TRIES, workspace)[1]
    return mean * value.unit


@lean_part
def roll_out(
    t: KnisterArrays,
    value: KnisterValue,
    sheet: KnisterCells,
    written: int,
    end: int,
    tries: int,
    workspace: KnisterWorkspace,
) -> float:
    """Play until so many numbers are written; by how much more the sheet is worth than expected.

    Luck is a control variate: what the value says after a throw, less its mean over throws. Without it, all that
    is left of the way from one throw to the next is how much more looking ahead says than the value does.
    """
    surprise = 0.0
    for turn in range(written, end):
        best, ahead, worth = best_ahead(t, value, sheet, turn, workspace.throws[turn], tries, workspace)
        put(t, sheet, best, workspace.throws[turn])
        surprise += (ahead - worth) * value.unit
    return surprise


@lean_kernel
def search(
    t: KnisterArrays,
    value: KnisterValue,
    sheet: KnisterCells,
    symbol: int,
    budget: Budget,
    generator: Generator,
    workspace: KnisterWorkspace,
) -> int:
    """Fill the halving for a symbol to be written; the best cell."""
    halving, work, cells = workspace.halving, workspace.work, len(sheet.free)
    worth, order = halving.worth, halving.order
    count = free_cells(sheet, order)
    written = cells - count
    base, _ = evaluate(t, value, sheet, written + 1, symbol, work)
    for cell in range(cells):
        enter(halving, cell, (base + work.gain[cell]) * value.unit if sheet.free[cell] else NEVER)
    sort(worth, order, count)
    if count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        copy(sheet, workspace.one)
        put(t, workspace.one, order[i], symbol)
        worth[order[i]] = expected_best(t, value, workspace.one, written + 1, work) * value.unit
    sort(worth, order, tried)
    halve_by_rollouts(t, value, sheet, symbol, budget, generator, workspace, min(tried, budget.played))
    cap_eliminated(halving, count)
    return order[0]


@lean_part
def halve_by_rollouts(
    t: KnisterArrays,
    value: KnisterValue,
    sheet: KnisterCells,
    symbol: int,
    budget: Budget,
    generator: Generator,
    workspace: KnisterWorkspace,
    alive: int,
) -> None:
    """Sequential halving of the first cells, all with the same throws."""
    halving, cells = workspace.halving, len(sheet.free)
    written = 1  # with the symbol
    for cell in range(cells):
        written += sheet.symbol[cell] != EMPTY
    end = min(cells, written + budget.throws)
    set_priors(halving)
    halvings = rounds(alive)
    while alive > 1:
        for _ in range(max(1, budget.games // (halvings * alive))):
            for turn in range(written, end):
                workspace.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                copy(sheet, workspace.play)
                put(t, workspace.play, halving.order[i], symbol)
                surprise = roll_out(t, value, workspace.play, written, end, budget.tries, workspace)
                record(halving, halving.order[i], surprise)
        alive = eliminate(halving, alive, budget.trust)
