"""Players of Knister: by the learned value alone, very many games at once, and by search.

Search looks two throws ahead by the value, further by rollouts, and at the last cells exactly.

All budgets are counted, never timed, so that a seed gives the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import SYMBOLS
from kasta.solve.grid.halving import (
    NEVER,
    Budget,
    Halving,
    cap_eliminated,
    eliminate,
    enter,
    new_halving,
    record,
    sort,
    start,
)
from kasta.solve.jit import lean_inline, lean_kernel, lean_part
from kasta.solve.knister.evaluate import KnisterPlayer, evaluate, expected_best
from kasta.solve.knister.value import KnisterCells, clear, copy, new_sheet, put, total, value_of
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats, Ints

CLOSE = 1.5  # points between cells that are nearly as good
TRIES = 4  # of these, to tell what a throw is worth
CLEARLY = 1.0  # points that one value must say more than the other, to be believed instead


class KnisterSearch(NamedTuple):
    """A player, and scratch; in the halving of cells is the answer, NEVER for those that are not free."""

    player: KnisterPlayer
    halving: Halving
    inner: Ints
    throws: Ints
    one: KnisterCells
    play: KnisterCells


def new_search(player: KnisterPlayer) -> KnisterSearch:
    cells = len(player.t.g.count_of)
    inner, throws = np.zeros((2, cells), np.int64)
    return KnisterSearch(player, new_halving(cells), inner, throws, new_sheet(player.t), new_sheet(player.t))


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
    s: KnisterSearch, sheet: KnisterCells, written: int, symbol: int, tries: int
) -> tuple[int, float, float]:
    """The cell where a symbol is worth most two throws ahead, how much that is, and how much the value says.

    A few cells are tried, those that the value finds nearly as good as its best.
    """
    (t, value, work), order = s.player, s.inner
    base, best = evaluate(s.player, sheet, written + 1, symbol)
    worth, count, tried = base + work.gain[best], free_cells(sheet, order), 1
    sort(work.gain, order, count)
    while tried < min(tries, count) and work.gain[best] - work.gain[order[tried]] <= CLOSE / value.unit:
        tried += 1
    most = NEVER
    for i in range(tried):
        copy(sheet, s.one)
        put(t, s.one, order[i], symbol)
        ahead = expected_best(s.player, s.one, written + 1)
        if ahead > most:
            best, most = order[i], ahead
    return best, most, worth


@lean_kernel
def worth_after_throw(s: KnisterSearch, sheet: KnisterCells, written: int, symbol: int) -> float:
    return best_ahead(s, sheet, written, symbol, TRIES)[1] * s.player.value.unit


@lean_kernel
def worth_before_throw(s: KnisterSearch, sheet: KnisterCells, written: int) -> float:
    """The mean of `worth_after_throw`."""
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += s.player.t.chance[symbol] * best_ahead(s, sheet, written, symbol, TRIES)[1]
    return mean * s.player.value.unit


@lean_part
def roll_out(s: KnisterSearch, sheet: KnisterCells, written: int, end: int, tries: int) -> float:
    """Play until so many numbers are written; by how much more the sheet is worth than expected.

    Luck is a control variate: what the value says after a throw, less its mean over throws. Without it, all that
    is left of the way from one throw to the next is how much more looking ahead says than the value does.
    """
    surprise = 0.0
    for turn in range(written, end):
        best, ahead, worth = best_ahead(s, sheet, turn, s.throws[turn], tries)
        put(s.player.t, sheet, best, s.throws[turn])
        surprise += (ahead - worth) * s.player.value.unit
    return surprise


@lean_kernel
def search(s: KnisterSearch, sheet: KnisterCells, symbol: int, budget: Budget, generator: Generator) -> int:
    """Fill the halving for a symbol to be written; the best cell."""
    (t, value, work), halving = s.player, s.halving
    worth, order = halving.worth, halving.order
    count = free_cells(sheet, order)
    written = len(sheet.free) - count
    base, _ = evaluate(s.player, sheet, written + 1, symbol)
    for cell in range(len(sheet.free)):
        enter(halving, cell, (base + work.gain[cell]) * value.unit if sheet.free[cell] else NEVER)
    sort(worth, order, count)
    if count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        copy(sheet, s.one)
        put(t, s.one, order[i], symbol)
        worth[order[i]] = expected_best(s.player, s.one, written + 1) * value.unit
    sort(worth, order, tried)
    halve_by_rollouts(s, sheet, symbol, written + 1, budget, generator)
    cap_eliminated(halving, count)
    return order[0]


@lean_part
def halve_by_rollouts(
    s: KnisterSearch, sheet: KnisterCells, symbol: int, written: int, budget: Budget, generator: Generator
) -> None:
    """Sequential halving of the first cells, all with the same throws; so many numbers are written in each."""
    halving, t = s.halving, s.player.t
    end = min(len(sheet.free), written + budget.throws)
    alive, games = start(halving, len(sheet.free) + 1 - written, budget)
    while alive > 1:
        for _ in range(max(1, games // alive)):
            for turn in range(written, end):
                s.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                copy(sheet, s.play)
                put(t, s.play, halving.order[i], symbol)
                record(halving, halving.order[i], roll_out(s, s.play, written, end, budget.tries))
        alive = eliminate(halving, alive, budget.trust)


@lean_inline
def is_higher(other: KnisterPlayer, usual: KnisterPlayer, sheet: KnisterCells, written: int) -> bool:
    """Whether a sheet is worth clearly more by the values of one player than by those of another."""
    more = value_of(other.t, other.value, sheet, written) - value_of(usual.t, usual.value, sheet, written)
    return bool(more * usual.value.unit > CLEARLY)


@lean_kernel
def play_quickly(
    usual: KnisterPlayer,
    other: KnisterPlayer,
    sheet: KnisterCells,
    with_luck: bool,  # noqa: FBT001 - numba knows no keywords
    generator: Generator,
    totals: Ints,
    luck: Floats,
) -> None:
    """Write every throw where the afterstate value is best; luck, if wanted, as in `Estimates.luck`."""
    t, value = usual.t, usual.value
    for game in range(len(totals)):
        clear(sheet)
        for written in range(len(sheet.free)):
            symbol = t.sums[below(generator, len(t.sums))]
            p = other if is_higher(other, usual, sheet, written) else usual
            if with_luck:
                luck[game] -= expected_best(p, sheet, written) * value.unit
            base, best = evaluate(p, sheet, written + 1, symbol)
            luck[game] += (base + p.work.gain[best]) * value.unit
            put(t, sheet, best, symbol)
        totals[game] = round(total(t, sheet))


@lean_kernel
def says_more(other: KnisterPlayer, usual: KnisterPlayer, sheet: KnisterCells, written: int) -> bool:
    return is_higher(other, usual, sheet, written)


@lean_kernel
def best_cell(p: KnisterPlayer, sheet: KnisterCells, written: int, symbol: int) -> int:
    return evaluate(p, sheet, written + 1, symbol)[1]
