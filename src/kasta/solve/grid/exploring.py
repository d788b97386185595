"""Games that learning plays as nobody good would: values must also be right on the sheets that weak players leave.

What a value moves towards is always the best choice, whatever is then played: so slips teach nothing wrong
(off-policy learning). So values are right on what weak players leave, too.
"""

from __future__ import annotations

from kasta.solve.jit import lean_inline
from kasta.solve.splitmix_kernels import Generator, below

KINDS = 20  # of games; a plan says how many of them explore (`Plan.explores`)
SLIPPING, CARELESS, EXPLORING = 5, 10, 16  # of those, five slip now and then, five often, and six begin at random
ALL, OFTEN, SELDOM = 1000, 300, 100  # slips in a thousand choices
ALWAYS = 1000  # choices, more than any game has


@lean_inline
def slips_in_a_game(generator: Generator, explores: int, choices: int) -> tuple[int, int]:
    """How many of a thousand choices slip, and how many of about so many are made until none does any more."""
    if explores == 0:
        return 0, 0
    kind = below(generator, KINDS) - (KINDS - explores)
    if kind < 0:
        return 0, 0
    kind = kind * EXPLORING // explores
    if kind < SLIPPING:
        return SELDOM, ALWAYS
    if kind < CARELESS:
        return OFTEN, ALWAYS
    return ALL, 1 + below(generator, choices)


@lean_inline
def slips(generator: Generator, often: int, until: int, made: int) -> bool:
    return often > 0 and made < until and below(generator, ALL) < often
