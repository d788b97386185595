"""How Knaster's value is learned: temporal-difference learning of afterstate values, TD(0), by self-play.

A sheet between two throws is an afterstate. Its value moves towards that of the best afterstate of the next throw.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from kasta.games.knaster import Knaster
from kasta.solve.grid import td_update
from kasta.solve.grid.exploring import slips, slips_in_a_game
from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.grid.halving import NEVER
from kasta.solve.grid.td_update import ActivePairs
from kasta.solve.grid.training import Learner, Plan, Training
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.knaster.arrays import KnasterArrays, KnasterModel
from kasta.solve.knaster.estimates import save
from kasta.solve.knaster.sheet import KnasterCells, circle, clear, last_throw, new_sheet, total, uncircled, write
from kasta.solve.knaster.value import (
    WRITTEN_A_STAGE,
    KnasterPlayer,
    KnasterValue,
    act,
    evaluate,
    in_order,
    new_player,
    new_value,
    pair,
    value_of,
    waiting,
)
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats, Ints


def new_learner(game: Knaster) -> Learner:
    model = KnasterModel(game)
    t, value = model.arrays, new_value(model.arrays, model.contents)
    pairs, counts = td_update.new_active_pairs(t.g, value.pairs.shape[1]), np.zeros(SYMBOLS, np.int64)
    return Learner(
        model.fingerprint,
        {name: getattr(value, name) for name in ("lines", "counts", "waiting", "pairs")},
        {"lines": np.int16, "counts": np.int16, "waiting": np.int16, "pairs": np.int8},
        partial(learn, new_player(t, value), new_sheet(t), pairs, counts),
        partial(save, model, value),
    )


CHOICES = 40  # about as many as a game has

TRAINING = Training(
    new_learner,
    (
        Plan(20_000_000, 0.4, 0.005),
        Plan(1_100_000, 0.4, 0.01, stop=40, explores=16),
        Plan(150_000, 0.19, 0.01, seed=8, explores=16),
        Plan(300_000, 0.2, 0.01, seed=9, explores=16),
        Plan(600_000, 0.15, 0.005, seed=10, explores=16),
        Plan(1_100_000, 0.1, 0.004, seed=11, explores=16),
    ),
)


@lean_inline
def collect(t: KnasterArrays, sheet: KnasterCells, pairs: ActivePairs) -> int:
    """Collect the pairs of lines that V of this sheet is made of, and their mirror images; how many."""
    used = 0
    for cell in range(len(sheet.symbol)):
        symbol = sheet.symbol[cell]
        for i in range(t.pair_kind.shape[1] if symbol < SYMBOLS else 0):
            kind = t.pair_kind[cell, i]
            if kind == NONE:
                break
            one, two = sheet.content[t.g.pairs_of[cell, i, 0]], sheet.content[t.g.pairs_of[cell, i, 1]]
            first, second = in_order(t, cell, i, one, two)  # the same in the mirror
            pairs.active[used] = pair(t.outlines, kind, symbol, first, second)
            pairs.twins[used] = pair(t.outlines, kind, t.mirror_symbol[symbol], first, second)
            used += 1
    return used


@lean_inline
def count_shares(t: KnasterArrays, sheet: KnasterCells) -> int:
    """By how much V moves if every entry for counts moves by one, and that for the set of waiting numbers."""
    found = 1
    for symbol in range(1, SYMBOLS):
        found += 1
        if t.mirror_symbol[symbol] != symbol:
            found += sheet.uncircled[symbol] == sheet.uncircled[t.mirror_symbol[symbol]]
    return found


@lean_inline
def update(p: KnasterPlayer, sheet: KnasterCells, change: float, pairs: ActivePairs, counts: Ints) -> None:
    """Spread a change over all entries that V of this sheet is made of, and over those of its mirror image."""
    t, value, written, used = p.t, p.value, sheet.written[0], collect(p.t, sheet, pairs)
    lines = td_update.line_shares(t.g.kind_of, t.mirror, sheet.content, t.full)
    step = change / (count_shares(t, sheet) + lines + td_update.pair_shares(pairs, used))
    td_update.move_lines(value.lines, written, t.g.kind_of, t.mirror, sheet.content, t.full, step)
    move_counts(t, value, sheet, step, counts)
    td_update.move_pairs(value.pairs, written // WRITTEN_A_STAGE, pairs, used, step)


@lean_inline
def move_counts(t: KnasterArrays, value: KnasterValue, sheet: KnasterCells, step: float, counts: Ints) -> None:
    """`counts` is scratch for the counts of the sheet's mirror image."""
    written = sheet.written[0]
    for symbol in range(1, SYMBOLS):
        twin, count = t.mirror_symbol[symbol], sheet.uncircled[symbol]
        counts[twin] = count
        value.counts[written, symbol, count] += step
        if twin != symbol:
            value.counts[written, twin, count] += step
    own, twin = waiting(sheet.uncircled), waiting(counts)
    value.waiting[written, own] += step
    if twin != own:
        value.waiting[written, twin] += step


@lean_inline
def any_action(worth: Floats, generator: Generator) -> int:
    """Any action that the rules allow."""
    count = 0
    for action in range(len(worth)):
        count += worth[action] > NEVER
    nth = below(generator, count)
    for action in range(len(worth)):
        if worth[action] > NEVER:
            if nth == 0:
                return action
            nth -= 1
    return NONE


@lean_inline
def act_anyhow(p: KnasterPlayer, sheet: KnasterCells, action: int, symbol: int, generator: Generator) -> None:
    """Write, and draw any circles that this has earned; or circle."""
    t, work, cells = p.t, p.work, len(sheet.symbol)
    if action >= cells:
        circle(t, sheet, action - cells)
        return
    write(t, sheet, action, symbol, work.owed)
    for i in range(t.g.count_of[action]):
        for _ in range(work.owed[i]):
            circle_any(t, sheet, t.g.lines_of[action, i], generator)


@lean_inline
def circle_any(t: KnasterArrays, sheet: KnasterCells, line: int, generator: Generator) -> None:
    """Circle any number of a line that has none, if there is one."""
    left = uncircled(t, sheet, line)
    nth = below(generator, left) if left else NONE
    for place in range(t.g.cells_of.shape[1]):
        cell = t.g.cells_of[line, place]
        if sheet.symbol[cell] < SYMBOLS:
            if nth == 0:
                circle(t, sheet, cell)
            nth -= 1


@lean_kernel
def learn(
    p: KnasterPlayer,
    sheet: KnasterCells,
    pairs: ActivePairs,
    counts: Ints,
    rate: float,
    explores: int,
    generator: Generator,
    totals: Floats,
) -> None:
    """Play a game for each of the totals, and move V of every sheet towards what it says one throw later."""
    t, work = p.t, p.work
    for game in range(len(totals)):
        clear(sheet)
        often, until = slips_in_a_game(generator, explores, CHOICES)
        made = 0
        while sheet.written[0] < len(sheet.symbol):
            symbol = t.sums[below(generator, len(t.sums))]
            best = evaluate(p, sheet, symbol)
            change = work.worth[best] - value_of(p, sheet, sheet.written[0])
            update(p, sheet, rate * change, pairs, counts)
            if slips(generator, often, until, made):
                act_anyhow(p, sheet, any_action(work.worth, generator), symbol, generator)
            else:
                act(p, sheet, best, symbol)
            made += 1
        last_throw(t, sheet, t.sums[below(generator, len(t.sums))])
        totals[game] = total(t, sheet)
