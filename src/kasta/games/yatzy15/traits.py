"""What Yatzy with 15 boxes says of itself."""

from __future__ import annotations

from kasta.games.block_traits import BlockTraits
from kasta.games.yatzy15.rules import RULE_SETS, Yatzy15


class Yatzy15Traits(BlockTraits[Yatzy15]):
    name = "yatzy15"
    rule_sets = RULE_SETS
    rule_set_titles = {"sheet": "Standard rules", "loose": "Four equal are two pairs"}
    title = "Yatzy, 15 boxes"
    blurb = "The Yatzy of Scandinavia: five dice, three throws, fifteen boxes, and points for pairs."
    theme = "rust"
    equal_box = "yatzy"
    valuer = "kasta.solve.yatzy.valuer:valuer_of"
    bots = "kasta.bots.yatzy:BOTS"
    solver = "kasta.solve.yatzy.solution:solution_of"
    distribution = "kasta.solve.yatzy.distribution:distribution_of"
    target = "kasta.solve.yatzy.target:options_of"
    winner = "kasta.solve.yatzy.win:winner_of"
    coding = "kasta.env.codings.yatzy:coding"
    bounds = "kasta.env.codings.yatzy:bounds"
    kernels = "kasta.env.kernels.yatzy"


TRAITS = Yatzy15Traits()
