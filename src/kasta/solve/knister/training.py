"""How Knister's value is learned: temporal-difference learning of afterstate values, TD(0), by self-play.

A sheet between two throws is an afterstate. Its value moves towards that of the best afterstate of the next throw.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from kasta.games.knister import Knister
from kasta.solve.grid import td_update
from kasta.solve.grid.exploring import slips, slips_in_a_game
from kasta.solve.grid.geometry import NONE, pair, pairs_count
from kasta.solve.grid.td_update import ActivePairs
from kasta.solve.grid.training import Learner, Plan, Training
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.knister.arrays import KnisterArrays, KnisterModel
from kasta.solve.knister.estimates import save
from kasta.solve.knister.evaluate import KnisterPlayer, evaluate, new_player
from kasta.solve.knister.value import (
    KnisterCells,
    KnisterValue,
    clear,
    new_sheet,
    put,
    start_lines,
    total,
    value_of,
)
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Floats


def new_value(t: KnisterArrays) -> KnisterValue:
    """Where learning starts."""
    lines = start_lines(t)
    return KnisterValue(lines, np.zeros((len(lines) - 2, pairs_count(t.others_count)), np.float32), 1.0)


def new_learner(game: Knister) -> Learner:
    """One value learns first; another goes on from it in the plans that explore, and both are kept."""
    model = KnisterModel(game)
    t, value = model.arrays, new_value(model.arrays)
    other = KnisterValue(np.zeros_like(value.lines), np.zeros_like(value.pairs), 1.0)
    usual, exploring = new_player(t, value), new_player(t, other)
    sheet, pairs = new_sheet(t), td_update.new_active_pairs(t.g, value.pairs.shape[1])

    def play(rate: float, explores: int, generator: Generator, totals: Floats) -> None:
        learn(exploring if explores else usual, sheet, pairs, rate, explores, generator, totals)

    def branch() -> None:
        other.lines[:], other.pairs[:] = value.lines, value.pairs

    return Learner(
        model.fingerprint,
        {"lines": value.lines, "pairs": value.pairs, "other_lines": other.lines, "other_pairs": other.pairs},
        {"lines": np.int16, "pairs": np.int8, "other_lines": np.int16, "other_pairs": np.int8},
        play,
        partial(save, model, value, other),
        branch,
    )


TRAINING = Training(
    new_learner,
    (
        Plan(60_000_000, 0.5, 0.005),
        Plan(3_000_000, 0.5, 0.01, stop=40, explores=16),
        Plan(400_000, 0.23, 0.01, seed=8, explores=16),
        Plan(1_500_000, 0.15, 0.005, seed=9, explores=16),
        Plan(3_500_000, 0.1, 0.004, seed=10, explores=16),
    ),
)


@lean_inline
def collect(p: KnisterPlayer, sheet: KnisterCells, pairs: ActivePairs) -> int:
    """Collect the pairs of lines that V of this sheet is made of, and their mirror images; how many."""
    t, used = p.t, 0
    for cell in range(len(sheet.free)):
        for i in range(t.g.pairs_of.shape[1] if sheet.free[cell] else 0):
            one, two, kind = t.g.pairs_of[cell, i, 0], t.g.pairs_of[cell, i, 1], t.g.pairs_of[cell, i, 2]
            if one == NONE:
                break
            own, other = p.work.others[one], p.work.others[two]
            pairs.active[used] = pair(t.others_count, kind, own, other)
            pairs.twins[used] = pair(t.others_count, kind, t.mirror_others[own], t.mirror_others[other])
            used += 1
    return used


@lean_inline
def update(
    p: KnisterPlayer, sheet: KnisterCells, written: int, aim: float, rate: float, pairs: ActivePairs
) -> None:
    """Move V of a sheet and of its mirror image towards an aim: every entry that it is made of takes its share."""
    t, value, used = p.t, p.value, collect(p, sheet, pairs)
    shares = td_update.line_shares(t.g.kind_of, t.mirror, sheet.content, NONE) + td_update.pair_shares(pairs, used)
    step = (aim - value_of(t, value, sheet, written)) * rate / shares
    td_update.move_lines(value.lines, written, t.g.kind_of, t.mirror, sheet.content, NONE, step)
    td_update.move_pairs(value.pairs, written, pairs, used, step)


@lean_inline
def any_cell(sheet: KnisterCells, nth: int) -> int:
    """The nth free cell."""
    for cell in range(len(sheet.free)):
        if sheet.free[cell]:
            if nth == 0:
                return cell
            nth -= 1
    return NONE


@lean_kernel
def learn(
    p: KnisterPlayer,
    sheet: KnisterCells,
    pairs: ActivePairs,
    rate: float,
    explores: int,
    generator: Generator,
    totals: Floats,
) -> None:
    """Play a game for each of the totals, and move V of every sheet towards what it says one throw later."""
    t, value, work = p
    for game in range(len(totals)):
        clear(sheet)
        often, until = slips_in_a_game(generator, explores, len(sheet.free))
        for written in range(len(sheet.free)):
            symbol = t.sums[below(generator, len(t.sums))]
            base, best = evaluate(p, sheet, written + 1, symbol)
            if written < len(value.pairs):
                update(p, sheet, written, base + work.gain[best], rate, pairs)
            if slips(generator, often, until, written):
                best = any_cell(sheet, below(generator, len(sheet.free) - written))
            put(t, sheet, best, symbol)
        totals[game] = total(t, sheet)
