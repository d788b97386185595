"""What Yatzy with 15 boxes says of itself."""

from __future__ import annotations

from kasta.games import badges
from kasta.games.block_traits import EVERY_BOX, bonus
from kasta.games.traits import Par
from kasta.games.yatzy15.rules import RULE_SETS, Yatzy15
from kasta.games.yatzy_traits import SolvedTraits


class Yatzy15Traits(SolvedTraits[Yatzy15]):
    name = "yatzy15"
    rule_sets = RULE_SETS
    rule_set_titles = {"sheet": "Standard rules", "loose": "Four equal are two pairs"}
    title = "Yatzy, 15 boxes"
    blurb = "Five dice, three throws. With pairs, as in Scandinavia."
    member = ("Nordic", "15 boxes")
    known_in = ("sv", "nb")
    sample = "twos 6\nfours 12\nsixes 18\none_pair 12\ntwo_pairs 18\nsmall_straight 15\nyatzy 50"
    sample_ink = ("two_pairs", "small_straight", "yatzy")
    equal_box = "yatzy"
    par = {"sheet": Par(248.44, 38.4964), "loose": Par(248.6749, 38.5812)}  # docs/yatzy.md
    grades = dict.fromkeys(RULE_SETS, (220, 260, 320))
    badges = (
        badges.points(200),
        badges.hand("yatzy", "5 \N{MULTIPLICATION SIGN}", "The first Yatzy"),
        bonus("+50"),
        badges.hand("large_straight", "2\N{EN DASH}6", "A large straight"),
        EVERY_BOX,
        badges.points(300),
    )
    # kasta simulate yatzy15 --bot weak --games 1000 --seed 1, and so on: ± 1.3
    level_means = {"weak": 190.0, "middling": 223.7, "strong": 239.8, "best": 248.4}


TRAITS = Yatzy15Traits()
