"""What Maxi says of itself."""

from __future__ import annotations

from kasta.games import badges
from kasta.games.block_traits import EVERY_BOX, bonus
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
    blurb = "Six dice. Throws that you save come back."
    member = ("Maxi", "20 boxes")
    sample = "twos 8\nfours 16\nsixes 24\none_pair 12\nthree_of_a_kind 15\nfull_straight 21\nsaved 3"
    sample_ink = ("fours", "three_of_a_kind", "full_straight")
    equal_box = "maxi_yatzy"
    par = {  # docs/yatzy.md; how far totals with saved throws are spread is measured: bench/results-yatzy.md
        "sheet": Par(496.6333, 65.3, is_exact=False),
        "no_saving": Par(394.5575, 76.7472),
        "finnish": Par(383.3054, 56.2095),
    }
    grades = {"sheet": (460, 530, 580), "no_saving": (360, 420, 530), "finnish": (335, 390, 490)}
    badges = (
        badges.points(400),
        badges.hand("maxi_yatzy", "6 \N{MULTIPLICATION SIGN}", "The first Maxi Yatzy"),
        bonus("+100"),
        badges.hand("full_straight", "1\N{EN DASH}6", "A full straight"),
        badges.hand("tower", "4+2", "A tower"),
        EVERY_BOX,
        badges.points(500),
    )
    level_means = {
        "weak": 390.2,
        "middling": 453.0,
        "strong": 486.8,
        "best": 496.6,
    }  # of 400 games each, to within 4


TRAITS = MaxiTraits()
