"""One line of a Knister sheet that plays for itself: it takes the throws that it likes, and pays for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.knister.arrays import KnisterArrays
from kasta.solve.knister.bound_offers import (
    CENTRE,
    CENTRE_OF_DIAGONAL,
    CROSSED,
    NEVER,
    OF_DIAGONAL,
    PLAIN,
    equal_numbers,
)
from kasta.solve.types import Floats, Ints


class Sort(NamedTuple):
    """Lines that are alike. Some of their cells are marked: rows' and columns' on diagonals, diagonals' centre."""

    lines: int
    kind: int
    marked: int
    place: int
    marked_place: int


class Market(NamedTuple):
    """What a line pays, and what it is worth and takes."""

    free: Ints  # [content]
    equal: Ints  # [content, symbol]: how many numbers are equal
    price: Floats  # [turn, symbol, equal numbers]
    marked_price: Floats  # the same, for a marked cell
    worth: Floats  # [turn, marked cells that are free, content]
    mass: Floats  # [marked cells that are free, content]: how likely the line is in that state
    later: Floats  # the same, a turn later
    taken: Floats  # [turn, symbol, equal numbers]: how likely that throw comes and is taken unmarked
    marked_taken: Floats  # the same, in a marked cell


@lean_inline
def compare(
    t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int
) -> tuple[float, float, int]:
    """What leaving a throw is worth, what taking it, and which cell to take it in: unmarked (1) or marked (2)."""
    left, equal = m.free[content], m.equal[content, symbol]
    leave, take, what = NEVER, NEVER, 1
    if left < len(m.price) - turn:
        leave = m.worth[turn + 1, marked, content]
    if left > marked:
        take = m.worth[turn + 1, marked, t.after[content, symbol]] - m.price[turn, symbol, equal]
    if marked > 0:
        worth = m.worth[turn + 1, marked - 1, t.after[content, symbol]] - m.marked_price[turn, symbol, equal]
        if worth > take:
            take, what = worth, 2
    return leave, take, what


@lean_inline
def choose(t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int) -> tuple[float, int]:
    """The best of leaving a throw (0), taking it (1) or taking it in a marked cell (2), and its worth."""
    leave, take, what = compare(t, m, turn, marked, content, symbol)
    if take > leave:
        return take, what
    return leave, 0


@lean_inline
def hope(t: KnisterArrays, m: Market, turn: int, marked: int, content: int, symbol: int, softness: float) -> float:
    """What a line hopes for with a throw: somewhat more than the best of leaving and taking, if both are close."""
    leave, take, _ = compare(t, m, turn, marked, content, symbol)
    best, worst = max(leave, take), min(leave, take)
    if softness > 0:
        best += softness * np.log(1 + np.exp((worst - best) / softness))
    return best


@lean_inline
def look_ahead(t: KnisterArrays, m: Market, kind: int, softness: float) -> None:
    turns, states, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    for content in range(contents):
        m.worth[turns, 0, content] = t.score[kind, content]
    for turn in range(turns - 1, -1, -1):
        for marked in range(states):
            for content in range(contents):
                if marked <= m.free[content] <= turns - turn:
                    mean = 0.0
                    for symbol in range(1, SYMBOLS):
                        mean += t.chance[symbol] * hope(t, m, turn, marked, content, symbol, softness)
                    m.worth[turn, marked, content] = mean


@lean_kernel
def hope_alone(t: KnisterArrays, m: Market, kind: int, softness: float) -> None:
    """Fill what a line hopes for before each throw."""
    look_ahead(t, m, kind, softness)


@lean_kernel
def play_alone(t: KnisterArrays, m: Market, kind: int) -> float:
    """What the best player of one line makes, after paying; fills what it takes."""
    look_ahead(t, m, kind, 0.0)
    return follow(t, m)


@lean_inline
def follow(t: KnisterArrays, m: Market) -> float:
    """Fill what the best player of a line takes, from the empty line on; what it makes."""
    turns, states, contents = len(m.price), m.worth.shape[1], m.worth.shape[2]
    m.mass[:] = 0.0
    m.mass[states - 1, 0] = 1.0
    m.taken[:] = 0.0
    m.marked_taken[:] = 0.0
    for turn in range(turns):
        m.later[:] = 0.0
        for marked in range(states):
            for content in range(contents):
                if m.mass[marked, content] == 0.0:
                    continue
                for symbol in range(1, SYMBOLS):
                    chance = m.mass[marked, content] * t.chance[symbol]
                    what = choose(t, m, turn, marked, content, symbol)[1]
                    if what == 0:
                        m.later[marked, content] += chance
                    else:
                        m.later[marked - (what == 2), t.after[content, symbol]] += chance  # noqa: PLR2004
                        m.taken[turn, symbol, m.equal[content, symbol]] += chance * (what == 1)
                        m.marked_taken[turn, symbol, m.equal[content, symbol]] += chance * (what == 2)  # noqa: PLR2004
        for marked in range(states):
            for content in range(contents):
                m.mass[marked, content] = m.later[marked, content]
    return m.worth[0, states - 1, 0]


def sorts(t: KnisterArrays) -> list[Sort]:
    lines = len(t.g.kind_of)
    diagonals = range(lines - 2, lines)
    found: dict[tuple[int, int, int, int], int] = {}
    for line, cells in enumerate(t.g.cells_of):
        on = [sum(int(t.g.place_of[d, cell] != NONE) for d in diagonals) for cell in cells]
        if line in diagonals:
            key = (int(t.g.kind_of[line]), on.count(2), OF_DIAGONAL, CENTRE_OF_DIAGONAL)
        else:
            key = (int(t.g.kind_of[line]), len(on) - on.count(0), PLAIN, CENTRE if 2 in on else CROSSED)  # noqa: PLR2004
        found[key] = found.get(key, 0) + 1
    return [Sort(count, *key) for key, count in found.items()]


def new_market(t: KnisterArrays, sort: Sort) -> Market:
    turns, contents, states = len(t.g.count_of), len(t.after), sort.marked + 1
    taken = np.zeros((turns, SYMBOLS, t.g.cells_of.shape[1]))
    return Market(
        free_cells(t),
        equal_numbers(t),
        taken.copy(),
        taken.copy(),
        np.zeros((turns + 1, states, contents)),
        np.zeros((states, contents)),
        np.zeros((states, contents)),
        taken,
        taken.copy(),
    )


def free_cells(t: KnisterArrays) -> Ints:
    """How many cells of each content are free."""
    free = np.zeros(len(t.after), np.int64)
    for content in range(len(t.after) - 1, -1, -1):
        if t.others[content] != NONE:
            free[content] = free[t.after[content, 1]] + 1
    return free
