"""Many whole games at once, of a player who takes any legal action: the measure that every other player beats."""

from __future__ import annotations

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from numpy.typing import NDArray

from kasta.env.bounds import find_bounds
from kasta.env.coding import find_coding
from kasta.env.kernels.play import find_tables, play_out
from kasta.solve.splitmix import WORD


def simulate(game: str, games: int, seed: int = 0, rules: str | None = None) -> NDArray[np.int32]:
    """The totals of so many games; game i has the dice of seed + i, as every environment has."""
    totals, _ = _play_out(game, rules, np.arange(games, dtype=np.uint64) + np.uint64(seed & WORD))
    return totals


def actions_of(game: str, seed: int, rules: str | None = None) -> tuple[int, NDArray[np.int16]]:
    """The game of one seed, to look at: its total, and its actions by their numbers."""
    totals, trace = _play_out(game, rules, np.array([seed & WORD], np.uint64))
    return int(totals[0]), trace[trace >= 0]


def _play_out(
    game: str, rules: str | None, seeds: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    coding, tables = find_coding(game, rules), find_tables(game, rules)
    sheet, mask = np.empty(len(coding.sizes), np.int8), np.empty(len(coding.actions), np.int8)
    notes, trace = np.empty(tables.notes, np.int64), np.full(find_bounds(game, rules).actions, -1, np.int16)
    totals = np.empty(len(seeds), np.int32)
    play_out(tables, seeds, sheet, notes, mask, totals, trace)
    return totals, trace
