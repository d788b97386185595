"""What Yatzy with 15 boxes says of itself."""

from __future__ import annotations

from kasta.games.yatzy15.rules import RULE_SETS, Yatzy15
from kasta.games.yatzy_traits import SolvedTraits


class Yatzy15Traits(SolvedTraits[Yatzy15]):
    name = "yatzy15"
    rule_sets = RULE_SETS
    rule_set_titles = {"sheet": "Standard rules", "loose": "Four equal are two pairs"}
    title = "Yatzy, 15 boxes"
    blurb = "The Yatzy of Scandinavia: five dice, three throws, fifteen boxes, and points for pairs."
    equal_box = "yatzy"


TRAITS = Yatzy15Traits()
