"""Games that learning plays as nobody good would: values must also be right on the sheets that weak players leave.

What a value moves towards is always the best choice, whatever is then played: so slips teach nothing wrong
(off-policy learning). The values that reviews go by were learned so.
"""

from __future__ import annotations

from kasta.solve.jit import lean_inline
from kasta.solve.splitmix_kernels import Generator, below

# Of twenty games, four play as well as they can, five slip now and then, five often, and six begin at random.
WELL, SLIPPING, CARELESS, KINDS = 4, 9, 14, 20
ALL, OFTEN, SELDOM = 1000, 300, 100  # slips in a thousand choices
ALWAYS = 1000  # choices, more than any game has


@lean_inline
def slips_in_a_game(generator: Generator, choices: int) -> tuple[int, int]:
    """How many of a thousand choices slip, and how many of about so many are made until none does any more."""
    kind = below(generator, KINDS)
    if kind < WELL:
        return 0, 0
    if kind < SLIPPING:
        return SELDOM, ALWAYS
    if kind < CARELESS:
        return OFTEN, ALWAYS
    return ALL, 1 + below(generator, choices)


@lean_inline
def slips(generator: Generator, often: int, until: int, made: int) -> bool:
    return often > 0 and made < until and below(generator, ALL) < often
