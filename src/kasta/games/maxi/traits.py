"""What Maxi says of itself."""

from __future__ import annotations

from kasta.games.block_traits import BlockTraits
from kasta.games.maxi.rules import RULE_SETS, Maxi


class MaxiTraits(BlockTraits[Maxi]):
    name = "maxi"
    rule_sets = RULE_SETS
    rule_set_titles = {
        "sheet": "With saved throws",
        "no_saving": "Without saved throws",
        "finnish": "Finnish rules",
    }
    title = "Maxi Yatzy"
    blurb = "Six dice and twenty boxes; throws that you do not use are saved for later."
    theme = "rust"
    equal_box = "maxi_yatzy"
    coding = "kasta.env.codings.yatzy:coding"
    bounds = "kasta.env.codings.yatzy:bounds"
    kernels = "kasta.env.kernels.yatzy"


TRAITS = MaxiTraits()
