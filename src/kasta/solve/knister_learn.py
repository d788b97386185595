"""How Knister's value is learned: by playing with it, and moving it towards what it says one throw later."""

from __future__ import annotations

import numpy as np

from kasta.solve.chance import Generator, below
from kasta.solve.lean import kernel
from kasta.solve.knister_tables import Tables
from kasta.solve.knister_value import Sheet, Value, Work, clear, new_sheet, optimistic, pair, pairs_count, put, random_fill, weigh
from kasta.solve.lines import NONE, Floats, Ints

SHARE = 0.3  # of optimism at the start
CHUNK = 50_000  # games between two reports


def new_value(t: Tables) -> Value:
    """Where learning starts."""
    lines = optimistic(t, SHARE).astype(np.float32)
    return Value(lines, np.zeros((len(lines) - 2, pairs_count(t)), np.float32), 1.0)


@kernel
def learn(
    t: Tables, value: Value, sheet: Sheet, work: Work, games: int, rate: float, generator: Generator,
    times: Ints, active: Ints, totals: Floats,
) -> None:
    """Play so many games; `times` is room to count how often an entry is active, all zeros."""
    cells, lines = len(sheet.free), len(sheet.content)
    for game in range(games):
        clear(sheet)
        for written in range(cells):
            symbol = t.sums[below(generator, len(t.sums))]
            base, best = weigh(t, value, sheet, written + 1, symbol, work)
            if written < len(value.pairs):
                worth, norm, used = 0.0, 0.0, 0
                for line in range(lines):
                    kind, content = t.g.kind_of[line], sheet.content[line]
                    worth += value.lines[written, kind, content]
                    for other in range(lines):
                        norm += sheet.content[other] == content and t.g.kind_of[other] == kind
                for cell in range(cells):
                    if not sheet.free[cell]:
                        continue
                    for i in range(t.g.pairs_of.shape[1]):
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
                step = (base + work.gain[best] - worth) * rate / norm
                for line in range(lines):
                    value.lines[written, t.g.kind_of[line], sheet.content[line]] += step
                for i in range(used):
                    value.pairs[written, active[i]] += step
            put(t, sheet, best, symbol)
        points = 0.0
        for line in range(lines):
            points += t.score[t.g.kind_of[line], sheet.content[line]]
        totals[game] = points
