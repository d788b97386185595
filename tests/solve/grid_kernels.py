"""Parts of the grid games' kernels, to be called from tests; compiled once for all runs."""

from __future__ import annotations

from kasta.solve import splitmix_kernels
from kasta.solve.jit import lean_kernel
from kasta.solve.knaster import sheet as knaster_sheet, value as knaster_value
from kasta.solve.knister import evaluate as knister_evaluation, value as knister_value
from kasta.solve.splitmix_kernels import below


@lean_kernel
def draw(generator, count):  # noqa: ANN001
    return below(generator, count)


@lean_kernel
def deal(cards, decks, game, throws, count, generator):  # noqa: ANN001
    splitmix_kernels.deal(cards, decks, game, throws, count, generator)


@lean_kernel
def knister_put(t, sheet, cell, symbol):  # noqa: ANN001
    knister_value.put(t, sheet, cell, symbol)


@lean_kernel
def knister_total(t, sheet):  # noqa: ANN001
    return knister_value.total(t, sheet)


@lean_kernel
def knister_value_of(t, value, sheet, written):  # noqa: ANN001
    return knister_value.value_of(t, value, sheet, written)


@lean_kernel
def knister_mean_of_best(t, value, sheet, written, work):  # noqa: ANN001
    return knister_evaluation.expected_best(t, value, sheet, written, work)


@lean_kernel
def knaster_write(t, sheet, cell, symbol, owed):  # noqa: ANN001
    return knaster_sheet.write(t, sheet, cell, symbol, owed)


@lean_kernel
def knaster_circle(t, sheet, cell):  # noqa: ANN001
    knaster_sheet.circle(t, sheet, cell)


@lean_kernel
def knaster_total(t, sheet):  # noqa: ANN001
    return knaster_sheet.total(t, sheet)


@lean_kernel
def knaster_value_of(t, value, sheet, written, best):  # noqa: ANN001
    return knaster_value.value_of(t, value, sheet, written, best)
