"""How Knaster's value is learned: by playing with it, and moving it towards what it says one throw later."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import NONE, PAIRS, SYMBOLS, Floats, Ints
from kasta.solve.knaster.arrays import Tables
from kasta.solve.knaster.sheet import Sheet, clear, last_throw, total
from kasta.solve.knaster.value import (
    WRITTEN_A_STAGE,
    Value,
    Work,
    act,
    pair,
    pairs_count,
    value_of,
    waiting,
    weigh,
)
from kasta.solve.lean import kernel, part
from kasta.solve.splitmix import Generator, below

TURNS = 1.7  # throws that an optimist hopes for, for each free cell
HOPE = 0.75  # of a free cell's being circled in the end
SHARE = 0.6  # of hoped-for circles that count


def new_value(t: Tables, contents: list[tuple[int, ...]]) -> Value:
    """Where learning starts: each line as if it had its numbers for itself, rather too good than too bad."""
    cells, kinds = len(t.g.count_of), int(t.g.kind_of.max()) + 1
    lines = np.zeros((cells, kinds, len(contents)), np.float32)
    counts = np.zeros((cells, SYMBOLS, cells + 2), np.float32)
    printed = np.zeros(kinds)
    printed[t.g.kind_of] = t.printed
    symbols = np.full(
        (len(contents), t.g.cells_of.shape[1]), 2 * SYMBOLS - 2
    )  # a circled cell, where there is none
    for number, content in enumerate(contents):
        symbols[number, : len(content)] = content
    for written in range(cells):
        throws = TURNS * (cells - written) + 1
        comes = 1 - (1 - t.chance) ** throws
        chance = np.concatenate([[HOPE], comes[1:], np.ones(SYMBOLS - 1)])
        lines[written] = np.outer(printed, chance[symbols].prod(axis=1))
        counts[written] = SHARE * np.minimum(np.arange(cells + 2), throws * t.chance[:, None])
    waiting_sets = np.zeros((cells, 1 << (SYMBOLS - 1)), np.float32)
    pairs = np.zeros((1 + (cells - 1) // WRITTEN_A_STAGE, pairs_count(t)), np.float32)
    return Value(lines, counts, waiting_sets, pairs, 1.0)


class Room(NamedTuple):
    times: Ints  # [pair]: how often it is active in a sheet; all zeros in between
    active: Ints  # the active pairs
    twins: Ints  # their mirror images
    uncircled: Ints  # [symbol]: of the sheet's mirror image


def new_room(t: Tables, value: Value) -> Room:
    active, twins = np.zeros((2, len(t.g.pairs_of) * PAIRS), np.int64)
    return Room(np.zeros(value.pairs.shape[1], np.int64), active, twins, np.zeros(SYMBOLS, np.int64))


@part
def collect(t: Tables, sheet: Sheet, room: Room) -> int:
    """Collect the pairs of lines that V of this sheet is made of, and their mirror images; how many."""
    used = 0
    for cell in range(len(sheet.symbol)):
        symbol = sheet.symbol[cell]
        for i in range(t.pair_kind.shape[1] if symbol < SYMBOLS else 0):
            kind = t.pair_kind[cell, i]
            if kind == NONE:
                break
            first = t.outline[sheet.content[t.g.pairs_of[cell, i, 0]]]  # the same in the mirror
            second = t.outline[sheet.content[t.g.pairs_of[cell, i, 1]]]
            if t.pair_turned[cell, i]:
                first, second = second, first
            room.active[used] = pair(t.outlines, kind, symbol, first, second)
            room.twins[used] = pair(t.outlines, kind, t.mirror_symbol[symbol], first, second)
            used += 1
    return used


@part
def shares(t: Tables, sheet: Sheet, used: int, room: Room) -> float:
    """By how much V moves if every entry moves by one: those count more often that V is made of more often."""
    found = 1.0  # for the set of waiting numbers
    for symbol in range(1, SYMBOLS):
        found += 1.0
        if t.mirror_symbol[symbol] != symbol:
            found += sheet.uncircled[symbol] == sheet.uncircled[t.mirror_symbol[symbol]]
    for line in range(len(sheet.content)):
        kind, content = t.g.kind_of[line], sheet.content[line]
        for other in range(len(sheet.content) if content != t.full else 0):
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
def update(t: Tables, value: Value, sheet: Sheet, change: float, room: Room) -> None:
    """Spread a change over all entries that V of this sheet is made of, and over those of its mirror image."""
    written, used = sheet.written[0], collect(t, sheet, room)
    step = change / shares(t, sheet, used, room)
    for line in range(len(sheet.content)):
        kind, content = t.g.kind_of[line], sheet.content[line]
        if content != t.full:
            value.lines[written, kind, content] += step
            if t.mirror[content] != content:
                value.lines[written, kind, t.mirror[content]] += step
    update_counts(t, value, sheet, step, room)
    stage = written // WRITTEN_A_STAGE
    for i in range(used):
        value.pairs[stage, room.active[i]] += step
        if room.twins[i] != room.active[i]:
            value.pairs[stage, room.twins[i]] += step


@part
def update_counts(t: Tables, value: Value, sheet: Sheet, step: float, room: Room) -> None:
    written = sheet.written[0]
    for symbol in range(1, SYMBOLS):
        twin, count = t.mirror_symbol[symbol], sheet.uncircled[symbol]
        room.uncircled[twin] = count
        value.counts[written, symbol, count] += step
        if twin != symbol:
            value.counts[written, twin, count] += step
    own, twin = waiting(sheet.uncircled), waiting(room.uncircled)
    value.waiting[written, own] += step
    if twin != own:
        value.waiting[written, twin] += step


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
        while sheet.written[0] < len(sheet.symbol):
            symbol = t.sums[below(generator, len(t.sums))]
            best = weigh(t, value, sheet, symbol, work)
            change = work.worth[best] - value_of(t, value, sheet, sheet.written[0], work.best)
            update(t, value, sheet, rate * change, room)
            act(t, value, sheet, best, symbol, work)
        last_throw(t, sheet, t.sums[below(generator, len(t.sums))])
        totals[game] = total(t, sheet)
