"""Looking ahead in Knister: two throws by the value, some more by playing on very often, the last cells exactly.

All budgets are counted, never timed, so that a seed gives the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.budget import NEVER, Budget
from kasta.solve.grid.geometry import EMPTY, SYMBOLS, Ints
from kasta.solve.grid.halving import Race, drop_out, enter, level, new_race, record, rounds, sort, start
from kasta.solve.knister.arrays import Tables
from kasta.solve.knister.value import Sheet, Value, copy, new_sheet, put
from kasta.solve.knister.weigh import Work, mean_of_best, new_work, weigh
from kasta.solve.lean import kernel, routine
from kasta.solve.splitmix import Generator, below

CLOSE = 1.5  # points between cells that are nearly as good
TRIES = 4  # of these, to tell what a throw is worth


class Room(NamedTuple):
    """Arrays to work with; in the race of cells is the answer, NEVER for those that are not free."""

    race: Race
    inner: Ints
    throws: Ints
    work: Work
    one: Sheet
    play: Sheet


def new_room(t: Tables) -> Room:
    cells = len(t.g.count_of)
    inner, throws = np.zeros((2, cells), np.int64)
    return Room(new_race(cells), inner, throws, new_work(t), new_sheet(t), new_sheet(t))


@routine
def free_cells(sheet: Sheet, order: Ints) -> int:
    count = 0
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            order[count] = cell
            count += 1
    return count


@routine
def best_ahead(
    t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, tries: int, room: Room
) -> tuple[int, float, float]:
    """The cell where a symbol is worth most two throws ahead, how much that is, and how much the value says.

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
    return best, most, worth


@kernel
def worth_after_throw(t: Tables, value: Value, sheet: Sheet, written: int, symbol: int, room: Room) -> float:
    return best_ahead(t, value, sheet, written, symbol, TRIES, room)[1] * value.unit


@kernel
def worth_before_throw(t: Tables, value: Value, sheet: Sheet, written: int, room: Room) -> float:
    """The mean of `worth_after_throw`."""
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += t.chance[symbol] * best_ahead(t, value, sheet, written, symbol, TRIES, room)[1]
    return mean * value.unit


@routine
def play_on(t: Tables, value: Value, sheet: Sheet, written: int, end: int, tries: int, room: Room) -> float:
    """Play until so many numbers are written; by how much more the sheet is worth than expected, luck apart.

    Luck is what the value says after a throw, less its mean over throws. Without it, all that is left of the way
    from one throw to the next is how much more looking ahead says than the value does.
    """
    surprise = 0.0
    for turn in range(written, end):
        best, ahead, worth = best_ahead(t, value, sheet, turn, room.throws[turn], tries, room)
        put(t, sheet, best, room.throws[turn])
        surprise += (ahead - worth) * value.unit
    return surprise


@kernel
def search(
    t: Tables, value: Value, sheet: Sheet, symbol: int, budget: Budget, generator: Generator, room: Room
) -> int:
    """Fill the race for a symbol to be written; the best cell."""
    race, work, cells = room.race, room.work, len(sheet.free)
    worth, order = race.worth, race.order
    count = free_cells(sheet, order)
    written = cells - count
    base, _ = weigh(t, value, sheet, written + 1, symbol, work)
    for cell in range(cells):
        enter(race, cell, (base + work.gain[cell]) * value.unit if sheet.free[cell] else NEVER)
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
    level(race, count)
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
    """Play on from the first cells, all with the same throws."""
    race, cells = room.race, len(sheet.free)
    written = 1  # with the symbol
    for cell in range(cells):
        written += sheet.symbol[cell] != EMPTY
    end = min(cells, written + budget.throws)
    start(race)
    halvings = rounds(alive)
    while alive > 1:
        for _ in range(max(1, budget.games // (halvings * alive))):
            for turn in range(written, end):
                room.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                copy(sheet, room.play)
                put(t, room.play, race.order[i], symbol)
                surprise = play_on(t, value, room.play, written, end, budget.tries, room)
                record(race, race.order[i], surprise)
        alive = drop_out(race, alive, budget.trust)
