"""How Knister's value is learned: by playing with it, and moving it towards what it says one throw later."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.chance import Generator, below
from kasta.solve.knister_tables import Tables
from kasta.solve.knister_value import (
    Sheet,
    Value,
    Work,
    clear,
    optimistic,
    pair,
    pairs_count,
    put,
    total,
    weigh,
)
from kasta.solve.lean import kernel, part
from kasta.solve.lines import NONE, PAIRS, Floats, Ints

SHARE = 0.5  # of optimism at the start: 0.3 learns a player that is a point weaker, 1.1 one that is three


def new_value(t: Tables) -> Value:
    """Where learning starts."""
    lines = optimistic(t, SHARE).astype(np.float32)
    return Value(lines, np.zeros((len(lines) - 2, pairs_count(t)), np.float32), 1.0)


class Room(NamedTuple):
    times: Ints  # [pair]: how often it is active in a sheet; all zeros in between
    active: Ints  # the active pairs


def new_room(t: Tables, value: Value) -> Room:
    return Room(np.zeros(value.pairs.shape[1], np.int64), np.zeros(t.g.pairs_of.shape[0] * PAIRS, np.int64))


@part
def update(
    t: Tables, value: Value, sheet: Sheet, work: Work, written: int, aim: float, rate: float, room: Room
) -> None:
    """Move V of a sheet towards an aim: every entry that it is made of takes its share."""
    times, active, lines = room.times, room.active, len(sheet.content)
    worth, norm, used = 0.0, 0.0, 0
    for line in range(lines):
        kind, content = t.g.kind_of[line], sheet.content[line]
        worth += value.lines[written, kind, content]
        for other in range(lines):
            norm += sheet.content[other] == content and t.g.kind_of[other] == kind
    for cell in range(len(sheet.free)):
        for i in range(t.g.pairs_of.shape[1] if sheet.free[cell] else 0):
            one, two, kind = t.g.pairs_of[cell, i, 0], t.g.pairs_of[cell, i, 1], t.g.pairs_of[cell, i, 2]
            if one == NONE:
                break
            entry = pair(t.others_count, kind, work.others[one], work.others[two])
            worth += value.pairs[written, entry]
            times[entry] += 1
            active[used] = entry
            used += 1
    for i in range(used):
        norm += times[active[i]]
    for i in range(used):
        times[active[i]] = 0
    step = (aim - worth) * rate / norm
    for line in range(lines):
        value.lines[written, t.g.kind_of[line], sheet.content[line]] += step
    for i in range(used):
        value.pairs[written, active[i]] += step


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
