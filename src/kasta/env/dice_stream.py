"""Dice from a seed, the same in every environment, one by one or thousands at once.

The generator is `kasta.solve.splitmix`: one word of state a game and a few operations a die, in Python and in
kernels alike, so the same seed gives the same dice in both.
"""

from __future__ import annotations

from kasta.core import FACES, Faces
from kasta.solve.splitmix import HALF, STEP, WORD, mix

LOWER = (1 << HALF) - 1  # a mask of half a word


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
        return _scaled(self.word() >> HALF, count)

    def throw(self, dice: int) -> Faces:
        """A throw begins with a new word; each word gives two dice, the upper half's and the lower half's."""
        words = [self.word() for _ in range(-(-dice // 2))]
        halves = [half for word in words for half in (word >> HALF, word & LOWER)]
        return tuple(FACES[_scaled(half, len(FACES))] for half in halves[:dice])


def _scaled(half: int, count: int) -> int:
    """Half a word as a number below the count: off by at most the count in 2**32, which nobody will notice."""
    return half * count >> HALF
