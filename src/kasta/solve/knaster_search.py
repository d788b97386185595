"""Looking ahead in Knaster: two throws by the value, some more by playing on very often.

A *choice* is all that is done with one throw: a number written or not, and the set of cells that get circles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.budget import Budget, level, rounds, sort
from kasta.solve.chance import Generator, below
from kasta.solve.knaster_sheet import Sheet, circle, copy, last_throw, new_sheet, total, write
from kasta.solve.knaster_tables import Tables
from kasta.solve.knaster_value import Value, Work, act, mean_of_best, new_work, value_of, weigh
from kasta.solve.lean import kernel, part, routine
from kasta.solve.lines import NONE, Floats, Ints


class Choices(NamedTuple):
    """What may be done with a throw, and the answers: `worth`, `games`, `squares`."""

    cell: Ints  # [choice]: written into, NONE if nothing is written
    circles: Ints  # [choice]: a mask of cells
    worth: Floats  # [choice]: expected final total
    games: Ints  # [choice]: how many were played on
    squares: Floats  # [choice]: the sum of their squared differences to what was expected before
    sums: Floats  # [choice]
    prior: Floats  # [choice]
    order: Ints


class Room(NamedTuple):
    """Arrays to work with."""

    work: Work
    throws: Ints
    one: Sheet


def new_room(t: Tables) -> Room:
    cells = len(t.g.count_of)
    return Room(
        work=new_work(t),
        throws=np.zeros(2 * cells + 1, np.int64),  # every throw but the last writes or circles
        one=new_sheet(t),
    )


def new_choices(cells: list[int], circles: list[int]) -> Choices:
    count = len(cells)
    worth, squares, sums, prior = (np.zeros(count) for _ in range(4))
    return Choices(
        cell=np.array(cells, np.int64),
        circles=np.array(circles, np.int64),
        worth=worth,
        games=np.zeros(count, np.int64),
        squares=squares,
        sums=sums,
        prior=prior,
        order=np.arange(count),
    )


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
    """Fill the answers for all choices, of which those of the last throw are final; the best one."""
    worth, order, one = choices.worth, choices.order, room.one
    count = len(worth)
    for i in range(count):
        order[i] = i
        choose(t, sheet, symbol, choices, i, one, room.work.owed)
        choices.games[i], choices.sums[i], choices.squares[i] = 0, 0.0, 0.0
        if last:
            worth[i] = total(t, one)
        else:
            worth[i] = value_of(t, value, one, one.written[0], room.work.best) * value.unit + one.circles[0]
    sort(worth, order, count)
    if last or count == 1:
        return order[0]
    tried = min(count, budget.first)
    for i in range(tried):
        choose(t, sheet, symbol, choices, order[i], one, room.work.owed)
        worth[order[i]] = mean_of_best(t, value, one, room.work) * value.unit + one.circles[0]
    sort(worth, order, tried)
    play_out(t, value, sheet, symbol, choices, budget, generator, room)
    level(worth, order, count)
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
    """Play on from the first choices, all with the same throws; half of the choices drop out each round."""
    order, worth = choices.order, choices.worth
    alive = min(len(worth), budget.first, budget.played)
    throws = min(len(room.throws), budget.throws)
    for i in range(len(worth)):
        choices.prior[i] = worth[i]
    halvings = rounds(alive)
    for _ in range(halvings):
        for _ in range(max(1, budget.games // (halvings * alive))):
            for turn in range(throws):
                room.throws[turn] = t.sums[below(generator, len(t.sums))]
            for i in range(alive):
                choice = order[i]
                choose(t, sheet, symbol, choices, choice, room.one, room.work.owed)
                surprise = play_on(t, value, room.one, throws, room.throws, room.work) - choices.prior[choice]
                choices.games[choice] += 1
                choices.sums[choice] += surprise
                choices.squares[choice] += surprise**2
        for i in range(alive):
            choice = order[i]
            worth[choice] = choices.prior[choice] + choices.sums[choice] / (choices.games[choice] + budget.trust)
        sort(worth, order, alive)
        alive = (alive + 1) // 2
