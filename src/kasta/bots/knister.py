"""Knister's bots; the levels below `quick` were measured over many games, and the classes between them."""

from kasta.bots.grid import Wavering, estimating_bots

BOTS = estimating_bots(
    {
        "seasoned": Wavering(1.0, mean=61.1),
        "casual": Wavering(1.6, mean=52.2),
        "beginner": Wavering(2.4, mean=42.3),
        "child": Wavering(4.5, mean=30.6),
    },
    {"master": 0.009, "expert": 0.018, "seasoned": 0.049, "casual": 0.076, "beginner": 0.105},
)
