"""Looking ahead in Knister: a few throws by the value, many games to the end by chance, the last cells exactly.

All budgets are counted, never timed, so that a seed gives the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.budget import NEVER, Budget, rounds, sort
from kasta.solve.chance import Generator, below
from kasta.solve.knister_tables import Tables
from kasta.solve.knister_value import (
    Sheet,
    Value,
    Work,
    copy,
    mean_of_best,
    new_sheet,
    new_work,
    put,
    total,
    weigh,
)
from kasta.solve.lean import kernel, routine
from kasta.solve.lines import EMPTY, SYMBOLS, Floats, Ints


class Room(NamedTuple):
    """Arrays to work with; `worth`, `games` and `squares` are the answer."""

    worth: Floats  # [cell]: expected total, NEVER if the cell is not free
    games: Ints  # [cell]: how many were played to the end
    squares: Floats  # [cell]: the sum of their squared differences to what was expected before
    sums: Floats  # [cell]
    prior: Floats  # [cell]
    order: Ints
    inner: Ints
    throws: Ints
    work: Work
    one: Sheet
    two: Sheet
    play: Sheet


def new_room(t: Tables) -> Room:
    cells = len(t.g.count_of)
    floats = [np.zeros(cells) for _ in range(5)]
    ints = [np.zeros(cells, np.int64) for _ in range(4)]
    sheets = [new_sheet(t) for _ in range(3)]
    return Room(
        floats[0], ints[0], floats[1], floats[2], floats[3], ints[1], ints[2], ints[3], new_work(t), *sheets
    )


@routine
def free_cells(sheet: Sheet, order: Ints) -> int:
    count = 0
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            order[count] = cell
            count += 1
    return count


@routine
def mean_ahead(t: Tables, value: Value, sheet: Sheet, written: int, tries: int, room: Room) -> float:
    """V two throws ahead, over all throws, with the best few cells tried for the first; in the table's units."""
    if written + 1 >= len(sheet.free):
        return mean_of_best(t, value, sheet, written, room.work)
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        weigh(t, value, sheet, written + 1, symbol, room.work)
        count = free_cells(sheet, room.inner)
        sort(room.work.gain, room.inner, count)
        best = NEVER
        for i in range(min(tries, count)):
            copy(sheet, room.two)
            put(t, room.two, room.inner[i], symbol)
            best = max(best, mean_of_best(t, value, room.two, written + 1, room.work))
        mean += t.chance[symbol] * best
    return mean


@routine
def play_on(t: Tables, value: Value, sheet: Sheet, written: int, throws: Ints, work: Work) -> float:
    """The total of a game played on by the value alone."""
    for turn in range(written, len(sheet.free)):
        _, best = weigh(t, value, sheet, turn + 1, throws[turn], work)
        put(t, sheet, best, throws[turn])
    return total(t, sheet)


@kernel
def search(
    t: Tables, value: Value, sheet: Sheet, symbol: int, budget: Budget, generator: Generator, room: Room
) -> int:
    """Fill the room's answers for a symbol to be written; the best cell."""
    worth, order, work, cells = room.worth, room.order, room.work, len(sheet.free)
    count = free_cells(sheet, order)
    written = cells - count
    base, _ = weigh(t, value, sheet, written + 1, symbol, work)
    for cell in range(cells):
        worth[cell] = (base + work.gain[cell]) * value.unit if sheet.free[cell] else NEVER
        room.games[cell], room.sums[cell], room.squares[cell] = 0, 0.0, 0.0
    sort(worth, order, count)
    if count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        copy(sheet, room.one)
        put(t, room.one, order[i], symbol)
        worth[order[i]] = mean_of_best(t, value, room.one, written + 1, work) * value.unit
    sort(worth, order, tried)
    tried = min(tried, budget.second)
    for i in range(tried):
        copy(sheet, room.one)
        put(t, room.one, order[i], symbol)
        worth[order[i]] = mean_ahead(t, value, room.one, written + 1, budget.inner, room) * value.unit
    sort(worth, order, tried)
    play_out(t, value, sheet, symbol, budget, generator, room, min(count, budget.played))
    return order[0]


@routine
def play_out(
    t: Tables,
    value: Value,
    sheet: Sheet,
    symbol: int,
    budget: Budget,
    generator: Generator,
    room: Room,
    alive: int,
) -> None:
    """Play games for the first cells, all with the same throws; half of the cells drop out each round."""
    order, cells = room.order, len(sheet.free)
    written = 0
    for cell in range(cells):
        written += sheet.symbol[cell] != EMPTY
        room.prior[cell] = room.worth[cell]
    halvings = rounds(alive)
    for _ in range(halvings):
        for _ in range(max(1, budget.games // (halvings * alive))):
            for turn in range(written + 1, cells):
                room.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                cell = order[i]
                copy(sheet, room.play)
                put(t, room.play, cell, symbol)
                surprise = play_on(t, value, room.play, written + 1, room.throws, room.work) - room.prior[cell]
                room.games[cell] += 1
                room.sums[cell] += surprise
                room.squares[cell] += surprise**2
        for i in range(alive):
            cell = order[i]
            room.worth[cell] = room.prior[cell] + room.sums[cell] / (room.games[cell] + budget.trust)
        sort(room.worth, order, alive)
        alive = (alive + 1) // 2
