"""Random numbers for kernels: SplitMix64, so that a seed gives the same games on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.solve.grid.geometry import Ints
from kasta.solve.lean import part

Generator = NDArray[np.uint64]
"""One number, that every draw moves on."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
HALF = np.uint64(32)


def generator(seed: int) -> Generator:
    return np.array([seed % 2**64], np.uint64)


@part
def mixed(number: np.uint64) -> np.uint64:
    """A number that looks as if it had nothing to do with this one."""
    number = (number ^ (number >> SHIFTS[0])) * MIX[0]
    number = (number ^ (number >> SHIFTS[1])) * MIX[1]
    return number ^ (number >> SHIFTS[2])


@part
def below(generator: Generator, count: int) -> int:
    """One of `count` numbers from 0, all equally likely."""
    generator[0] += GOLDEN
    return np.int64(((mixed(generator[0]) >> HALF) * np.uint64(count)) >> HALF)  # type: ignore[return-value]


@part
def shuffle(cards: Ints, decks: Ints, deck: int, generator: Generator) -> None:
    for i in range(len(cards)):
        decks[deck, i] = cards[i]
    for i in range(len(cards) - 1, 0, -1):
        j = below(generator, i + 1)
        decks[deck, i], decks[deck, j] = decks[deck, j], decks[deck, i]


@part
def deal(cards: Ints, decks: Ints, game: int, throws: Ints, count: int, generator: Generator) -> None:
    """So many throws of a game, each from a deck that all games draw from: so luck is shared evenly."""
    for turn in range(count):
        if game % len(cards) == 0:
            shuffle(cards, decks, turn, generator)
        throws[turn] = decks[turn, game % len(cards)]
