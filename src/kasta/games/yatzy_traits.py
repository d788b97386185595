"""What all games say that the solver of Yatzy knows: who values, plays and trains them."""

from __future__ import annotations

from typing import TypeVar

from kasta.games.block import BlockGame
from kasta.games.block_traits import BlockTraits

B = TypeVar("B", bound=BlockGame)


class SolvedTraits(BlockTraits[B]):
    """A block with the solver, bots and environments of Yatzy."""

    theme = "rust"
    family = "Yatzy"
    note = "The classic"
    first_steps = (
        "Throw the dice: you have three throws in a turn.",
        "Tap dice to keep them and throw the others again, or fill a box at once.",
        "Each box is filled once: choose where your dice are worth most.",
    )
    valuer = "kasta.solve.yatzy.estimate:valuer_of"
    bots = "kasta.bots.yatzy:BOTS"
    take_along = "kasta.solve.yatzy.take_along"
    solver = "kasta.solve.yatzy.solution:solution_of"
    distribution = "kasta.solve.yatzy.distribution:distribution_of"
    target = "kasta.solve.yatzy.target:options_of"
    winner = "kasta.solve.yatzy.win:winner_of"
    coding = "kasta.env.codings.yatzy:coding"
    bounds = "kasta.env.codings.yatzy:bounds"
    kernels = "kasta.env.kernels.yatzy"
