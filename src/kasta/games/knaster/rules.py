"""Knaster: write the sum or circle an equal number; a line with a hand earns circles, five circles earn points."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from kasta.core import Faces, Next, Over, Pick, Throw, check_pick, check_throw, listed
from kasta.errors import Illegal, Unreadable
from kasta.games.grid import FREE, Cell, Grid, Line, Numbers, hand, written

DICE = 2
CIRCLES = {
    "two_pairs": 1,
    "three_of_a_kind": 1,
    "four_of_a_kind": 2,
    "full_house": 2,
    "five_of_a_kind": 3,
    "straight": 3,
}
PRINTED = (9, 8, 7, 6, 5) * 2 + (10, 10)  # rows, columns, diagonals


@dataclass(frozen=True, slots=True)
class Write:
    """Write the sum into a free cell."""

    cell: Cell

    def __repr__(self) -> str:
        return f"{self.cell!s}"


@dataclass(frozen=True, slots=True)
class Circle:
    """Circle a number that equals the sum, instead of writing it."""

    cell: Cell

    def __repr__(self) -> str:
        return f"({self.cell!s})"


@dataclass(frozen=True, slots=True)
class Bonus:
    """Draw one of the circles that a completed line has earned."""

    line: Line
    cell: Cell

    def __repr__(self) -> str:
        return f"{self.line}({self.cell!s})"


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing with the last throw."""

    def __repr__(self) -> str:
        return "-"


Action = Write | Circle | Bonus | Pass


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's grid, and what it owes: the sum, circles of the line being served, lines not begun."""

    numbers: Numbers
    circled: frozenset[Cell] = frozenset()
    sum: int | None = None
    serving: Line | None = None
    left: int = 0
    owing: tuple[Line, ...] = ()
    last: bool = False


@dataclass(frozen=True, slots=True)
class KnasterLineScore:
    """A line is complete with five numbers, and earns its points with five circles."""

    line: Line
    hand: str | None
    points: int
    complete: bool


