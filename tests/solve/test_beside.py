"""Knaster at a table, where another's full sheet ends the game; and playing for the place."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from kasta.bots.base import Sight, find_bot
from kasta.core import FACES
from kasta.games import find_game
from kasta.games.knaster import Circle, Sheet, Write
from kasta.solve.grid.place import won
from kasta.solve.knaster.estimates import KnasterEstimates, valuer

TOTALS = np.array([40.0, 61.0])
KNASTER, KNISTER = find_game("knaster"), find_game("knister")
SOLO = KNASTER.solo

# Row 1 lacks two circles for 9 points; the row below is begun.
HALF_FULL = "(2) (7) (12) 8 8\n8 9 . . .\n5 6 . . .\n. . . 4 .\n. . . . 10\n"


@pytest.fixture(scope="module")
def alone() -> KnasterEstimates:
    return valuer(KNASTER)


def thrown(text: str, faces: tuple[int, int]) -> Sheet:
    sheet: Sheet = SOLO.throw(SOLO.read_sheet(text), faces)
    return sheet


def test_the_nearer_the_others_are_to_the_end_the_less_a_sheet_is_worth(alone: KnasterEstimates):
    sheet = SOLO.read_sheet(HALF_FULL)
    worth = [alone.beside(lacks).value(sheet) for lacks in (25, 14, 8, 4, 1, 0)]
    assert worth == sorted(worth, reverse=True)
    assert alone.value(sheet) - 4 < worth[0] <= alone.value(sheet)
    throws = [SOLO.throw(sheet, faces, last=True) for faces in product(FACES, repeat=2)]
    assert worth[-1] == pytest.approx(sum(map(alone.value, throws)) / 36), "the next throw is the last: exact"


@pytest.mark.parametrize("lacks", [12, 3])
def test_throws_bring_no_luck_on_average_at_a_table_either(alone: KnasterEstimates, lacks: int):
    sheet, beside = SOLO.read_sheet(HALF_FULL), alone.beside(lacks)
    throws = Counter(SOLO.throw(sheet, faces) for faces in product(FACES, repeat=2))
    mean = sum(beside.value(after) * times for after, times in throws.items()) / 36
    assert beside.mean(sheet) == pytest.approx(mean, abs=1e-9)
    assert all(beside.options(after)[0].value == beside.value(after) for after in throws)


def test_when_the_end_is_near_what_pays_at_once_is_taken(alone: KnasterEstimates):
    """Row 1 lacks one circle, in e1."""
    near = "(2) (7) (12) (8) 8\n8 9 . . .\n5 6 . . .\n. . . 4 .\n. . . . 10\n"
    sheet = thrown(near, (2, 6))
    for bot in ("quick", "strong", "best"):
        sight = Sight(KNASTER, sheet, others_lack=1)
        done = find_bot(bot, KNASTER).choose(sight, SOLO.legal(sheet), Random(1))
        assert done == Circle(SOLO.grid.read_cell("e1"))
    far, close = (alone.beside(lacks).options(thrown(HALF_FULL, (1, 3))) for lacks in (15, 1))
    assert [option.action for option in far] == [
        option.action for option in alone.options(thrown(HALF_FULL, (1, 3)))
    ]
    assert close[0].value < far[0].value


AHEAD = "(2) (7) (12) (8) (8)\n(8) (9) (3) (7) (5)\n5 6 4 2 11\n9 7 3 4 6\n5 9 8 . 10\n"
ABOUT_TO_GAIN = "(2) (7) (12) (8) 8\n(8) (9) (3) (7) 5\n(5) (6) (4) 2 (11)\n9 7 3 4 .\n5 9 8 . .\n"


def test_who_is_ahead_ends_the_game():
    """A number that makes no hand fills the sheet. Circles would bring more points, and lose every other game."""
    sheet, other = thrown(AHEAD, (3, 3)), thrown(ABOUT_TO_GAIN, (3, 3))
    best = find_bot("best", KNASTER)
    done = best.choose(Sight(KNASTER, sheet, (other,), 3), SOLO.legal(sheet), Random(1))
    assert done == Write(SOLO.grid.read_cell("d5"))
    alone = best.choose(Sight(KNASTER, sheet), SOLO.legal(sheet), Random(1))
    assert alone != done, "alone there is no hurry"


def test_an_equal_total_counts_half():
    assert won(TOTALS, [TOTALS, TOTALS - 1]).tolist() == [0.5] * len(TOTALS)
    assert won(TOTALS, [TOTALS - 1]).tolist() == [1.0] * len(TOTALS)
    assert won(TOTALS, [TOTALS - 1, TOTALS + 1]).tolist() == [0.0] * len(TOTALS)
