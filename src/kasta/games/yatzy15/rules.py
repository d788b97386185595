"""Yatzy with 15 boxes, as in Scandinavia: most boxes pay the dice that fit, and there is no joker."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from kasta.games.block import BlockGame
from kasta.games.scores import UPPER, Scores, all_equal, any_dice, groups, pays, straight

SCORES: Scores = {
    **UPPER,
    "one_pair": groups(2),
    "two_pairs": groups(2, 2),
    "three_of_a_kind": groups(3),
    "four_of_a_kind": groups(4),
    "small_straight": straight(range(1, 6)),
    "large_straight": straight(range(2, 7)),
    "full_house": groups(3, 2),
    "chance": any_dice,
    "yatzy": pays(50, all_equal),
}
LOOSE = {**SCORES, "two_pairs": groups(2, 2, differ=False), "full_house": groups(3, 2, differ=False)}
BOXES = tuple(SCORES)


@dataclass(frozen=True)
class Yatzy15(BlockGame):
    """The rules for one block of 15 boxes; `loose` takes four equal for two pairs, five equal for a full house."""

    loose: bool = False
    _: KW_ONLY
    boxes: tuple[str, ...] = BOXES
    upper_bonus: int = 50
    upper_goal: int = 63

    @property
    def scores(self) -> Scores:
        return LOOSE if self.loose else SCORES


RULE_SETS = {"sheet": Yatzy15(), "loose": Yatzy15(loose=True)}
