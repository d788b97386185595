"""SplitMix64 (Steele, Lea and Flood, 2014): a counter, and a hash of it.

The one generator of games that a seed must give again: simulated, learned from, or played in environments. A seed
gives the same numbers on every machine, in Python (here) and in kernels (`splitmix_kernels`). It is no secret: who
must not foresee dice is given those of `kasta.dice`.
"""

from __future__ import annotations

WORD = 2**64 - 1  # a mask
HALF = 32  # bits
STEP = 0x9E3779B97F4A7C15
SHIFTS = (30, 27, 31)
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def mix(word: int) -> int:
    """The hash that makes a counter random."""
    word = (word ^ word >> SHIFTS[0]) * FACTORS[0] & WORD
    word = (word ^ word >> SHIFTS[1]) * FACTORS[1] & WORD
    return word ^ word >> SHIFTS[2]


def chunk_seed(seed: int, chunk: int) -> int:
    """The seed of a chunk of games: chunks may be played in any order, by any number of processes."""
    return mix(mix(seed & WORD) + (chunk + 1) * STEP & WORD)
