"""Maxi: six dice, 20 boxes, and throws that can be saved for later turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kasta.games.block import BlockGame
from kasta.games.scores import UPPER, Scores, all_equal, any_dice, groups, pays, straight

SCORES: Scores = {
    **UPPER,
    "one_pair": groups(2),
    "two_pairs": groups(2, 2),
    "three_pairs": groups(2, 2, 2),
    "three_of_a_kind": groups(3),
    "four_of_a_kind": groups(4),
    "five_of_a_kind": groups(5),
    "small_straight": straight(range(1, 6)),
    "large_straight": straight(range(2, 7)),
    "full_straight": straight(range(1, 7)),
    "full_house": groups(3, 2),
    "villa": groups(3, 3),
    "tower": groups(4, 2),
    "chance": any_dice,
    "maxi_yatzy": pays(100, all_equal),
}
BOXES = tuple(SCORES)


@dataclass(frozen=True, kw_only=True)
class Maxi(BlockGame):
    """The rules for one block of 20 boxes."""

    dice: int = 6
    boxes: tuple[str, ...] = BOXES
    upper_bonus: int = 100
    upper_goal: int = 84

    scores: ClassVar[Scores] = SCORES


RULE_SETS = {
    "sheet": Maxi(saves=True),
    "no_saving": Maxi(),
    "finnish": Maxi(upper_bonus=50, upper_goal=75),
}
