"""Games of Knister that are played to their end by the value alone, many on the same throws."""

from __future__ import annotations

from kasta.solve.grid.geometry import NONE
from kasta.solve.jit import lean_kernel
from kasta.solve.knister.evaluate import KnisterPlayer, evaluate
from kasta.solve.knister.value import KnisterCells, copy, put, total
from kasta.solve.types import Floats, Ints


@lean_kernel
def play_to_the_end(
    p: KnisterPlayer,
    sheet: KnisterCells,
    one: KnisterCells,
    cell: int,
    symbol: int,
    throws: Ints,
    totals: Floats,
) -> None:
    """Fill the totals by game. The first throw is written into a cell, or for NONE where it is worth most."""
    for game in range(len(throws)):
        copy(sheet, one)
        written = len(sheet.free) - throws.shape[1] - 1
        first = cell
        if first == NONE:
            _, first = evaluate(p, one, written + 1, symbol)
        put(p.t, one, first, symbol)
        for turn in range(throws.shape[1]):
            _, best = evaluate(p, one, written + 2 + turn, throws[game, turn])
            put(p.t, one, best, throws[game, turn])
        totals[game] = total(p.t, one)
