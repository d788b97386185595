"""Very many games of Knaster at once: at random, or by the learned value alone."""

from __future__ import annotations

from kasta.solve.grid.geometry import NONE, SYMBOLS, Floats, Ints
from kasta.solve.knaster.arrays import Tables
from kasta.solve.knaster.sheet import Sheet, clear, last_throw, total
from kasta.solve.knaster.value import Value, Work, act, circle_gain, last_value, mean_of_best, weigh
from kasta.solve.lean import kernel
from kasta.solve.splitmix import Generator, below


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
    """Do with every throw what the value likes best afterwards.

    Luck, if asked for, is by how much each throw was better than the mean throw: its own mean is 0, and a total
    less its luck spreads far less than the total.
    """
    for game in range(len(totals)):
        clear(sheet)
        while sheet.written[0] < len(sheet.symbol):
            symbol = t.sums[below(generator, len(t.sums))]
            if with_luck:
                luck[game] -= mean_of_best(t, value, sheet, work) * value.unit
            best = weigh(t, value, sheet, symbol, work)
            luck[game] += work.worth[best] * value.unit
            act(t, value, sheet, best, symbol, work)
        luck[game] -= last_value(t, sheet, work.best) + sheet.circles[0]
        last_throw(t, sheet, t.sums[below(generator, len(t.sums))])
        points = total(t, sheet)
        luck[game] += points
        totals[game] = round(points)


@kernel
def best_action(t: Tables, value: Value, sheet: Sheet, symbol: int, work: Work) -> int:
    return weigh(t, value, sheet, symbol, work)


@kernel
def best_circle(t: Tables, value: Value, sheet: Sheet, line: int, work: Work) -> int:
    """The cell of a line whose circle alone gains most."""
    best = NONE
    for place in range(t.g.cells_of.shape[1]):
        cell = t.g.cells_of[line, place]
        if sheet.symbol[cell] < SYMBOLS:
            work.gain[cell] = circle_gain(t, value, sheet, cell, work)
            if best == NONE or work.gain[cell] > work.gain[best]:
                best = cell
    return best
