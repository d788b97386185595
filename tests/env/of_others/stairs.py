"""A game of others: six boxes and a die. Every box that is higher than the one to its left pays a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kasta.core import Faces, Next, Over, Pick, Throw, check_pick, check_throw
from kasta.env.bounds import Bounds
from kasta.env.coding import Coding, code_fields
from kasta.errors import Illegal
from kasta.games.composers import InTurn, Shared
from kasta.games.traits import Composer, Traits


@dataclass(frozen=True, slots=True)
class Sheet:
    boxes: tuple[int, ...]
    die: int | None = None


@dataclass(frozen=True)
class Stairs:
    size: int

    def start(self) -> Sheet:
        return Sheet((0,) * self.size)

    def next(self, sheet: Sheet) -> Next:
        if not self.rests(sheet):
            return Pick()
        return Throw(1) if 0 in sheet.boxes else Over()

    def legal(self, sheet: Sheet) -> Sequence[int]:
        return [] if self.rests(sheet) else [box for box in range(self.size) if not sheet.boxes[box]]

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:  # noqa: ARG002 - for other games
        check_throw(self.next(sheet), faces)
        return Sheet(sheet.boxes, faces[0])

    def act(self, sheet: Sheet, action: int) -> Sheet:
        check_pick(self.next(sheet))
        if action not in self.legal(sheet):
            raise Illegal("cell_taken", cell=action, legal=self.legal(sheet))
        return Sheet((*sheet.boxes[:action], sheet.die or 0, *sheet.boxes[action + 1 :]))

    def rests(self, sheet: Sheet) -> bool:
        return sheet.die is None

    def ends(self, sheet: Sheet) -> bool:  # noqa: ARG002
        return False

    def total(self, sheet: Sheet) -> int:
        return sum(0 < left < right for left, right in zip(sheet.boxes, sheet.boxes[1:], strict=False))

    def score(self, sheet: Sheet) -> dict[str, object]:
        return {"total": self.total(sheet)}

    def read_action(self, text: str) -> int:
        return int(text)

    def read_sheet(self, text: str) -> Sheet:
        return Sheet(tuple(0 if box == "." else int(box) for box in text.split()))

    def write_sheet(self, sheet: Sheet) -> str:
        return " ".join(str(box or ".") for box in sheet.boxes) + "\n"


def coding(solo: Stairs) -> Coding[Sheet, int]:
    return code_fields(solo, range(solo.size), {"boxes": 7, "die": 7}, thrown="die")


def bounds(solo: Stairs) -> Bounds:
    return Bounds(0, solo.size - 1, actions=solo.size, throws=solo.size)


class Bare(Traits[Stairs, Sheet, int]):
    """A game that says nothing about numbers."""

    name = "bare"
    composer: Composer = Shared
    rule_sets = {"six": Stairs(6), "three": Stairs(3)}  # noqa: RUF012 - as games have it


class AtOnce(Bare):
    name = "stairs"
    coding = "stairs:coding"
    bounds = "stairs:bounds"


class ByTurns(AtOnce):
    name = "by_turns"
    composer: Composer = InTurn


BARE, STAIRS, BY_TURNS = Bare(), AtOnce(), ByTurns()
