"""Yatzy with 13 boxes: five dice, three throws a turn, and jokers for a second Yatzy."""

from kasta.games.block import Action, Fill, Keep, Sheet
from kasta.games.yatzy.rules import BOXES, JOKER_PAYS, RULE_SETS, UPPER, Rules, Yatzy, box_points

__all__ = [
    "BOXES",
    "JOKER_PAYS",
    "RULE_SETS",
    "UPPER",
    "Action",
    "Fill",
    "Keep",
    "Rules",
    "Sheet",
    "Yatzy",
    "box_points",
]
