"""What Maxi says of itself."""

from __future__ import annotations

from kasta.games.maxi.rules import RULE_SETS, Maxi
from kasta.games.traits import Par
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
    par = {  # docs/yatzy.md; how far totals with saved throws are spread is measured: bench/results-yatzy.md
        "sheet": Par(496.6333, 65.3, is_exact=False),
        "no_saving": Par(394.5575, 76.7472),
        "finnish": Par(383.3054, 56.2095),
    }
    level_means = {
        "weak": 390.2,
        "middling": 453.0,
        "strong": 486.8,
        "best": 496.6,
    }  # of 400 games each, to within 4


TRAITS = MaxiTraits()
