"""Very many games of Knister at once: at random, or by the learned value alone."""

from __future__ import annotations

from kasta.solve.grid.geometry import Floats, Ints
from kasta.solve.knister.arrays import Tables
from kasta.solve.knister.value import Sheet, Value, clear, put, total
from kasta.solve.knister.weigh import Work, mean_of_best, weigh
from kasta.solve.lean import kernel
from kasta.solve.splitmix import Generator, below


@kernel
def play_randomly(t: Tables, sheet: Sheet, free: Ints, generator: Generator, totals: Ints) -> None:
    """Write every throw into any free cell; `free` is room for their numbers."""
    cells = len(sheet.free)
    for game in range(len(totals)):
        for line in range(len(sheet.content)):
            sheet.content[line] = 0
        for cell in range(cells):
            free[cell] = cell
        for left in range(cells, 0, -1):
            symbol, at = t.sums[below(generator, len(t.sums))], below(generator, left)
            cell = free[at]
            free[at] = free[left - 1]
            for i in range(t.g.count_of[cell]):
                line = t.g.lines_of[cell, i]
                sheet.content[line] = t.after[sheet.content[line], symbol]
        totals[game] = round(total(t, sheet))


@kernel
def play_quickly(
    t: Tables,
    value: Value,
    sheet: Sheet,
    work: Work,
    with_luck: bool,  # noqa: FBT001 - numba knows no keywords
    generator: Generator,
    totals: Ints,
    luck: Floats,
) -> None:
    """Write every throw where the value is best afterwards.

    Luck, if asked for, is by how much each throw was better than the mean throw: its own mean is 0, and a total
    less its luck spreads far less than the total.
    """
    for game in range(len(totals)):
        clear(sheet)
        for written in range(len(sheet.free)):
            symbol = t.sums[below(generator, len(t.sums))]
            if with_luck:
                luck[game] -= mean_of_best(t, value, sheet, written, work) * value.unit
            base, best = weigh(t, value, sheet, written + 1, symbol, work)
            luck[game] += (base + work.gain[best]) * value.unit
            put(t, sheet, best, symbol)
        totals[game] = round(total(t, sheet))


@kernel
def best_cell(t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, work: Work) -> int:
    return weigh(t, value, sheet, written + 1, symbol, work)[1]
