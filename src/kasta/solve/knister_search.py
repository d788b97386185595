"""Looking ahead in Knister: two throws by the value, some more by playing on very often, the last cells exactly.

All budgets are counted, never timed, so that a seed gives the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.budget import NEVER, Budget, level, rounds, sort
from kasta.solve.chance import Generator, below
from kasta.solve.knister_tables import Tables
from kasta.solve.knister_value import Sheet, Value, copy, new_sheet, put
from kasta.solve.knister_weigh import Work, mean_of_best, new_work, weigh
from kasta.solve.lean import kernel, routine
from kasta.solve.lines import EMPTY, Floats, Ints

CLOSE = 0.5  # points between cells that are nearly as good


class Room(NamedTuple):
    """Arrays to work with; `worth`, `games` and `squares` are the answer."""

    worth: Floats  # [cell]: expected total, NEVER if the cell is not free
    games: Ints  # [cell]: how many were played on
    squares: Floats  # [cell]: the sum of their squared differences to what was expected before
    sums: Floats  # [cell]
    prior: Floats  # [cell]
    order: Ints
    inner: Ints
    throws: Ints
    work: Work
    one: Sheet
    play: Sheet


def new_room(t: Tables) -> Room:
    cells = len(t.g.count_of)
    worth, squares, sums, prior = np.zeros((4, cells))
    games, order, inner, throws = np.zeros((4, cells), np.int64)
    sheets = new_sheet(t), new_sheet(t)
    return Room(worth, games, squares, sums, prior, order, inner, throws, new_work(t), *sheets)


@routine
def free_cells(sheet: Sheet, order: Ints) -> int:
    count = 0
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            order[count] = cell
            count += 1
    return count


@routine
def look_ahead(t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, tries: int, room: Room) -> float:
    """Write a symbol where it is worth most two throws ahead; by how much more than the value says.

    A few cells are tried, those that the value finds nearly as good as its best.
    """
    order, work = room.inner, room.work
    base, best = weigh(t, value, sheet, written + 1, symbol, work)
    worth, count, tried = base + work.gain[best], free_cells(sheet, order), 1
    sort(work.gain, order, count)
    while tried < min(tries, count) and work.gain[best] - work.gain[order[tried]] <= CLOSE / value.unit:
        tried += 1
    most = NEVER
    for i in range(tried):
        copy(sheet, room.one)
        put(t, room.one, order[i], symbol)
        ahead = mean_of_best(t, value, room.one, written + 1, work)
        if ahead > most:
            best, most = order[i], ahead
    put(t, sheet, best, symbol)
    return (most - worth) * value.unit


@routine
def play_on(t: Tables, value: Value, sheet: Sheet, written: int, end: int, tries: int, room: Room) -> float:
    """Play until so many numbers are written; by how much more the sheet is worth than expected, luck apart.

    Luck is what the value says after a throw, less its mean over throws. Without it, all that is left of the way
    from one throw to the next is how much more looking ahead says than the value does.
    """
    surprise = 0.0
    for turn in range(written, end):
        surprise += look_ahead(t, value, sheet, turn, room.throws[turn], tries, room)
    return surprise


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
    play_out(t, value, sheet, symbol, budget, generator, room, min(tried, budget.played))
    level(worth, order, count)
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
    """Play on from the first cells, all with the same throws; half of the cells drop out each round."""
    order, cells = room.order, len(sheet.free)
    written = 1  # with the symbol
    for cell in range(cells):
        written += sheet.symbol[cell] != EMPTY
        room.prior[cell] = room.worth[cell]
    end = min(cells, written + budget.throws)
    halvings = rounds(alive)
    for _ in range(halvings):
        for _ in range(max(1, budget.games // (halvings * alive))):
            for turn in range(written, end):
                room.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                cell = order[i]
                copy(sheet, room.play)
                put(t, room.play, cell, symbol)
                surprise = play_on(t, value, room.play, written, end, budget.tries, room)
                room.games[cell] += 1
                room.sums[cell] += surprise
                room.squares[cell] += surprise**2
        for i in range(alive):
            cell = order[i]
            room.worth[cell] = room.prior[cell] + room.sums[cell] / (room.games[cell] + budget.trust)
        sort(room.worth, order, alive)
        alive = (alive + 1) // 2
