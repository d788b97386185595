"""Yatzy with 15 boxes: five dice, three throws a turn, and points for pairs."""

from kasta.games.block import Action, Fill, Keep, Sheet
from kasta.games.yatzy15.rules import BOXES, RULE_SETS, Yatzy15

__all__ = ["BOXES", "RULE_SETS", "Action", "Fill", "Keep", "Sheet", "Yatzy15"]
