"""Knister: the sum of two dice goes into one of 25 free cells, and in the end twelve lines score as hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kasta.core import Faces, Next, Over, Pick, Throw, check_pick, check_throw, listed
from kasta.errors import Illegal, Unreadable
from kasta.games.grid import FREE, Cell, Grid, Line, Numbers, hand, written

DICE = 2
POINTS = {
    "pair": 1,
    "two_pairs": 3,
    "three_of_a_kind": 3,
    "four_of_a_kind": 6,
    "full_house": 8,
    "straight_with_7": 8,
    "five_of_a_kind": 10,
    "straight_without_7": 12,
}
ON_DIAGONALS = 2  # times the points


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's grid, and the sum that waits to be written into it."""

    numbers: Numbers
    sum: int | None = None


@dataclass(frozen=True, slots=True)
class KnisterLineScore:
    line: Line
    hand: str | None
    points: int


@dataclass(frozen=True)
class Knister:
    """The rules for one sheet. An action is the cell to write into."""

    grid: Grid = Grid()

    def start(self) -> Sheet:
        return Sheet(self.grid.empty())

    def next(self, sheet: Sheet) -> Next:
        if not self.rests(sheet):
            return Pick()
        return Throw(DICE) if FREE in sheet.numbers else Over()

    def legal(self, sheet: Sheet) -> list[Cell]:
        if sheet.sum is None:
            return []
        return [cell for cell in self.grid.cells if sheet.numbers[cell] == FREE]

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:  # no throw is special
        check_throw(self.next(sheet), faces)
        return Sheet(sheet.numbers, sum(faces))

    def act(self, sheet: Sheet, action: Cell) -> Sheet:
        check_pick(self.next(sheet))
        if sheet.numbers[action] != FREE:
            raise Illegal("cell_taken", cell=action, legal=listed(self.legal(sheet)))
        return Sheet(written(sheet.numbers, action, sheet.sum or 0))

    def rests(self, sheet: Sheet) -> bool:
        return sheet.sum is None

    def ends(self, sheet: Sheet) -> bool:  # all sheets are full at the same time
        return False

    def total(self, sheet: Sheet) -> int:
        return sum(score.points for score in self.lines(sheet))

    def score(self, sheet: Sheet) -> dict[str, Any]:
        lines = [{"line": str(s.line), "hand": s.hand, "points": s.points} for s in self.lines(sheet)]
        return {"lines": lines, "total": self.total(sheet)}

    def lines(self, sheet: Sheet) -> list[KnisterLineScore]:
        """What each line is worth now; a line that is not full is worth nothing yet."""
        return [line_score(line, line.numbers(sheet.numbers)) for line in self.grid.lines]

    def read_action(self, text: str) -> Cell:
        return self.grid.read_cell(text)

    def read_sheet(self, text: str) -> Sheet:
        numbers, circled = self.grid.read(text)
        if circled:
            raise Unreadable("no_circles_here", cell=min(circled))
        return Sheet(numbers)

    def write_sheet(self, sheet: Sheet) -> str:
        return self.grid.write(sheet.numbers)


def line_score(line: Line, numbers: Numbers) -> KnisterLineScore:
    name = None if FREE in numbers else line_hand(numbers)
    return KnisterLineScore(line, name, line_points(line, name) if name else 0)


def line_hand(numbers: Numbers) -> str | None:
    """The hand of a full line; straights are told apart by the 7."""
    name = hand(numbers)
    if name == "straight":
        return "straight_with_7" if 7 in numbers else "straight_without_7"
    return name


def line_points(line: Line, name: str) -> int:
    """What a hand is worth in a line."""
    return POINTS[name] * ON_DIAGONALS if line.is_diagonal else POINTS[name]
