"""What Yatzy with 15 boxes says of itself."""

from __future__ import annotations

from kasta.games.traits import Par
from kasta.games.yatzy15.rules import RULE_SETS, Yatzy15
from kasta.games.yatzy_traits import SolvedTraits


class Yatzy15Traits(SolvedTraits[Yatzy15]):
    name = "yatzy15"
    rule_sets = RULE_SETS
    rule_set_titles = {"sheet": "Standard rules", "loose": "Four equal are two pairs"}
    title = "Yatzy, 15 boxes"
    blurb = "The Yatzy of Scandinavia: five dice, three throws, fifteen boxes, and points for pairs."
    equal_box = "yatzy"
    par = {"sheet": Par(248.44, 38.4964), "loose": Par(248.6749, 38.5812)}  # docs/yatzy.md
    # kasta simulate yatzy15 --bot weak --games 1000 --seed 1, and so on: ± 1.3
    level_means = {"weak": 190.0, "middling": 223.7, "strong": 239.8, "best": 248.4}


TRAITS = Yatzy15Traits()
