"""What is made of dice and boxes in games with a block of boxes."""

from __future__ import annotations

from kasta.core import Faces
from kasta.games.drawing import Feast

# Most boxes are just filled. Dice that are all equal are celebrated when they fall, not in their box.
FEASTS = {
    "full_house": 2,
    "small_straight": 2,
    "large_straight": 3,
    "full_straight": 3,
    "villa": 2,
    "tower": 3,
}
BIG = 4


def box_feast(box: str, points: int) -> int:
    """The size of the feast for points in a box."""
    return FEASTS.get(box, 0) if points else 0


def equal_dice(dice: Faces, held: int | None, call: str) -> Feast | None:
    """The feast for dice that are all equal, if their own box is still open, or `held` what they pay there."""
    return Feast(BIG, call) if len(set(dice)) == 1 and held != 0 else None
