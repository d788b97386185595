"""Dice from seeds: the same everywhere, and fair."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from kasta.env.dice_stream import Stream, dice_start
from kasta.env.kernels.words import starts
from kasta.solve.splitmix import mix


def test_the_generator_is_splitmix64():
    stream = Stream(1234567)  # the published first outputs of that seed
    words = [stream.word() for _ in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_kernels_begin_where_python_does():
    seeds = [0, 1, 7, 2**63, 2**64 - 1]
    assert starts(np.array(seeds, np.uint64)).tolist() == [dice_start(seed) for seed in seeds]


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_a_throw_begins_with_a_new_word_and_takes_two_dice_from_each(dice: int):
    stream = Stream(dice_start(3))
    faces = stream.throw(dice)
    words = [mix(dice_start(3) + n * 0x9E3779B97F4A7C15 & 2**64 - 1) for n in (1, 2, 3)]
    halves = [half for word in words for half in (word >> 32, word & 2**32 - 1)]
    assert faces == tuple(half * 6 // 2**32 + 1 for half in halves[:dice])
    assert stream.word() == mix(dice_start(3) + (dice // 2 + dice % 2 + 1) * 0x9E3779B97F4A7C15 & 2**64 - 1)


def test_dice_are_fair():
    stream = Stream(dice_start(5))
    thrown = [stream.throw(2) for _ in range(36_000)]
    pairs = Counter(thrown)
    assert len(pairs) == 36
    chi_square = sum((count - 1000) ** 2 / 1000 for count in pairs.values())
    assert chi_square < 66.6  # one in a thousand, for 35 degrees of freedom
