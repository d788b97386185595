"""Very many games of Knister at once, by the learned value alone."""

from __future__ import annotations

from kasta.solve.jit import lean_kernel
from kasta.solve.knister.evaluate import KnisterPlayer, evaluate, expected_best
from kasta.solve.knister.value import KnisterCells, clear, put, total
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats, Ints


@lean_kernel
def play_quickly(
    p: KnisterPlayer,
    sheet: KnisterCells,
    with_luck: bool,  # noqa: FBT001 - numba knows no keywords
    generator: Generator,
    totals: Ints,
    luck: Floats,
) -> None:
    """Write every throw where the afterstate value is best; luck, if wanted, as in `Estimates.luck`."""
    t, value, work = p
    for game in range(len(totals)):
        clear(sheet)
        for written in range(len(sheet.free)):
            symbol = t.sums[below(generator, len(t.sums))]
            if with_luck:
                luck[game] -= expected_best(p, sheet, written) * value.unit
            base, best = evaluate(p, sheet, written + 1, symbol)
            luck[game] += (base + work.gain[best]) * value.unit
            put(t, sheet, best, symbol)
        totals[game] = round(total(t, sheet))


@lean_kernel
def best_cell(p: KnisterPlayer, sheet: KnisterCells, written: int, symbol: int) -> int:
    return evaluate(p, sheet, written + 1, symbol)[1]
