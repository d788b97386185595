"""How Knister's value is learned: by playing with it, and moving it towards what it says one throw later."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, PAIRS, Floats, Ints, pair, pairs_count
from kasta.solve.knister.arrays import Tables
from kasta.solve.knister.value import Sheet, Value, clear, optimistic, put, total, value_of
from kasta.solve.knister.weigh import Work, weigh
from kasta.solve.lean import kernel, part
from kasta.solve.splitmix import Generator, below

SHARE = 0.5  # of optimism at the start: 0.3 learns a player that is a point weaker, 1.1 one that is three


def new_value(t: Tables) -> Value:
    """Where learning starts."""
    lines = optimistic(t, SHARE).astype(np.float32)
    return Value(lines, np.zeros((len(lines) - 2, pairs_count(t.others_count)), np.float32), 1.0)


class Room(NamedTuple):
    times: Ints  # [pair]: how often it is active in a sheet; all zeros in between
    active: Ints  # the active pairs
    twins: Ints  # their mirror images


def new_room(t: Tables, value: Value) -> Room:
    active, twins = np.zeros((2, len(t.g.pairs_of) * PAIRS), np.int64)
    return Room(np.zeros(value.pairs.shape[1], np.int64), active, twins)


@part
def collect(t: Tables, sheet: Sheet, work: Work, room: Room) -> int:
    """Collect the pairs of lines that V of this sheet is made of, and their mirror images; how many."""
    used = 0
    for cell in range(len(sheet.free)):
        for i in range(t.g.pairs_of.shape[1] if sheet.free[cell] else 0):
            one, two, kind = t.g.pairs_of[cell, i, 0], t.g.pairs_of[cell, i, 1], t.g.pairs_of[cell, i, 2]
            if one == NONE:
                break
            own, other = work.others[one], work.others[two]
            room.active[used] = pair(t.others_count, kind, own, other)
            room.twins[used] = pair(t.others_count, kind, t.mirror_others[own], t.mirror_others[other])
            used += 1
    return used


@part
def shares(t: Tables, sheet: Sheet, used: int, room: Room) -> float:
    """By how much V moves if every entry moves by one: those count more often that V is made of more often."""
    found = 0.0
    for line in range(len(sheet.content)):
        kind, content = t.g.kind_of[line], sheet.content[line]
        for other in range(len(sheet.content)):
            alike = sheet.content[other] == content or sheet.content[other] == t.mirror[content]
            found += alike and t.g.kind_of[other] == kind
    for i in range(used):
        room.times[min(room.active[i], room.twins[i])] += 1
    for i in range(used):
        found += room.times[min(room.active[i], room.twins[i])]
    for i in range(used):
        room.times[min(room.active[i], room.twins[i])] = 0
    return found


@part
def update(
    t: Tables, value: Value, sheet: Sheet, work: Work, written: int, aim: float, rate: float, room: Room
) -> None:
    """Move V of a sheet and of its mirror image towards an aim: every entry that it is made of takes its share."""
    used = collect(t, sheet, work, room)
    step = (aim - value_of(t, value, sheet, written)) * rate / shares(t, sheet, used, room)
    for line in range(len(sheet.content)):
        kind, content = t.g.kind_of[line], sheet.content[line]
        value.lines[written, kind, content] += step
        if t.mirror[content] != content:
            value.lines[written, kind, t.mirror[content]] += step
    for i in range(used):
        value.pairs[written, room.active[i]] += step
        if room.twins[i] != room.active[i]:
            value.pairs[written, room.twins[i]] += step


@kernel
def learn(
    t: Tables,
    value: Value,
    sheet: Sheet,
    work: Work,
    rate: float,
    generator: Generator,
    room: Room,
    totals: Floats,
) -> None:
    """Play a game for each of the totals, and move V of every sheet towards what it says one throw later."""
    for game in range(len(totals)):
        clear(sheet)
        for written in range(len(sheet.free)):
            symbol = t.sums[below(generator, len(t.sums))]
            base, best = weigh(t, value, sheet, written + 1, symbol, work)
            if written < len(value.pairs):
                update(t, value, sheet, work, written, base + work.gain[best], rate, room)
            put(t, sheet, best, symbol)
        totals[game] = total(t, sheet)
