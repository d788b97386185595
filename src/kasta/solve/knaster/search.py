"""Looking ahead in Knaster: two throws by the value, some more by playing on very often.

A *choice* is all that is done with one throw: a number written or not, and the set of cells that get circles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.budget import NEVER, Budget
from kasta.solve.grid.geometry import NONE, SYMBOLS, Ints
from kasta.solve.grid.halving import Race, drop_out, enter, level, new_race, record, rounds, sort, start
from kasta.solve.knaster.arrays import Tables
from kasta.solve.knaster.sheet import Sheet, circle, copy, last_throw, new_sheet, total, write
from kasta.solve.knaster.value import Value, Work, act, last_value, mean_of_best, new_work, value_of, weigh
from kasta.solve.lean import kernel, part, routine
from kasta.solve.splitmix import Generator, deal

TRIES = 4  # actions, to tell what a throw is worth


class Choices(NamedTuple):
    """What may be done with a throw, and how it fared."""

    cell: Ints  # [choice]: written into, NONE if nothing is written
    circles: Ints  # [choice]: a mask of cells
    race: Race


class Room(NamedTuple):
    """Arrays to work with."""

    work: Work
    throws: Ints
    decks: Ints  # [throw, card]
    actions: Ints
    one: Sheet


def new_room(t: Tables) -> Room:
    most = 2 * len(t.g.count_of) + 1  # throws: every one but the last writes or circles
    throws, decks = np.zeros(most, np.int64), np.zeros((most, len(t.sums)), np.int64)
    return Room(new_work(t), throws, decks, np.zeros(most, np.int64), new_sheet(t))


def new_choices(cells: list[int], circles: list[int]) -> Choices:
    return Choices(np.array(cells, np.int64), np.array(circles, np.int64), new_race(len(cells)))


@part
def choose(t: Tables, sheet: Sheet, symbol: int, choices: Choices, choice: int, to: Sheet, owed: Ints) -> None:
    """The sheet after a choice."""
    copy(sheet, to)
    if choices.cell[choice] != NONE:
        write(t, to, choices.cell[choice], symbol, owed)
    for cell in range(len(sheet.symbol)):
        if choices.circles[choice] >> cell & 1:
            circle(t, to, cell)


@routine
def best_ahead(t: Tables, value: Value, sheet: Sheet, symbol: int, room: Room) -> float:
    """What a throw is worth two throws ahead, in points: of a few actions that the value likes, the best."""
    work, actions, count = room.work, room.actions, 0
    weigh(t, value, sheet, symbol, work)
    for action in range(len(work.worth)):
        if work.worth[action] != NEVER:
            actions[count] = action
            count += 1
    sort(work.worth, actions, count)
    most = NEVER
    for i in range(min(TRIES, count)):
        copy(sheet, room.one)
        act(t, value, room.one, actions[i], symbol, work)
        most = max(most, mean_of_best(t, value, room.one, work) * value.unit + room.one.circles[0])
    return most


@kernel
def worth_after_throw(t: Tables, value: Value, sheet: Sheet, symbol: int, room: Room) -> float:
    return best_ahead(t, value, sheet, symbol, room)


@kernel
def worth_before_throw(t: Tables, value: Value, sheet: Sheet, room: Room) -> float:
    """The mean of `worth_after_throw`."""
    if sheet.written[0] == len(sheet.symbol):
        return last_value(t, sheet, room.work.best) + sheet.circles[0]
    mean = 0.0
    for symbol in range(1, SYMBOLS):
        mean += t.chance[symbol] * best_ahead(t, value, sheet, symbol, room)
    return mean


@routine
def play_on(t: Tables, value: Value, sheet: Sheet, most: int, throws: Ints, work: Work) -> float:
    """Play so many throws by the value alone, or to the end; what the sheet is worth then, or its total."""
    for turn in range(most):
        if sheet.written[0] == len(sheet.symbol):
            last_throw(t, sheet, throws[turn])
            return total(t, sheet)
        best = weigh(t, value, sheet, throws[turn], work)
        act(t, value, sheet, best, throws[turn], work)
    return value_of(t, value, sheet, sheet.written[0], work.best) * value.unit + sheet.circles[0]


@kernel
def search(
    t: Tables,
    value: Value,
    sheet: Sheet,
    symbol: int,
    last: bool,  # noqa: FBT001
    choices: Choices,
    budget: Budget,
    generator: Generator,
    room: Room,
) -> int:
    """Fill the race of all choices, of which those of the last throw are final; the best one."""
    race, one = choices.race, room.one
    worth, order = race.worth, race.order
    count = len(worth)
    for i in range(count):
        order[i] = i
        choose(t, sheet, symbol, choices, i, one, room.work.owed)
        if last:
            enter(race, i, total(t, one))
        else:
            now = value_of(t, value, one, one.written[0], room.work.best)
            enter(race, i, now * value.unit + one.circles[0])
    sort(worth, order, count)
    if last or count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        choose(t, sheet, symbol, choices, order[i], one, room.work.owed)
        worth[order[i]] = mean_of_best(t, value, one, room.work) * value.unit + one.circles[0]
    sort(worth, order, tried)
    play_out(t, value, sheet, symbol, choices, budget, generator, room)
    level(race, count)
    return order[0]


@routine
def play_out(
    t: Tables,
    value: Value,
    sheet: Sheet,
    symbol: int,
    choices: Choices,
    budget: Budget,
    generator: Generator,
    room: Room,
) -> None:
    """Play on from the first choices, all with the same throws."""
    race = choices.race
    alive = min(len(race.worth), budget.first, budget.played)
    throws = min(len(room.throws), budget.throws)
    start(race)
    halvings = rounds(alive)
    while alive > 1:
        for _ in range(max(1, budget.games // (halvings * alive))):
            deal(t.sums, room.decks, race.games[race.order[0]], room.throws, throws, generator)
            for i in range(alive):
                choice = race.order[i]
                choose(t, sheet, symbol, choices, choice, room.one, room.work.owed)
                came_to = play_on(t, value, room.one, throws, room.throws, room.work)
                record(race, choice, came_to - race.prior[choice])
        alive = drop_out(race, alive, budget.trust)
