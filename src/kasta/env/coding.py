"""Sheets and actions as numbers: what a learner sees, and what it can do.

A sheet is a row of small counts, from which the sheet can be read back. An action is its number in a list of all
that are ever legal. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any, Generic

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from numpy.typing import NDArray

from kasta.core import FACES, A, S, Solo
from kasta.games import find_game, knaster, knister, yatzy
from kasta.games.grid import NUMBERS

Row = NDArray[np.int32]
Mask = NDArray[np.int8]

NUMBER = NUMBERS.stop  # a cell or a sum: 0 for none, else the number


@dataclass(frozen=True)
class Coding(Generic[S, A]):
    """How one game's sheets and actions become numbers, and numbers sheets and actions."""

    solo: Solo[S, A]
    actions: tuple[A, ...]
    names: tuple[str, ...]  # of the columns of a row
    sizes: tuple[int, ...]  # how many values each column has
    to_row: Callable[[S], Sequence[int]]
    to_sheet: Callable[[Sequence[int]], S]

    @cached_property
    def number(self) -> dict[A, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def row(self, sheet: S) -> Row:
        return np.array(self.to_row(sheet), np.int32)

    def sheet(self, row: NDArray[Any]) -> S:
        return self.to_sheet(row.tolist())

    def mask(self, legal: Iterable[A]) -> Mask:
        mask = np.zeros(len(self.actions), np.int8)
        mask[[self.number[action] for action in legal]] = 1
        return mask


AnyCoding = Coding[Any, Any]


def code_knister(solo: knister.Knister) -> Coding[knister.Sheet, Any]:
    cells = solo.grid.cells
    return Coding(
        solo=solo,
        actions=cells,
        names=(*map(str, cells), "sum"),
        sizes=(NUMBER,) * (len(cells) + 1),
        to_row=lambda sheet: (*sheet.numbers, sheet.sum or 0),
        to_sheet=lambda row: knister.Sheet(tuple(row[:-1]), row[-1] or None),
    )


def code_knaster(solo: knaster.Knaster) -> Coding[knaster.Sheet, knaster.Action]:
    cells, lines = solo.grid.cells, solo.grid.lines
    writes, circles = map(knaster.Write, cells), map(knaster.Circle, cells)
    bonuses = (knaster.Bonus(line, cell) for line in lines for cell in line.cells)
    most = max(knaster.CIRCLES.values())

    def to_row(sheet: knaster.Sheet) -> Sequence[int]:
        serving = 0 if sheet.serving is None else 1 + lines.index(sheet.serving)
        circled = [cell in sheet.circled for cell in cells]
        owing = [line in sheet.owing for line in lines]
        return (*sheet.numbers, *circled, *owing, sheet.sum or 0, serving, sheet.left, sheet.last)

    def to_sheet(row: Sequence[int]) -> knaster.Sheet:
        n = len(cells)
        numbers, circled, owing, (total, serving, left, last) = row[:n], row[n : 2 * n], row[2 * n : -4], row[-4:]
        return knaster.Sheet(
            numbers=tuple(numbers),
            circled=frozenset(cell for cell in cells if circled[cell]),
            sum=total or None,
            serving=lines[serving - 1] if serving else None,
            left=left,
            owing=tuple(line for line, owes in zip(lines, owing, strict=True) if owes),
            last=bool(last),
        )

    return Coding(
        solo=solo,
        actions=(*writes, *circles, *bonuses, knaster.Pass()),
        names=(
            *(str(cell) for cell in cells),
            *(f"({cell})" for cell in cells),
            *(f"owing {line}" for line in lines),
            *("sum", "serving", "left", "last"),
        ),
        sizes=(NUMBER,) * len(cells) + (2,) * (len(cells) + len(lines)) + (NUMBER, 1 + len(lines), most, 2),
        to_row=to_row,
        to_sheet=to_sheet,
    )


def code_yatzy(solo: yatzy.Yatzy) -> Coding[yatzy.Sheet, yatzy.Action]:
    boxes = len(solo.boxes)
    keeps = [yatzy.Keep(kept) for size in range(solo.dice) for kept in combinations_with_replacement(FACES, size)]
    # A box shows 0 while it is free, then its points plus one.
    throws = [yatzy.Sheet((0,) * boxes, dice=dice) for dice in combinations_with_replacement(FACES, solo.dice)]
    most = [
        max(yatzy.JOKER_PAYS.get(box, 0), *(solo.points(sheet, box) for sheet in throws)) for box in solo.boxes
    ]

    def to_row(sheet: yatzy.Sheet) -> Sequence[int]:
        shown = [0 if points is None else points + 1 for points in sheet.boxes]
        return (*shown, *(sheet.dice.count(face) for face in FACES), sheet.throws, sheet.jokers)

    def to_sheet(row: Sequence[int]) -> yatzy.Sheet:
        shown, counts, (throws, jokers) = row[:boxes], row[boxes:-2], row[-2:]
        dice = tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))
        return yatzy.Sheet(tuple(value - 1 if value else None for value in shown), jokers, dice, throws)

    return Coding(
        solo=solo,
        actions=(*keeps, *map(yatzy.Fill, solo.boxes)),
        names=(*solo.boxes, *(f"dice showing {face}" for face in FACES), "throws", "jokers"),
        sizes=(*(points + 2 for points in most), *[solo.dice + 1] * len(FACES), solo.throws + 1, boxes),
        to_row=to_row,
        to_sheet=to_sheet,
    )


CODINGS: dict[str, Callable[[Any], AnyCoding]] = {
    "knister": code_knister,
    "knaster": code_knaster,
    "yatzy": code_yatzy,
}


@cache
def find_coding(game: str, rules: str = "sheet") -> AnyCoding:
    """How the game of that name becomes numbers."""
    solo = find_game(game, rules).solo
    return CODINGS[game](solo)
