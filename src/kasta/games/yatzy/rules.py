"""Yatzy with 13 boxes: up to three throws of five dice, then one free box, and jokers for a second Yatzy."""

from __future__ import annotations

from collections import Counter
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Literal

from kasta.core import Faces
from kasta.errors import Unreadable
from kasta.games.block import Action, BlockGame, Fill, Sheet
from kasta.games.scores import UPPER as UPPER_SCORES, Scores, all_equal, all_if, any_dice, has_equal, has_run, pays

UPPER = tuple(UPPER_SCORES)
JOKER_PAYS = {"full_house": 25, "small_straight": 30, "large_straight": 40}
SCORES: Scores = {
    **UPPER_SCORES,
    "three_of_a_kind": all_if(has_equal(3)),
    "four_of_a_kind": all_if(has_equal(4)),
    "full_house": pays(JOKER_PAYS["full_house"], lambda dice: sorted(Counter(dice).values()) == [2, 3]),
    "small_straight": pays(JOKER_PAYS["small_straight"], has_run(4)),
    "large_straight": pays(JOKER_PAYS["large_straight"], has_run(5)),
    "yatzy": pays(50, all_equal),
    "chance": any_dice,
}
BOXES = tuple(SCORES)


@dataclass(frozen=True, slots=True)
class Rules:
    """The differences between the named rule sets. A joker is five equal dice when the Yatzy box is filled."""

    rethrow_all: bool = True
    bonus: int = 100  # for five equal, once the Yatzy box holds its points
    joker: Literal["forced", "free"] | None = None
    joker_after_zero: bool = False  # it holds, without the bonus, although the Yatzy box was given up


RULE_SETS = {
    "sheet": Rules(rethrow_all=False, joker="forced"),
    "sheet_rethrow": Rules(joker="forced"),
    "official": Rules(joker="forced", joker_after_zero=True),
    "free_joker": Rules(joker="free", joker_after_zero=True),
    "bonus_only": Rules(),
    "plain": Rules(bonus=0),
}


@dataclass(frozen=True)
class Yatzy(BlockGame):
    """The rules for one block of 13 boxes."""

    rules: Rules = RULE_SETS["sheet"]
    _: KW_ONLY
    boxes: tuple[str, ...] = BOXES
    upper_bonus: int = 35
    upper_goal: int = 63

    scores = SCORES
    counters = ("jokers",)

    @property
    def rethrow_all(self) -> bool:
        return self.rules.rethrow_all

    def filled(self, sheet: Sheet, box: str) -> Sheet:
        equal = all_equal(sheet.dice)
        earned = bool(self.rules.bonus and equal and self.held(sheet, "yatzy"))
        return replace(super().filled(sheet, box), jokers=sheet.jokers + earned)

    def objection(self, sheet: Sheet, action: Action) -> str | None:
        code = super().objection(sheet, action)
        if code is None and isinstance(action, Fill) and action.box not in self.open_boxes(sheet):
            return "joker_elsewhere"
        return code

    def open_boxes(self, sheet: Sheet) -> list[str]:
        """The boxes that may be filled with the dice on the table: all free ones, unless a joker is forced."""
        free = super().open_boxes(sheet)
        if self.rules.joker != "forced" or not self.is_joker(sheet):
            return free
        own = UPPER[sheet.dice[0] - 1]
        return [box for box in free if box == own] or [box for box in free if box not in UPPER] or free

    def is_joker(self, sheet: Sheet) -> bool:
        """Whether the dice are five equal, once more."""
        held = self.held(sheet, "yatzy")
        if self.rules.joker is None or held is None or not all_equal(sheet.dice):
            return False
        return held > 0 or self.rules.joker_after_zero

    def points(self, sheet: Sheet, box: str) -> int:
        if box in JOKER_PAYS and self.is_joker(sheet):
            own = UPPER[sheet.dice[0] - 1]
            if self.held(sheet, own) is not None:
                return JOKER_PAYS[box]
        return super().points(sheet, box)

    def total(self, sheet: Sheet) -> int:
        return super().total(sheet) + self.rules.bonus * sheet.jokers

    def check_counts(self, values: dict[str, int], counts: dict[str, int]) -> None:
        jokers = counts["jokers"]
        if jokers and (not values.get("yatzy") or jokers >= len(values) or not self.rules.bonus):
            raise Unreadable("too_many_jokers", jokers=jokers)

    @cached_property
    def attainable(self) -> dict[str, set[int]]:
        return {
            box: found | ({JOKER_PAYS[box]} if box in JOKER_PAYS else set())
            for box, found in super().attainable.items()
        }


def box_points(box: str, dice: Faces) -> int:
    """What dice are worth in a box when they are no joker."""
    return SCORES[box](dice)
