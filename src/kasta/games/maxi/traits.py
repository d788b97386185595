"""What Maxi says of itself."""

from __future__ import annotations

from kasta.games.maxi.rules import RULE_SETS, Maxi
from kasta.games.yatzy_traits import SolvedTraits


class MaxiTraits(SolvedTraits[Maxi]):
    name = "maxi"
    rule_sets = RULE_SETS
    rule_set_titles = {
        "sheet": "With saved throws",
        "no_saving": "Without saved throws",
        "finnish": "Finnish rules",
    }
    title = "Maxi Yatzy"
    blurb = "Six dice and twenty boxes; throws that you do not use are saved for later."
    equal_box = "maxi_yatzy"


TRAITS = MaxiTraits()
