"""One step of temporal-difference learning: V of a sheet moves, and every table entry that it is a sum of with it.

Low numbers are as likely as high ones: so each entry's mirror image moves along (`reflection`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import PAIRS, Geometry
from kasta.solve.jit import lean_inline
from kasta.solve.types import Ints, Table


class ActivePairs(NamedTuple):
    """The pairs of lines that V of a sheet is made of."""

    times: Ints  # [pair]: how often it is active in a sheet; all zeros in between
    active: Ints  # the active pairs
    twins: Ints  # their mirror images


def new_active_pairs(g: Geometry, pairs: int) -> ActivePairs:
    active, twins = np.zeros((2, len(g.pairs_of) * PAIRS), np.int64)
    return ActivePairs(np.zeros(pairs, np.int64), active, twins)


# By how much V moves if every entry moves by one: those count more often that V is made of more often.


@lean_inline
def line_shares(kind_of: Ints, mirror: Ints, content: Ints, fixed: int) -> int:
    """Of the lines, but for those with the fixed content, which is not learned."""
    found = 0
    for line in range(len(content)):
        for other in range(len(content) if content[line] != fixed else 0):
            alike = content[other] == content[line] or content[other] == mirror[content[line]]
            found += alike and kind_of[other] == kind_of[line]
    return found


@lean_inline
def pair_shares(pairs: ActivePairs, used: int) -> int:
    """Of the first so many active pairs."""
    found = 0
    for i in range(used):
        pairs.times[min(pairs.active[i], pairs.twins[i])] += 1
    for i in range(used):
        found += pairs.times[min(pairs.active[i], pairs.twins[i])]
    for i in range(used):
        pairs.times[min(pairs.active[i], pairs.twins[i])] = 0
    return found


@lean_inline
def move_lines(
    table: Table, written: int, kind_of: Ints, mirror: Ints, content: Ints, fixed: int, step: float
) -> None:
    for line in range(len(content)):
        kind, own = kind_of[line], content[line]
        if own != fixed:
            table[written, kind, own] += step
            if mirror[own] != own:
                table[written, kind, mirror[own]] += step


@lean_inline
def move_pairs(table: Table, row: int, pairs: ActivePairs, used: int, step: float) -> None:
    for i in range(used):
        table[row, pairs.active[i]] += step
        if pairs.twins[i] != pairs.active[i]:
            table[row, pairs.twins[i]] += step
