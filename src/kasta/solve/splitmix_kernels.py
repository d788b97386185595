"""SplitMix64 in kernels, and what is drawn with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.solve import splitmix
from kasta.solve.jit import lean_inline, lean_kernel
from kasta.solve.types import Ints

Generator = NDArray[np.uint64]
"""One number, that every draw moves on."""

STEP, HALF = np.uint64(splitmix.STEP), np.uint64(splitmix.HALF)
_SHIFTS = tuple(map(np.uint64, splitmix.SHIFTS))
_FACTORS = tuple(map(np.uint64, splitmix.FACTORS))


def new_generator(seed: int) -> Generator:
    return np.array([seed & splitmix.WORD], np.uint64)


@lean_inline
def mix(word: np.uint64) -> np.uint64:
    """`splitmix.mix`, for kernels."""
    word = (word ^ (word >> _SHIFTS[0])) * _FACTORS[0]
    word = (word ^ (word >> _SHIFTS[1])) * _FACTORS[1]
    return word ^ (word >> _SHIFTS[2])


@lean_inline
def scaled(half: np.uint64, count: int) -> int:
    """Half a word as a number below the count."""
    return np.int64((half * np.uint64(count)) >> HALF)  # type: ignore[return-value]


@lean_inline
def below(generator: Generator, count: int) -> int:
    """One of `count` numbers from 0, all equally likely."""
    generator[0] += STEP
    return scaled(mix(generator[0]) >> HALF, count)


@lean_inline
def shuffle(cards: Ints, decks: Ints, deck: int, generator: Generator) -> None:
    for i in range(len(cards)):
        decks[deck, i] = cards[i]
    for i in range(len(cards) - 1, 0, -1):
        j = below(generator, i + 1)
        decks[deck, i], decks[deck, j] = decks[deck, j], decks[deck, i]


@lean_inline
def deal(cards: Ints, decks: Ints, game: int, throws: Ints, count: int, generator: Generator) -> None:
    """So many throws of a game, each from a deck that all games draw from: so luck is shared evenly."""
    for turn in range(count):
        if game % len(cards) == 0:
            shuffle(cards, decks, turn, generator)
        throws[turn] = decks[turn, game % len(cards)]


@lean_kernel
def _fill_with_throws(sums: Ints, throws: Ints, generator: Generator) -> None:
    for game in range(len(throws)):
        for turn in range(throws.shape[1]):
            throws[game, turn] = sums[below(generator, len(sums))]


def many_throws(sums: Ints, games: int, turns: int, generator: Generator) -> Ints:
    """The throws of so many games."""
    throws = np.zeros((games, turns), np.int64)
    _fill_with_throws(sums, throws, generator)
    return throws
