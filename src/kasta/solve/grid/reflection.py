"""Low numbers for high ones: a sheet's mirror image is worth the same, so half of what was learned says it all."""

from __future__ import annotations

import numpy as np

from kasta.solve.grid.geometry import EMPTY, ON_DIAGONAL, SYMBOLS, WITH_DIAGONAL, pair, pairs_count
from kasta.solve.jit import lean_kernel
from kasta.solve.types import Ints, Table


def mirrored(symbol: int) -> int:
    """The highest number for the lowest, and so on: it is thrown as often, and makes the same hands."""
    return SYMBOLS - symbol if symbol != EMPTY else EMPTY


def twins_of_pairs(mirror: Ints) -> Ints:
    """The mirror image of every pair of lines, by those of contents."""
    twins = np.zeros(pairs_count(len(mirror)), np.int64)
    fill_twins(mirror, twins)
    return twins


@lean_kernel
def fill_twins(mirror: Ints, twins: Ints) -> None:
    contents = len(mirror)
    for own in range(contents):
        for other in range(own + 1):
            for kind in range(ON_DIAGONAL + 1):
                twins[pair(contents, kind, own, other)] = pair(contents, kind, mirror[own], mirror[other])
        for other in range(contents):
            twin = pair(contents, WITH_DIAGONAL, mirror[own], mirror[other])
            twins[pair(contents, WITH_DIAGONAL, own, other)] = twin


@lean_kernel
def halve(table: Table, twins: Ints) -> None:
    """Clear what the mirror image says as well."""
    for row in range(len(table)):
        for entry in range(len(twins)):
            if twins[entry] < entry:
                table[row, entry] = 0


@lean_kernel
def reflect(table: Table, twins: Ints) -> None:
    """Fill what was cleared."""
    for row in range(len(table)):
        for entry in range(len(twins)):
            if twins[entry] < entry:
                table[row, entry] = table[row, twins[entry]]
