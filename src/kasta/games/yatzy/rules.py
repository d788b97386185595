"""Yatzy with 13 boxes: up to three throws of five dice, then one free box, and jokers for a second Yatzy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Literal

from kasta.core import FACES, Faces, Next, Over, Pick, Throw, check_pick, check_throw, listed
from kasta.errors import Illegal, Unreadable

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
BOXES = (
    *UPPER,
    "three_of_a_kind",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "yatzy",
    "chance",
)
FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT, YATZY = 25, 30, 40, 50
JOKER_PAYS = {"full_house": FULL_HOUSE, "small_straight": SMALL_STRAIGHT, "large_straight": LARGE_STRAIGHT}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the named rule sets differ in. A joker is five equal dice when the Yatzy box is filled."""

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


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice, in ascending order, and throw the others again."""

    dice: Faces

    def __repr__(self) -> str:
        return " ".join(["keep", *map(str, self.dice)])


@dataclass(frozen=True, slots=True)
class Fill:
    """Write what the dice are worth into a free box."""

    box: str

    def __repr__(self) -> str:
        return f"fill {self.box}"


Action = Keep | Fill


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's block, and the dice on the table: all of them after a throw, the kept ones before the next."""

    boxes: tuple[int | None, ...]
    jokers: int = 0
    dice: Faces = ()
    throws: int = 0


