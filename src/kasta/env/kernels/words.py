"""What all kernels share: dice from a stream, and what comes next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES
from kasta.env.dice_stream import LOWER
from kasta.solve.jit import kernel, lean_inline
from kasta.solve.splitmix_kernels import HALF, STEP, mix, scaled

Row = NDArray[np.int8]  # a sheet as the coding has it, or a mask of actions
Notes = NDArray[np.int64]  # what a kernel keeps of a sheet to save counting

THROW, PICK, OVER = 0, 1, 2  # what comes next

_LOWER, _FACES = np.uint64(LOWER), len(FACES)
_0, _1, _2, _3, _4, _7, _8, _56, _BYTE = map(np.uint64, (0, 1, 2, 3, 4, 7, 8, 56, 0xFF))
_EACH, _TOP, _ALTERNATE, _PAIRS, _NIBBLES = (
    np.uint64(byte * 0x0101010101010101) for byte in (0x01, 0x80, 0x55, 0x33, 0x0F)
)
_PLACES = [[place for place in range(8) if byte >> place & 1] for byte in range(256)]
_PLACE = np.array(
    [[*places, *[0] * (8 - len(places))] for places in _PLACES], np.int8
)  # of the n-th one of a byte


@lean_inline
def advance(state: np.uint64) -> np.uint64:
    return state + STEP


@lean_inline
def below(state: np.uint64, count: int) -> int:
    """`dice_stream.Stream.below`, for kernels, of a state that has been advanced."""
    return scaled(mix(state) >> HALF, count)


@lean_inline
def die(state: np.uint64, word: np.uint64, number: int) -> tuple[np.uint64, np.uint64, int]:
    """The die of that number in a throw, 0 to 5. Every other one takes a new word, and leaves half of it."""
    if number & 1:
        half = word & _LOWER
    else:
        state = advance(state)
        word = mix(state)
        half = word >> HALF
    return state, word, scaled(half, _FACES)


@lean_inline
def eight(mask: Row, first: int) -> np.uint64:
    """Eight places of a mask as the bytes of a word: compiled, one read of memory."""
    word = _0
    for i in range(8):
        word |= np.uint64(np.uint8(mask[first + i])) << np.uint64(8 * i)
    return word


@lean_inline
def nth(mask: Row, n: int) -> int:
    """Where the n-th one of a mask stands, counted from 0; -1 if there are not so many."""
    whole = len(mask) & -8
    for first in range(0, whole, 8):
        so_far = eight(mask, first) * _EACH
        found = int(so_far >> _56)
        if n < found:
            return first + passed(so_far, n)
        n -= found
    for i in range(len(mask) - whole):
        n -= mask[whole + i]
        if n < 0:
            return whole + i
    return -1


@lean_inline
def passed(so_far: np.uint64, n: int) -> int:
    """How many bytes of a word, each with the ones up to there, n is beyond."""
    beyond = (((np.uint64(n) * _EACH) | _TOP) - so_far) & _TOP
    return np.int64(((beyond >> _7) * _EACH) >> _56)  # type: ignore[return-value]


@lean_inline
def count(mask: Row) -> int:
    """How many ones a mask has; fewer than 256, which lets the processor count sixteen places at once."""
    found = np.uint8(0)
    for place in range(len(mask)):
        found = np.uint8(found + mask[place])
    return int(found)


@lean_inline
def sums(bits: int) -> np.uint64:
    """A byte for every byte of a word: how many ones the word has up to there."""
    word = np.uint64(bits)
    ones = word - ((word >> _1) & _ALTERNATE)
    ones = (ones & _PAIRS) + ((ones >> _2) & _PAIRS)
    return ((ones + (ones >> _4)) & _NIBBLES) * _EACH


@lean_inline
def ones(bits: int) -> int:
    """How many ones a word has."""
    return np.int64(sums(bits) >> _56)  # type: ignore[return-value]


@lean_inline
def nth_bit(bits: int, n: int) -> int:
    """Where the n-th one of a word stands, counted from 0; without a loop, whose length no processor can guess."""
    so_far = sums(bits)
    byte = np.uint64(passed(so_far, n)) << _3
    rest = np.uint64(n) - (((so_far << _8) >> byte) & _BYTE)
    return np.int64(byte) + _PLACE[(np.uint64(bits) >> byte) & _BYTE, rest]


@kernel
def starts(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`dice_stream.dice_start` of many seeds."""
    found = np.empty_like(seeds)
    for i in range(len(seeds)):
        found[i] = mix(seeds[i])
    return found
