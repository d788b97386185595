"""Players of Knaster: by the learned value alone, very many games at once, and by search.

Search looks two throws ahead by the value, further by rollouts.

A *choice* is all that is done with one throw: a number written or not, and the set of cells that get circles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.grid.halving import (
    NEVER,
    Budget,
    Halving,
    cap_eliminated,
    eliminate,
    enter,
    new_halving,
    record,
    sort,
    start,
)
from kasta.solve.jit import lean_inline, lean_kernel, lean_part
from kasta.solve.knaster import value as values
from kasta.solve.knaster.sheet import KnasterCells, circle, clear, copy, last_throw, new_sheet, total, write
from kasta.solve.knaster.value import KnasterPlayer, act, evaluate, expected_best, last_value, value_of
from kasta.solve.splitmix_kernels import Generator, below, deal
from kasta.solve.types import Floats, Ints

TRIES = 4  # actions, to tell what a throw is worth


class Choices(NamedTuple):
    """What may be done with a throw, and how it fared."""

    cell: Ints  # [choice]: written into, NONE if nothing is written
    circles: Ints  # [choice]: a mask of cells
    halving: Halving


class KnasterSearch(NamedTuple):
    """A player, and scratch."""

    player: KnasterPlayer
    throws: Ints
    decks: Ints  # [throw, card]
    actions: Ints
    one: KnasterCells


def new_search(player: KnasterPlayer) -> KnasterSearch:
    most = 2 * len(player.t.g.count_of) + 1  # throws: every one but the last writes or circles
    throws, actions = np.zeros((2, most), np.int64)
    return KnasterSearch(
        player, throws, np.zeros((most, len(player.t.sums)), np.int64), actions, new_sheet(player.t)
    )


def new_choices(cells: list[int], circles: list[int]) -> Choices:
    return Choices(np.array(cells, np.int64), np.array(circles, np.int64), new_halving(len(cells)))


@lean_inline
def choose(s: KnasterSearch, sheet: KnasterCells, symbol: int, choices: Choices, choice: int) -> None:
    """Make `one` the sheet after a choice."""
    t = s.player.t
    copy(sheet, s.one)
    if choices.cell[choice] != NONE:
        write(t, s.one, choices.cell[choice], symbol, s.player.work.owed)
    for cell in range(len(sheet.symbol)):
        if choices.circles[choice] >> cell & 1:
            circle(t, s.one, cell)


@lean_inline
def worth_ahead(s: KnasterSearch) -> float:
    """What `one` is worth before the next throw, in points."""
    return expected_best(s.player, s.one) * s.player.value.unit + s.one.circles[0]


@lean_inline
def worth_now(p: KnasterPlayer, sheet: KnasterCells) -> float:
    """What a sheet is worth by the value alone, in points."""
    return value_of(p, sheet, sheet.written[0]) * p.value.unit + sheet.circles[0]


@lean_part
def best_ahead(s: KnasterSearch, sheet: KnasterCells, symbol: int) -> float:
    """What a throw is worth two throws ahead, in points: of a few actions that the value likes, the best."""
    worth, actions, count = s.player.work.worth, s.actions, 0
    evaluate(s.player, sheet, symbol)
    for action in range(len(worth)):
        if worth[action] != NEVER:
            actions[count] = action
            count += 1
    sort(worth, actions, count)
    most = NEVER
    for i in range(min(TRIES, count)):
        copy(sheet, s.one)
        act(s.player, s.one, actions[i], symbol)
        most = max(most, worth_ahead(s))
    return most


@lean_kernel
def worth_after_throw(s: KnasterSearch, sheet: KnasterCells, symbol: int) -> float:
    return best_ahead(s, sheet, symbol)


@lean_kernel
def worth_before_throw(s: KnasterSearch, sheet: KnasterCells) -> float:
    """The mean of `worth_after_throw`."""
    if sheet.written[0] == len(sheet.symbol):
        return last_value(s.player, sheet) + sheet.circles[0]
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += s.player.t.chance[symbol] * best_ahead(s, sheet, symbol)
    return mean


@lean_part
def roll_out(p: KnasterPlayer, sheet: KnasterCells, most: int, throws: Ints) -> float:
    """Play so many throws by the value alone, or to the end; what the sheet is worth then, or its total."""
    for turn in range(most):
        if sheet.written[0] == len(sheet.symbol):
            last_throw(p.t, sheet, throws[turn])
            return total(p.t, sheet)
        act(p, sheet, evaluate(p, sheet, throws[turn]), throws[turn])
    return worth_now(p, sheet)


@lean_kernel
def search(
    s: KnasterSearch,
    sheet: KnasterCells,
    symbol: int,
    last: bool,  # noqa: FBT001
    choices: Choices,
    budget: Budget,
    generator: Generator,
) -> int:
    """Fill the halving of all choices, of which those of the last throw are final; the best one."""
    halving, worth, order = choices.halving, choices.halving.worth, choices.halving.order
    count = len(worth)
    for i in range(count):
        order[i] = i
        choose(s, sheet, symbol, choices, i)
        enter(halving, i, total(s.player.t, s.one) if last else worth_now(s.player, s.one))
    sort(worth, order, count)
    if last or count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        choose(s, sheet, symbol, choices, order[i])
        worth[order[i]] = worth_ahead(s)
    sort(worth, order, tried)
    halve_by_rollouts(s, sheet, symbol, choices, budget, generator)
    cap_eliminated(halving, count)
    return order[0]


@lean_part
def halve_by_rollouts(
    s: KnasterSearch, sheet: KnasterCells, symbol: int, choices: Choices, budget: Budget, generator: Generator
) -> None:
    """Sequential halving of the first choices, all with the same throws."""
    halving, throws = choices.halving, min(len(s.throws), budget.throws)
    alive, games = start(halving, len(halving.worth), budget)
    while alive > 1:
        for _ in range(max(1, games // alive)):
            deal(s.player.t.sums, s.decks, halving.games[halving.order[0]], s.throws, throws, generator)
            for i in range(alive):
                choice = halving.order[i]
                choose(s, sheet, symbol, choices, choice)
                came_to = roll_out(s.player, s.one, throws, s.throws)
                record(halving, choice, came_to - halving.prior[choice])
        alive = eliminate(halving, alive, budget.trust)


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
