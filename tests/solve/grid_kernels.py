"""Parts of the grid games' kernels, to be called from tests."""

from __future__ import annotations

from typing import Any

import numba

from kasta.solve import splitmix as chance
from kasta.solve.knaster import sheet as knaster_sheet, value as knaster_value
from kasta.solve.knister import value as knister_value, weigh as weighing
from kasta.solve.splitmix import below


def callable_from_python(function: Any) -> Any:  # noqa: ANN401
    return numba.njit(_nrt=False, error_model="numpy")(function)


@callable_from_python
def draw(generator, count):  # noqa: ANN001
    return below(generator, count)


@callable_from_python
def deal(cards, decks, game, throws, count, generator):  # noqa: ANN001
    chance.deal(cards, decks, game, throws, count, generator)


@callable_from_python
def knister_put(t, sheet, cell, symbol):  # noqa: ANN001
    knister_value.put(t, sheet, cell, symbol)


@callable_from_python
def knister_total(t, sheet):  # noqa: ANN001
    return knister_value.total(t, sheet)


@callable_from_python
def knister_value_of(t, value, sheet, written):  # noqa: ANN001
    return knister_value.value_of(t, value, sheet, written)


@callable_from_python
def knister_weigh(t, value, sheet, written, symbol, work):  # noqa: ANN001
    return weighing.weigh(t, value, sheet, written, symbol, work)


@callable_from_python
def knister_mean_of_best(t, value, sheet, written, work):  # noqa: ANN001
    return weighing.mean_of_best(t, value, sheet, written, work)


@callable_from_python
def knaster_write(t, sheet, cell, symbol, owed):  # noqa: ANN001
    return knaster_sheet.write(t, sheet, cell, symbol, owed)


@callable_from_python
def knaster_circle(t, sheet, cell):  # noqa: ANN001
    knaster_sheet.circle(t, sheet, cell)


@callable_from_python
def knaster_total(t, sheet):  # noqa: ANN001
    return knaster_sheet.total(t, sheet)


@callable_from_python
def knaster_value_of(t, value, sheet, written, best):  # noqa: ANN001
    return knaster_value.value_of(t, value, sheet, written, best)


@callable_from_python
def knaster_weigh(t, value, sheet, symbol, work):  # noqa: ANN001
    return knaster_value.weigh(t, value, sheet, symbol, work)