@dataclass(frozen=True)
class Knaster:
    """The rules for one sheet."""

    grid: Grid = Grid()
    printed: tuple[int, ...] = PRINTED

    def start(self) -> Sheet:
        return Sheet(self.grid.empty())

    def next(self, sheet: Sheet) -> Next:
        if not self.rests(sheet):
            return Pick()
        return Over() if sheet.last else Throw(DICE)

    def legal(self, sheet: Sheet) -> list[Action]:
        if sheet.sum is None:
            lines = (sheet.serving,) if sheet.serving else sheet.owing
            return [Bonus(line, cell) for line in lines for cell in line.cells if cell not in sheet.circled]
        actions: list[Action] = []
        for cell in self.grid.cells:
            if sheet.numbers[cell] == FREE:
                actions.append(Write(cell))
            elif sheet.numbers[cell] == sheet.sum and cell not in sheet.circled:
                actions.append(Circle(cell))
        return [*actions, Pass()] if sheet.last else actions

    def throw(self, sheet: Sheet, faces: Faces, *, last: bool = False) -> Sheet:
        check_throw(self.next(sheet), faces)
        return replace(sheet, sum=sum(faces), last=last or self.ends(sheet))

    def act(self, sheet: Sheet, action: Action) -> Sheet:
        check_pick(self.next(sheet))
        if (wrong := self._objection(sheet, action)) is not None:
            code, params = wrong
            raise Illegal(code, **params, legal=listed(self.legal(sheet)))
        match action:
            case Write(cell):
                return self._write(sheet, cell)
            case Circle(cell):
                return replace(sheet, sum=None, circled=sheet.circled | {cell})
            case Bonus(line, cell):
                return self._serve(sheet, line, cell)
            case Pass():
                return replace(sheet, sum=None)

    def _objection(self, sheet: Sheet, action: Action) -> tuple[str, dict[str, object]] | None:
        """The code and parameters of what is wrong with an action, None if nothing is."""
        match action:
            case Bonus(line) if sheet.serving and line != sheet.serving:
                return "line_unfinished", {"line_name": sheet.serving, "left": sheet.left}
            case Bonus(line) if line != sheet.serving and line not in sheet.owing:
                return "line_owes_nothing", {"line_name": line}
            case Bonus(line, cell) if cell not in line.cells:
                return "cell_not_on_line", {"cell": cell, "line_name": line}
            case Write() | Circle() | Pass() if sheet.sum is None:
                return "circles_owed", {}
            case Write(cell) if sheet.numbers[cell] != FREE:
                return "cell_taken", {"cell": cell}
            case Circle(cell) if sheet.numbers[cell] != sheet.sum:
                return "not_that_number", {"cell": cell, "number": sheet.sum}
            case Circle(cell) | Bonus(_, cell) if cell in sheet.circled:
                return "already_circled", {"cell": cell}
            case Pass() if not sheet.last:
                return "pass_too_early", {}
        return None

    def _write(self, sheet: Sheet, cell: Cell) -> Sheet:
        numbers = written(sheet.numbers, cell, sheet.sum or 0)
        owing = tuple(line for line in self.grid.through[cell] if self._earned(line.numbers(numbers)))
        return replace(sheet, numbers=numbers, sum=None, owing=owing)

    def _serve(self, sheet: Sheet, line: Line, cell: Cell) -> Sheet:
        """One circle for a line. What the line owes is settled when its first one is drawn."""
        left = self.owed(sheet, line)
        circled = sheet.circled | {cell}
        if left > 1:
            owing = tuple(other for other in sheet.owing if other != line)
            return replace(sheet, circled=circled, serving=line, left=left - 1, owing=owing)
        owing = tuple(o for o in sheet.owing if o != line and not circled.issuperset(o.cells))
        return replace(sheet, circled=circled, serving=None, left=0, owing=owing)

    def owed(self, sheet: Sheet, line: Line) -> int:
        """How many circles a line has still to get, or would get if it were served now."""
        if line == sheet.serving:
            return sheet.left
        if line not in sheet.owing:
            return 0
        uncircled = sum(cell not in sheet.circled for cell in line.cells)
        return min(self._earned(line.numbers(sheet.numbers)), uncircled)

    def _earned(self, numbers: Numbers) -> int:
        name = None if FREE in numbers else hand(numbers)
        return CIRCLES.get(name, 0) if name else 0

    def rests(self, sheet: Sheet) -> bool:
        return sheet.sum is None and sheet.serving is None and not sheet.owing

    def ends(self, sheet: Sheet) -> bool:
        return FREE not in sheet.numbers

    def lacks(self, sheet: Sheet) -> int:
        """How many numbers are missing until the sheet ends the game for all."""
        return sheet.numbers.count(FREE)

    def total(self, sheet: Sheet) -> int:
        return sum(score.points for score in self.lines(sheet)) + len(sheet.circled)

    def score(self, sheet: Sheet) -> dict[str, Any]:
        lines = [
            {"line": str(s.line), "hand": s.hand, "points": s.points, "complete": s.complete}
            for s in self.lines(sheet)
        ]
        return {"lines": lines, "circles": len(sheet.circled), "total": self.total(sheet)}

    def lines(self, sheet: Sheet) -> list[KnasterLineScore]:
        """What each line shows and has earned."""
        scores = []
        for line, printed in zip(self.grid.lines, self.printed, strict=True):
            numbers = line.numbers(sheet.numbers)
            complete = FREE not in numbers
            points = printed if sheet.circled.issuperset(line.cells) else 0
            scores.append(KnasterLineScore(line, hand(numbers) if complete else None, points, complete))
        return scores

    def read_action(self, text: str) -> Action:
        match = re.fullmatch(r"(?P<write>[a-z]\d)|(?P<line>[\da-e\\/]?)\((?P<cell>[a-z]\d)\)|-", text, re.ASCII)
        if not match:
            raise Unreadable("unknown_action", text=text, example="c3 (c3) 3(c3) -")
        if match["write"]:
            return Write(self.grid.read_cell(match["write"]))
        if not match["cell"]:
            return Pass()
        cell = self.grid.read_cell(match["cell"])
        if not match["line"]:
            return Circle(cell)
        if match["line"] not in self.grid.line_named:
            raise Unreadable("unknown_line", text=match["line"])
        return Bonus(self.grid.line_named[match["line"]], cell)

    def read_sheet(self, text: str) -> Sheet:
        return Sheet(*self.grid.read(text))

    def write_sheet(self, sheet: Sheet) -> str:
        return self.grid.write(sheet.numbers, sheet.circled)
