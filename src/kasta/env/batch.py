"""Many whole games at once, of a player who takes any legal action: the measure that every other player beats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.env.coding import find_coding
from kasta.env.kernels.play import find_tables, play_out
from kasta.env.stream import WORD


def simulate(game: str, games: int, seed: int = 0, rules: str = "sheet") -> NDArray[np.int32]:
    """The totals of so many random games; game i has the dice of seed + i, as every environment has."""
    coding, tables = find_coding(game, rules), find_tables(game, rules)
    seeds = np.arange(games, dtype=np.uint64) + np.uint64(seed & WORD)
    sheet, mask = np.empty(len(coding.sizes), np.int8), np.empty(len(coding.actions), np.int8)
    totals = np.empty(games, np.int32)
    play_out(tables, seeds, sheet, np.empty(tables.notes, np.int64), mask, totals)
    return totals
