"""Low numbers for high ones: the same sheet in a mirror is worth the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from kasta.bots.grid import estimates_of
from kasta.core import FACES, Throw
from kasta.games import find_game
from kasta.games.grid import FREE, NUMBERS
from kasta.solve.grid.reflection import halve, reflect, twins_of_pairs

GRID_GAMES = ["knister", "knaster"]


def mirror_image(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n if n == FREE else NUMBERS.start + NUMBERS[-1] - n for n in numbers)


@pytest.mark.parametrize("name", GRID_GAMES)
@pytest.mark.parametrize("written", [2, 7, 13, 19, 24])
def test_a_sheet_and_its_mirror_image_are_worth_the_same(name: str, written: int):
    game, rng = find_game(name).solo, Random(written)
    estimates = estimates_of(find_game(name))
    sheet = game.start()
    while sum(number != FREE for number in sheet.numbers) < written or not isinstance(game.next(sheet), Throw):
        if isinstance(expected := game.next(sheet), Throw):
            sheet = game.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
        else:
            sheet = game.act(sheet, rng.choice(game.legal(sheet)))
    twin = replace(sheet, numbers=mirror_image(sheet.numbers))
    assert twin.numbers != sheet.numbers
    assert estimates.before_throw(twin) == pytest.approx(estimates.before_throw(sheet), abs=1e-9)


def test_half_of_the_pairs_say_it_all():
    mirror = np.array([0, 3, 2, 1])
    twins = twins_of_pairs(mirror)
    assert np.array_equal(twins[twins], np.arange(len(twins)))
    whole = np.random.default_rng(1).integers(1, 100, (2, len(twins))).astype(np.int8)
    whole = np.minimum(whole, whole[:, twins])
    half = whole.copy()
    halve(half, twins)
    assert np.count_nonzero(half) < np.count_nonzero(whole)
    reflect(half, twins)
    assert np.array_equal(half, whole)
