"""Trappa ("stairs"): write the die into a free box; every box higher than the one to its left is a step."""

from __future__ import annotations

from dataclasses import dataclass

from kasta import Illegal, Over, Pick, Shared, Throw, Traits, Unreadable
from kasta.core import Faces, Next, check_pick, check_throw, listed

FREE = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """The boxes, and the die that waits to be written into one of them."""

    boxes: tuple[int, ...]
    die: int | None = None


@dataclass(frozen=True)
class Trappa:
    """The rules for one sheet. An action is the number of a box, counted from 1."""

    size: int = 6

    def start(self) -> Sheet:
        return Sheet((FREE,) * self.size)

    def next(self, sheet: Sheet) -> Next:
        if not self.rests(sheet):
            return Pick()
        return Throw(dice=1) if FREE in sheet.boxes else Over()

    def legal(self, sheet: Sheet) -> list[int]:
        if self.rests(sheet):
            return []
        return [number for number, face in enumerate(sheet.boxes, 1) if face == FREE]

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:
        check_throw(self.next(sheet), faces)
        return Sheet(sheet.boxes, faces[0])

    def act(self, sheet: Sheet, action: int) -> Sheet:
        check_pick(self.next(sheet))
        if action not in self.legal(sheet):
            raise Illegal("box_taken", number=action, legal=listed(self.legal(sheet)))
        return Sheet((*sheet.boxes[: action - 1], sheet.die or FREE, *sheet.boxes[action:]))

    def rests(self, sheet: Sheet) -> bool:
        return sheet.die is None

    def ends(self, sheet: Sheet) -> bool:
        return False

    def total(self, sheet: Sheet) -> int:
        pairs = zip(sheet.boxes, sheet.boxes[1:], strict=False)
        return sum(FREE < left < right for left, right in pairs)

    def score(self, sheet: Sheet) -> dict[str, object]:
        boxes = [{"box": number, "face": face} for number, face in enumerate(sheet.boxes, 1)]
        return {"boxes": boxes, "total": self.total(sheet)}

    def read_action(self, text: str) -> int:
        if text not in map(str, range(1, self.size + 1)):
            raise Unreadable("unknown_action", text=text, example="1")
        return int(text)

    def read_sheet(self, text: str) -> Sheet:
        boxes = text.split()
        if len(boxes) != self.size or not all(box in [".", "1", "2", "3", "4", "5", "6"] for box in boxes):
            raise Unreadable("not_a_staircase", size=self.size)
        return Sheet(tuple(FREE if box == "." else int(box) for box in boxes))

    def write_sheet(self, sheet: Sheet) -> str:
        return " ".join(str(face or ".") for face in sheet.boxes) + "\n"


class TrappaTraits(Traits[Trappa, Sheet, int]):
    """What Trappa says of itself."""

    name = "trappa"
    composer = Shared
    rule_sets = {"six": Trappa()}
    blurb = "One die, six boxes: build the longest staircase."
    messages = {
        "box_taken": "Box {number} is taken.",
        "not_a_staircase": "A sheet has {size} boxes, each a face or a dot.",
    }
    coding = "kasta_trappa.coding:coding"


TRAITS = TrappaTraits()
