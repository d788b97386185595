"""Where Knaster's value starts, before it has learned anything."""

from __future__ import annotations

import numpy as np

from kasta.solve.grid.geometry import SYMBOLS
from kasta.solve.knaster.arrays import KnasterArrays
from kasta.solve.knaster.value import WRITTEN_A_STAGE, KnasterValue, pairs_count

TURNS = 1.7  # throws that an optimist hopes for, for each free cell
HOPE = 0.75  # of a free cell's being circled in the end
SHARE = 0.6  # of hoped-for circles that count


def new_value(t: KnasterArrays, contents: list[tuple[int, ...]]) -> KnasterValue:
    """Where learning starts: each line as if it had its numbers for itself, rather too good than too bad."""
    cells, kinds = len(t.g.count_of), int(t.g.kind_of.max()) + 1
    lines = np.zeros((cells, kinds, len(contents)), np.float32)
    counts = np.zeros((cells, SYMBOLS, cells + 2), np.float32)
    printed = np.zeros(kinds)
    printed[t.g.kind_of] = t.printed
    symbols = np.full(
        (len(contents), t.g.cells_of.shape[1]), 2 * SYMBOLS - 2
    )  # a circled cell, where there is none
    for number, content in enumerate(contents):
        symbols[number, : len(content)] = content
    for written in range(cells):
        throws = TURNS * (cells - written) + 1
        comes = 1 - (1 - t.chance) ** throws
        chance = np.concatenate([[HOPE], comes[1:], np.ones(SYMBOLS - 1)])
        lines[written] = np.outer(printed, chance[symbols].prod(axis=1))
        counts[written] = SHARE * np.minimum(np.arange(cells + 2), throws * t.chance[:, None])
    waiting_sets = np.zeros((cells, 1 << (SYMBOLS - 1)), np.float32)
    pairs = np.zeros((1 + (cells - 1) // WRITTEN_A_STAGE, pairs_count(t)), np.float32)
    return KnasterValue(lines, counts, waiting_sets, pairs, 1.0)