@dataclass(frozen=True)
class Yatzy:
    """The rules for one block. Fewer dice, throws or boxes make the small games that proofs need."""

    rules: Rules = RULE_SETS["sheet"]
    dice: int = 5
    throws: int = 3
    boxes: tuple[str, ...] = BOXES
    upper_bonus: int = 35
    upper_goal: int = 63

    def start(self) -> Sheet:
        return Sheet((None,) * len(self.boxes))

    def next(self, sheet: Sheet) -> Next:
        if len(sheet.dice) == self.dice:
            return Pick()
        return Throw(self.dice - len(sheet.dice)) if None in sheet.boxes else Over()

    def legal(self, sheet: Sheet) -> list[Action]:
        if len(sheet.dice) < self.dice:
            return []
        fills: list[Action] = [Fill(box) for box in self._boxes_open(sheet)]
        if sheet.throws == self.throws:
            return fills
        sizes = range(0 if self.rules.rethrow_all else 1, self.dice)
        keeps = dict.fromkeys(kept for size in sizes for kept in combinations(sheet.dice, size))
        return [*map(Keep, keeps), *fills]

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:  # no throw is special
        check_throw(self.next(sheet), faces)
        return replace(sheet, dice=tuple(sorted((*sheet.dice, *faces))), throws=sheet.throws + 1)

    def act(self, sheet: Sheet, action: Action) -> Sheet:
        check_pick(self.next(sheet))
        if (code := self._objection(sheet, action)) is not None:
            raise Illegal(code, action=action, dice=listed(sheet.dice), legal=listed(self.legal(sheet)))
        match action:
            case Keep(kept):
                return replace(sheet, dice=kept)
            case Fill(box):
                boxes = list(sheet.boxes)
                boxes[self.boxes.index(box)] = self.points(sheet, box)
                return Sheet(tuple(boxes), sheet.jokers + self._earns_bonus(sheet))

    def _objection(self, sheet: Sheet, action: Action) -> str | None:
        """The code of what is wrong with an action, None if nothing is."""
        match action:
            case Keep() if sheet.throws == self.throws:
                return "no_throw_left"
            case Keep(kept) if Counter(kept) - Counter(sheet.dice):
                return "die_not_thrown"
            case Keep(()) if not self.rules.rethrow_all:
                return "keep_at_least_one"
            case Keep(kept) if len(kept) == self.dice:
                return "keep_all_is_stopping"
            case Fill(box) if self._filled(sheet, box) is not None:
                return "box_filled"
            case Fill(box) if box not in self._boxes_open(sheet):
                return "joker_elsewhere"
        return None

    def _filled(self, sheet: Sheet, box: str) -> int | None:
        """What a box holds; one that this game does not have counts as filled with nothing."""
        return sheet.boxes[self.boxes.index(box)] if box in self.boxes else 0

    def _boxes_open(self, sheet: Sheet) -> list[str]:
        """The boxes that may be filled with the dice on the table: all free ones, unless a joker is forced."""
        free = [box for box, points in zip(self.boxes, sheet.boxes, strict=True) if points is None]
        if self.rules.joker != "forced" or not self.is_joker(sheet):
            return free
        own = UPPER[sheet.dice[0] - 1]
        return [box for box in free if box == own] or [box for box in free if box not in UPPER] or free

    def is_joker(self, sheet: Sheet) -> bool:
        """Whether the dice are five equal, once more."""
        held = self._filled(sheet, "yatzy")
        if self.rules.joker is None or held is None or len(set(sheet.dice)) > 1:
            return False
        return held > 0 or self.rules.joker_after_zero

    def _earns_bonus(self, sheet: Sheet) -> bool:
        equal = len(set(sheet.dice)) == 1
        return bool(self.rules.bonus and equal and self._filled(sheet, "yatzy"))

    def points(self, sheet: Sheet, box: str) -> int:
        """What the dice on the table would pay in a free box, without any bonus."""
        if box in JOKER_PAYS and self.is_joker(sheet):
            own = UPPER[sheet.dice[0] - 1]
            if self._filled(sheet, own) is not None:
                return JOKER_PAYS[box]
        return box_points(box, sheet.dice)

    def rests(self, sheet: Sheet) -> bool:
        return sheet.throws == 0

    def ends(self, sheet: Sheet) -> bool:  # everybody has as many turns
        return False

    def upper(self, sheet: Sheet) -> int:
        return sum(points or 0 for box, points in zip(self.boxes, sheet.boxes, strict=True) if box in UPPER)

    def bonus(self, sheet: Sheet) -> int:
        """The upper section's bonus, once it is reached."""
        return self.upper_bonus if self.upper(sheet) >= self.upper_goal else 0

    def total(self, sheet: Sheet) -> int:
        return sum(points or 0 for points in sheet.boxes) + self.bonus(sheet) + self.rules.bonus * sheet.jokers

    def score(self, sheet: Sheet) -> dict[str, object]:
        """With dice on the table, what each open box would pay; without, what the block holds."""
        if sheet.dice:
            pays = [{"box": box, "points": self.points(sheet, box)} for box in self._boxes_open(sheet)]
            return {"boxes": pays}
        return {
            "boxes": [{"box": box, "points": points} for box, points in zip(self.boxes, sheet.boxes, strict=True)],
            "upper": self.upper(sheet),
            "bonus": self.bonus(sheet),
            "jokers": sheet.jokers,
            "total": self.total(sheet),
        }

    def read_action(self, text: str) -> Action:
        match text.split(" "):
            case ["fill", box] if box in self.boxes:
                return Fill(box)
            case ["keep", *faces] if not faces or _are_faces(faces):
                return Keep(tuple(sorted(map(int, faces))))
        raise Unreadable("unknown_action", text=text, example=f"keep 3 3 5, fill {self.boxes[0]}")

    def read_sheet(self, text: str) -> Sheet:
        """A block, a row of dice on the table, or both."""
        values: dict[str, int] = {}
        dice: Faces = ()
        for line, row in enumerate(text.splitlines(), 1):
            match row.split():
                case []:
                    pass
                case faces if not dice and all(text.isdecimal() for text in faces):
                    if not _are_faces(faces):
                        face = next(text for text in faces if not _are_faces([text]))
                        raise Unreadable("no_such_face", face=face, line=line)
                    if len(faces) != self.dice:
                        raise Unreadable("wrong_number_of_dice", dice=self.dice, thrown=len(faces), line=line)
                    dice = tuple(sorted(map(int, faces)))
                case [name, value] if (name in self.boxes or name == "jokers") and re.fullmatch(
                    "[0-9]{1,4}", value
                ):
                    if name in values:
                        raise Unreadable("box_twice", box=name, line=line)
                    if name != "jokers" and int(value) not in self._attainable[name]:
                        raise Unreadable("impossible_points", box=name, points=value, line=line)
                    values[name] = int(value)
                case _:
                    raise Unreadable("unknown_box", text=row.strip(), line=line)
        return self._block(values, dice)

    def _block(self, values: dict[str, int], dice: Faces) -> Sheet:
        jokers = values.pop("jokers", 0)
        if jokers and (not values.get("yatzy") or jokers >= len(values) or not self.rules.bonus):
            raise Unreadable("too_many_jokers", jokers=jokers)
        if dice and len(values) == len(self.boxes):
            raise Unreadable("dice_on_full_block")
        return Sheet(tuple(values.get(box) for box in self.boxes), jokers, dice, self.throws if dice else 0)

    @cached_property
    def _attainable(self) -> dict[str, set[int]]:
        """Every value that a box can hold."""
        throws = list(combinations_with_replacement(FACES, self.dice))
        values = {box: {box_points(box, dice) for dice in throws} for box in self.boxes}
        return {box: found | ({JOKER_PAYS[box]} if box in JOKER_PAYS else set()) for box, found in values.items()}

    def write_sheet(self, sheet: Sheet) -> str:
        filled = [(box, points) for box, points in zip(self.boxes, sheet.boxes, strict=True) if points is not None]
        return "".join(f"{name} {value}\n" for name, value in [*filled, ("jokers", sheet.jokers)])


def _are_faces(texts: Sequence[str]) -> bool:
    return bool(re.fullmatch("[1-6]+", "".join(texts))) and all(len(text) == 1 for text in texts)


def box_points(box: str, dice: Faces) -> int:
    """What dice are worth in a box when they are no joker."""
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * dice.count(face)
    counts = sorted(Counter(dice).values())
    match box:
        case "three_of_a_kind":
            return sum(dice) if counts[-1] >= 3 else 0  # the box's own name
        case "four_of_a_kind":
            return sum(dice) if counts[-1] >= 4 else 0
        case "full_house":
            return FULL_HOUSE if counts == [2, 3] else 0
        case "small_straight":
            return SMALL_STRAIGHT if _has_run(dice, 4) else 0
        case "large_straight":
            return LARGE_STRAIGHT if _has_run(dice, 5) else 0
        case "yatzy":
            return YATZY if len(counts) == 1 else 0
        case _:
            return sum(dice)


def _has_run(dice: Faces, length: int) -> bool:
    return any(set(range(face, face + length)) <= set(dice) for face in FACES)
