"""Very many games of Knaster at once, by the learned value alone."""

from __future__ import annotations

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.jit import lean_kernel
from kasta.solve.knaster.arrays import KnasterArrays
from kasta.solve.knaster.sheet import KnasterCells, clear, last_throw, total
from kasta.solve.knaster.value import (
    KnasterValue,
    KnasterWork,
    act,
    circle_gain,
    evaluate,
    expected_best,
    last_value,
)
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats, Ints


@lean_kernel
def play_quickly(
    t: KnasterArrays,
    value: KnasterValue,
    sheet: KnasterCells,
    work: KnasterWork,
    with_luck: bool,  # noqa: FBT001 - numba knows no keywords
    generator: Generator,
    totals: Ints,
    luck: Floats,
) -> None:
    """Do with every throw what has the best afterstate value; luck, if wanted, as in `Estimates.luck`."""
    for game in range(len(totals)):
        clear(sheet)
        while sheet.written[0] < len(sheet.symbol):
            symbol = t.sums[below(generator, len(t.sums))]
            if with_luck:
                luck[game] -= expected_best(t, value, sheet, work) * value.unit
            best = evaluate(t, value, sheet, symbol, work)
            luck[game] += work.worth[best] * value.unit
            act(t, value, sheet, best, symbol, work)
        luck[game] -= last_value(t, sheet, work.best) + sheet.circles[0]
        last_throw(t, sheet, t.sums[below(generator, len(t.sums))])
        points = total(t, sheet)
        luck[game] += points
        totals[game] = round(points)


@lean_kernel
def best_action(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, symbol: int, work: KnasterWork) -> int:
    return evaluate(t, value, sheet, symbol, work)


@lean_kernel
def best_circle(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, line: int, work: KnasterWork) -> int:
    """The cell of a line whose circle alone gains most."""
    best = NONE
    for place in range(t.g.cells_of.shape[1]):
        cell = t.g.cells_of[line, place]
        if sheet.symbol[cell] < SYMBOLS:
            work.gain[cell] = circle_gain(t, value, sheet, cell, work)
            if best == NONE or work.gain[cell] > work.gain[best]:
                best = cell
    return best
