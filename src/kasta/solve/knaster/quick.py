"""Very many games of Knaster at once, by the learned value alone."""

from __future__ import annotations

from kasta.solve.jit import lean_kernel
from kasta.solve.knaster import value as values
from kasta.solve.knaster.sheet import KnasterCells, clear, last_throw, total
from kasta.solve.knaster.value import KnasterPlayer, act, evaluate, expected_best, last_value
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats, Ints


@lean_kernel
def play_quickly(
    p: KnasterPlayer,
    sheet: KnasterCells,
    with_luck: bool,  # noqa: FBT001 - numba knows no keywords
    generator: Generator,
    totals: Ints,
    luck: Floats,
) -> None:
    """Do with every throw what has the best afterstate value; luck, if wanted, as in `Estimates.luck`."""
    t, value, work = p
    for game in range(len(totals)):
        clear(sheet)
        while sheet.written[0] < len(sheet.symbol):
            symbol = t.sums[below(generator, len(t.sums))]
            if with_luck:
                luck[game] -= expected_best(p, sheet) * value.unit
            best = evaluate(p, sheet, symbol)
            luck[game] += work.worth[best] * value.unit
            act(p, sheet, best, symbol)
        luck[game] -= last_value(p, sheet) + sheet.circles[0]
        last_throw(t, sheet, t.sums[below(generator, len(t.sums))])
        points = total(t, sheet)
        luck[game] += points
        totals[game] = round(points)


@lean_kernel
def best_action(p: KnasterPlayer, sheet: KnasterCells, symbol: int) -> int:
    return evaluate(p, sheet, symbol)


@lean_kernel
def best_circle(p: KnasterPlayer, sheet: KnasterCells, line: int) -> int:
    """The cell of a line whose circle alone gains most."""
    return values.best_circle(p, sheet, line, True)  # noqa: FBT003
