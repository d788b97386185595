"""Games that learning plays as nobody good would: values must also be right on the sheets that weak players leave.

What a value moves towards is always the best choice, whatever is then played: so slips teach nothing wrong
(off-policy learning). The values that come with this package were learned without such games.
"""

from __future__ import annotations

from kasta.solve.jit import lean_inline
from kasta.solve.splitmix_kernels import Generator, below

# Of twenty games, ten play as well as they can, three slip now and then, three often, and four begin at random.
WELL, SLIPPING, CARELESS, KINDS = 10, 13, 16, 20
ALL, OFTEN, SELDOM = 1000, 300, 100  # slips in a thousand choices
LATEST = 24  # choice at which a game that began at random plays on as well as it can
NEVER_AGAIN = 1000  # choices, more than any game has


@lean_inline
def slips_in_a_game(generator: Generator) -> tuple[int, int]:
    """How many of a thousand choices slip, and how many are made until none does any more."""
    kind = below(generator, KINDS)
    if kind < WELL:
        return 0, 0
    if kind < SLIPPING:
        return SELDOM, NEVER_AGAIN
    if kind < CARELESS:
        return OFTEN, NEVER_AGAIN
    return ALL, 1 + below(generator, LATEST)


@lean_inline
def slips(generator: Generator, often: int, until: int, made: int) -> bool:
    return often > 0 and made < until and below(generator, ALL) < often
