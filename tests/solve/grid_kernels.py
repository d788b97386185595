"""Parts of the grid games' kernels, to be called from tests; compiled once for all runs."""

from __future__ import annotations

from kasta.solve import splitmix_kernels
from kasta.solve.jit import lean_kernel
from kasta.solve.knaster import arrays as knaster_arrays, sheet as knaster_sheet, value as knaster_value
from kasta.solve.knister import arrays as knister_arrays, evaluate as knister_evaluation, value as knister_value
from kasta.solve.splitmix_kernels import Generator, below
from kasta.solve.types import Ints


@lean_kernel
def draw(generator: Generator, count: int) -> int:
    return below(generator, count)


@lean_kernel
def deal(cards: Ints, decks: Ints, game: int, throws: Ints, count: int, generator: Generator) -> None:
    splitmix_kernels.deal(cards, decks, game, throws, count, generator)


@lean_kernel
def knister_put(
    t: knister_arrays.KnisterArrays, sheet: knister_value.KnisterCells, cell: int, symbol: int
) -> None:
    knister_value.put(t, sheet, cell, symbol)


@lean_kernel
def knister_total(t: knister_arrays.KnisterArrays, sheet: knister_value.KnisterCells) -> float:
    return knister_value.total(t, sheet)


@lean_kernel
def knister_value_of(
    t: knister_arrays.KnisterArrays,
    value: knister_value.KnisterValue,
    sheet: knister_value.KnisterCells,
    written: int,
) -> float:
    return knister_value.value_of(t, value, sheet, written)


@lean_kernel
def knister_mean_of_best(
    p: knister_evaluation.KnisterPlayer, sheet: knister_value.KnisterCells, written: int
) -> float:
    return knister_evaluation.expected_best(p, sheet, written)


@lean_kernel
def knaster_write(
    t: knaster_arrays.KnasterArrays, sheet: knaster_sheet.KnasterCells, cell: int, symbol: int, owed: Ints
) -> int:
    return knaster_sheet.write(t, sheet, cell, symbol, owed)


@lean_kernel
def knaster_circle(t: knaster_arrays.KnasterArrays, sheet: knaster_sheet.KnasterCells, cell: int) -> None:
    knaster_sheet.circle(t, sheet, cell)


@lean_kernel
def knaster_total(t: knaster_arrays.KnasterArrays, sheet: knaster_sheet.KnasterCells) -> float:
    return knaster_sheet.total(t, sheet)


@lean_kernel
def knaster_value_of(p: knaster_value.KnasterPlayer, sheet: knaster_sheet.KnasterCells, written: int) -> float:
    return knaster_value.value_of(p, sheet, written)
