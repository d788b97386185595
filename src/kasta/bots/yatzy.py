"""Yatzy's bots: it is solved, so they differ only in how often they err, and in what they play for."""

from kasta.bots.base import SIMPLE, Bots
from kasta.bots.by_value import Best, ByValue, ToWin

BOTS = Bots(
    {
        "best": Best(),
        "strong": ByValue(0.5),
        "middling": ByValue(1.0),
        "weak": ByValue(2.0),
        "winner": ToWin(),
        **SIMPLE,
    },
    {level: level for level in ("best", "strong", "middling", "weak")},
)
