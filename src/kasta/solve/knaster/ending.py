"""Knaster where another's full sheet may end the game: what a sheet comes to if the next throw is the last.

Nobody knows how soon the fullest of the other sheets will be full. So at a table a sheet is worth something
between what it is worth alone and what it comes to if the next throw is the last (`pressed`).
"""

from __future__ import annotations

from kasta.solve.grid.geometry import EMPTY, NONE, SYMBOLS
from kasta.solve.jit import lean_inline, lean_kernel, lean_part
from kasta.solve.knaster.search import Choices, KnasterSearch, choose
from kasta.solve.knaster.sheet import (
    KnasterCells,
    circle,
    circle_all,
    circle_points,
    copy,
    total,
    uncircled,
    write,
)
from kasta.solve.knaster.value import KnasterPlayer, act, earns, evaluate
from kasta.solve.types import Floats, Ints


@lean_inline
def serve_now(p: KnasterPlayer, sheet: KnasterCells, cell: int) -> None:
    """Draw the circles that a number just written has earned, each where it pays most at once."""
    t, owed = p.t, p.work.owed
    for i in range(t.g.count_of[cell]):
        line = t.g.lines_of[cell, i]
        if owed[i] >= uncircled(t, sheet, line):
            circle_all(t, sheet, line)
        else:
            for _ in range(owed[i]):
                best, most = NONE, 0.0
                for place in range(t.g.cells_of.shape[1]):
                    each = t.g.cells_of[line, place]
                    if sheet.symbol[each] < SYMBOLS and circle_points(t, sheet, each) > most:
                        best, most = each, circle_points(t, sheet, each)
                circle(t, sheet, best)


@lean_part
def last_gain(p: KnasterPlayer, sheet: KnasterCells, symbol: int) -> float:
    """The most that the last throw brings."""
    t, trial, now, gain = p.t, p.work.full_trial, total(p.t, sheet), 0.0
    for cell in range(len(sheet.symbol)):
        if sheet.symbol[cell] == symbol:
            gain = max(gain, circle_points(t, sheet, cell))
        elif sheet.symbol[cell] == EMPTY and earns(t, sheet, cell, symbol):
            copy(sheet, trial)
            write(t, trial, cell, symbol, p.work.owed)
            serve_now(p, trial, cell)
            gain = max(gain, total(t, trial) - now)
    return gain


@lean_inline
def if_last(p: KnasterPlayer, sheet: KnasterCells) -> float:
    """The mean total of a sheet on which one throw more falls."""
    worth = total(p.t, sheet)
    for symbol in range(1, SYMBOLS):
        worth += p.t.chance[symbol] * last_gain(p, sheet, symbol)
    return worth


@lean_kernel
def choices_if_last(s: KnasterSearch, sheet: KnasterCells, symbol: int, choices: Choices, worth: Floats) -> None:
    """The mean total after each choice if the next throw is the last."""
    for choice in range(len(worth)):
        choose(s, sheet, symbol, choices, choice)
        worth[choice] = if_last(s.player, s.one)


# Games that are played to their end with others: the throws are the same for all, and the first full sheet makes
# the next one the last. So the others' games, which do not depend on ours, are played once for all our choices.


@lean_kernel
def others_games(
    p: KnasterPlayer, sheet: KnasterCells, one: KnasterCells, symbol: int, throws: Ints, ends: Ints, totals: Floats
) -> None:
    """Of another sheet, by game: before which throw it is full, and its total if each throw were the last.

    It acts by the value alone, on the throw that lies there and on all that follow.
    """
    for game in range(len(throws)):
        copy(sheet, one)
        if symbol != NONE:
            act(p, one, evaluate(p, one, symbol), symbol)
        for turn in range(throws.shape[1]):
            totals[game, turn] = total(p.t, one) + last_gain(p, one, throws[game, turn])
            if one.written[0] == len(one.symbol) or turn == throws.shape[1] - 1:
                ends[game] = min(ends[game], turn)
                break
            act(p, one, evaluate(p, one, throws[game, turn]), throws[game, turn])


@lean_kernel
def own_games(
    s: KnasterSearch,
    sheet: KnasterCells,
    symbol: int,
    choices: Choices,
    choice: int,
    throws: Ints,
    ends: Ints,
    totals: Floats,
    last: Ints,
) -> None:
    """After a choice, by game: one's own total, and which throw was the last."""
    p, one = s.player, s.one
    for game in range(len(throws)):
        choose(s, sheet, symbol, choices, choice)
        for turn in range(throws.shape[1]):
            if turn == ends[game] or one.written[0] == len(one.symbol):
                totals[game], last[game] = total(p.t, one) + last_gain(p, one, throws[game, turn]), turn
                break
            act(p, one, evaluate(p, one, throws[game, turn]), throws[game, turn])
