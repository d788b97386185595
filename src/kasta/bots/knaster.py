"""Knaster's bots; the levels below `quick` were measured over many games, and the classes between them."""

from kasta.bots.grid import Wavering, estimating_bots

BOTS = estimating_bots(
    {
        "seasoned": Wavering(0.77, mean=84.5),
        "casual": Wavering(1.4, mean=69.6),
        "beginner": Wavering(2.23, mean=55.3),
        "child": Wavering(3.4, mean=41.2),
    },
    {"master": 0.018, "expert": 0.042, "seasoned": 0.074, "casual": 0.100, "beginner": 0.130},
)
