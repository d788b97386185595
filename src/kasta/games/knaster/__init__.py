"""Knaster: write the sum or circle it; a hand earns circles, and five circles in a line earn its points."""

from kasta.games.knaster.rules import (
    CIRCLES,
    Action,
    Bonus,
    Circle,
    Knaster,
    KnasterLineScore,
    Pass,
    Sheet,
    Write,
)

__all__ = ["CIRCLES", "Action", "Bonus", "Circle", "Knaster", "KnasterLineScore", "Pass", "Sheet", "Write"]
