"""Dice from a seed, the same in every environment, one by one or thousands at once.

The generator is SplitMix64: a counter, and a hash of it. That takes one word of state a game and a few operations
a die, in Python and in kernels alike, so the same seed gives the same dice in both. It is no secret: who must not
foresee dice is given those of `kasta.dice`.
"""

from __future__ import annotations

from kasta.core import FACES, Faces

WORD = 2**64 - 1
HALF = 2**32 - 1
STEP = 0x9E3779B97F4A7C15
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))  # shift, then multiply


def mix(word: int) -> int:
    """The hash that makes a counter random."""
    for shift, factor in MIX:
        word = (word ^ word >> shift) * factor & WORD
    return word


def dice_start(seed: int) -> int:
    """Where a seed's dice begin."""
    return mix(seed & WORD)


def choice_start(seed: int) -> int:
    """Where a seed's random choices begin: a player who used the dice's own stream would know the next throw."""
    return mix(~seed & WORD)


class Stream:
    """Random numbers from a start; `state` is all it is."""

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        self.state = self.state + STEP & WORD
        return mix(self.state)

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        return _scaled(self.word() >> 32, count)

    def throw(self, dice: int) -> Faces:
        """A throw begins with a new word; each word gives two dice, the upper half's and the lower half's."""
        words = [self.word() for _ in range(-(-dice // 2))]
        halves = [half for word in words for half in (word >> 32, word & HALF)]
        return tuple(FACES[_scaled(half, len(FACES))] for half in halves[:dice])


def _scaled(half: int, count: int) -> int:
    """Half a word as a number below the count: off by at most the count in 2**32, which nobody will notice."""
    return half * count >> 32
