"""Maxi: six dice, 20 boxes, three throws a turn, and those not used are saved."""

from kasta.games.block import Action, Fill, Keep, Sheet
from kasta.games.maxi.rules import BOXES, RULE_SETS, Maxi

__all__ = ["BOXES", "RULE_SETS", "Action", "Fill", "Keep", "Maxi", "Sheet"]
