"""A block of boxes as several games have it: some throws of all dice, keeping what one likes, then one free box.

A game says what its boxes pay and what else it has; see `BlockGame`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Any

from kasta.core import FACES, Faces, Next, Over, Pick, Throw, check_pick, check_throw, listed
from kasta.errors import Illegal, Unreadable
from kasta.games.scores import UPPER, Scores


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
    """One player's block, and the dice on the table: all of them after a throw, the kept ones before the next.

    `throws` counts those of this turn, without saved ones. `jokers` and `saved` stay 0 in a game without them.
    """

    boxes: tuple[int | None, ...]
    jokers: int = 0
    dice: Faces = ()
    throws: int = 0
    saved: int = 0


@dataclass(frozen=True, kw_only=True)
class BlockGame(ABC):
    """The rules for one block. Fewer dice, throws or boxes make the small games that proofs need."""

    dice: int = 5
    throws: int = 3
    boxes: tuple[str, ...] = tuple(UPPER)
    upper_bonus: int = 0
    upper_goal: int = 0
    saves: bool = False  # throws not used may be used in later turns

    @property
    @abstractmethod
    def scores(self) -> Scores:
        """The points of dice in each box that this game knows."""

    @property
    def rethrow_all(self) -> bool:
        """Whether a player may keep no dice at all."""
        return True

    @property
    def counters(self) -> tuple[str, ...]:
        """What a sheet counts besides its boxes, by the names of its fields."""
        return ("saved",) if self.saves else ()

    def start(self) -> Sheet:
        return Sheet((None,) * len(self.boxes))

    def next(self, sheet: Sheet) -> Next:
        if len(sheet.dice) == self.dice:
            return Pick()
        return Throw(self.dice - len(sheet.dice)) if None in sheet.boxes else Over()

    def legal(self, sheet: Sheet) -> list[Action]:
        if len(sheet.dice) < self.dice:
            return []
        fills: list[Action] = [Fill(box) for box in self.open_boxes(sheet)]
        if not self.throws_left(sheet):
            return fills
        sizes = range(0 if self.rethrow_all else 1, self.dice)
        keeps = dict.fromkeys(kept for size in sizes for kept in combinations(sheet.dice, size))
        return [*map(Keep, keeps), *fills]

    def throws_left(self, sheet: Sheet) -> int:
        """How often the player may throw again in this turn."""
        return self.throws - sheet.throws + sheet.saved

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:  # no throw is special
        check_throw(self.next(sheet), faces)
        thrown = replace(sheet, dice=tuple(sorted((*sheet.dice, *faces))))
        if sheet.throws < self.throws:
            return replace(thrown, throws=sheet.throws + 1)
        return replace(thrown, saved=sheet.saved - 1)

    def act(self, sheet: Sheet, action: Action) -> Sheet:
        check_pick(self.next(sheet))
        if (code := self.objection(sheet, action)) is not None:
            raise Illegal(code, action=action, dice=listed(sheet.dice), legal=listed(self.legal(sheet)))
        match action:
            case Keep(kept):
                return replace(sheet, dice=kept)
            case Fill(box):
                return self.filled(sheet, box)

    def filled(self, sheet: Sheet, box: str) -> Sheet:
        """The block with one more box filled with the dice."""
        boxes = list(sheet.boxes)
        boxes[self.boxes.index(box)] = self.points(sheet, box)
        return Sheet(tuple(boxes), sheet.jokers, saved=self.throws_left(sheet) if self.saves else 0)

    def objection(self, sheet: Sheet, action: Action) -> str | None:
        """The code of what is wrong with an action, None if nothing is."""
        match action:
            case Keep() if not self.throws_left(sheet):
                return "no_throw_left"
            case Keep(kept) if Counter(kept) - Counter(sheet.dice):
                return "die_not_thrown"
            case Keep(()) if not self.rethrow_all:
                return "keep_at_least_one"
            case Keep(kept) if len(kept) == self.dice:
                return "keep_all_is_stopping"
            case Fill(box) if self.held(sheet, box) is not None:
                return "box_filled"
        return None

    def held(self, sheet: Sheet, box: str) -> int | None:
        """What a box holds; one that this game does not have counts as filled with nothing."""
        return sheet.boxes[self.boxes.index(box)] if box in self.boxes else 0

    def open_boxes(self, sheet: Sheet) -> list[str]:
        """The boxes that may be filled with the dice on the table."""
        return [box for box, points in zip(self.boxes, sheet.boxes, strict=True) if points is None]

    def points(self, sheet: Sheet, box: str) -> int:
        """The points that the dice on the table would make in a free box, without any bonus."""
        return self.scores[box](sheet.dice)

    def rests(self, sheet: Sheet) -> bool:
        return sheet.throws == 0

    def ends(self, sheet: Sheet) -> bool:  # everybody has as many turns
        return False

    def upper(self, sheet: Sheet) -> int:
        """The points of the upper section."""
        return sum(points or 0 for box, points in zip(self.boxes, sheet.boxes, strict=True) if box in UPPER)

    def bonus(self, sheet: Sheet) -> int:
        """The upper section's bonus, once it is reached."""
        return self.upper_bonus if self.upper(sheet) >= self.upper_goal else 0

    def total(self, sheet: Sheet) -> int:
        return sum(points or 0 for points in sheet.boxes) + self.bonus(sheet)

    def score(self, sheet: Sheet) -> dict[str, Any]:
        """With dice on the table, what each open box would pay; without, what the block holds."""
        if sheet.dice:
            pays = [{"box": box, "points": self.points(sheet, box)} for box in self.open_boxes(sheet)]
            return {"boxes": pays}
        return {
            "boxes": [{"box": box, "points": points} for box, points in zip(self.boxes, sheet.boxes, strict=True)],
            "upper": self.upper(sheet),
            "bonus": self.bonus(sheet),
            **{name: getattr(sheet, name) for name in self.counters},
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
                    dice = self._read_dice(faces, line)
                case [name, value] if name in (*self.boxes, *self.counters) and re.fullmatch("[0-9]{1,4}", value):
                    if name in values:
                        raise Unreadable("box_twice", box=name, line=line)
                    values[name] = self._read_value(name, value, line)
                case _:
                    raise Unreadable("unknown_box", text=row.strip(), line=line)
        counts = {name: values.pop(name, 0) for name in self.counters}
        self.check_counts(values, counts)
        if dice and len(values) == len(self.boxes):
            raise Unreadable("dice_on_full_block")
        boxes = tuple(values.get(box) for box in self.boxes)
        return Sheet(boxes, dice=dice, throws=self.throws if dice else 0, **counts)

    def _read_value(self, name: str, value: str, line: int) -> int:
        if name in self.boxes and int(value) not in self.attainable[name]:
            raise Unreadable("impossible_points", box=name, points=value, line=line)
        return int(value)

    def _read_dice(self, faces: Sequence[str], line: int) -> Faces:
        if not _are_faces(faces):
            face = next(text for text in faces if not _are_faces([text]))
            raise Unreadable("no_such_face", face=face, line=line)
        if len(faces) != self.dice:
            raise Unreadable("wrong_number_of_dice", dice=self.dice, thrown=len(faces), line=line)
        return tuple(sorted(map(int, faces)))

    def check_counts(self, values: dict[str, int], counts: dict[str, int]) -> None:
        """Raise `Unreadable` where a block with these values cannot have counted so much."""
        saved = counts.get("saved", 0)
        if saved > len(values) * (self.throws - 1):
            raise Unreadable("too_many_saved", saved=saved)

    @cached_property
    def attainable(self) -> dict[str, set[int]]:
        """Every value that a box can hold."""
        throws = list(combinations_with_replacement(FACES, self.dice))
        return {box: {self.scores[box](dice) for dice in throws} for box in self.boxes}

    def write_sheet(self, sheet: Sheet) -> str:
        filled = [(box, points) for box, points in zip(self.boxes, sheet.boxes, strict=True) if points is not None]
        counts = [(name, getattr(sheet, name)) for name in self.counters]
        return "".join(f"{name} {value}\n" for name, value in [*filled, *counts])


def _are_faces(texts: Sequence[str]) -> bool:
    return bool(re.fullmatch("[1-6]+", "".join(texts))) and all(len(text) == 1 for text in texts)
