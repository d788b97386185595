"""Yatzy as numbers: its sheets and actions, and what it can come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

from kasta.core import FACES
from kasta.env.bounds import Bounds
from kasta.env.coding import Coding
from kasta.games.yatzy import JOKER_PAYS, UPPER, Action, Fill, Keep, Sheet, Yatzy


def coding(solo: Yatzy) -> Coding[Sheet, Action]:
    boxes = len(solo.boxes)
    keeps = [Keep(kept) for size in range(solo.dice) for kept in combinations_with_replacement(FACES, size)]
    # A box shows 0 while it is free, then its points plus one.
    throws = [Sheet((0,) * boxes, dice=dice) for dice in combinations_with_replacement(FACES, solo.dice)]
    most = [max(JOKER_PAYS.get(box, 0), *(solo.points(sheet, box) for sheet in throws)) for box in solo.boxes]

    def to_row(sheet: Sheet) -> Sequence[int]:
        shown = [0 if points is None else points + 1 for points in sheet.boxes]
        return (*shown, *(sheet.dice.count(face) for face in FACES), sheet.throws, sheet.jokers)

    def to_sheet(row: Sequence[int]) -> Sheet:
        shown, counts, (throws, jokers) = row[:boxes], row[boxes:-2], row[-2:]
        dice = tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))
        return Sheet(tuple(value - 1 if value else None for value in shown), jokers, dice, throws)

    return Coding(
        solo=solo,
        actions=(*keeps, *map(Fill, solo.boxes)),
        names=(*solo.boxes, *(f"dice showing {face}" for face in FACES), "throws", "jokers"),
        sizes=(*(points + 2 for points in most), *[solo.dice + 1] * len(FACES), solo.throws + 1, boxes),
        to_row=to_row,
        to_sheet=to_sheet,
        thrown=lambda sheet: sheet.dice,
    )


def bounds(solo: Yatzy) -> Bounds:
    """Box after box with the dice that pay most or least in it; the Yatzy first, which makes jokers of others."""
    order = sorted(solo.boxes, key=lambda box: (box != "yatzy", box not in UPPER))
    turns = len(solo.boxes) * solo.throws
    return Bounds(_filled(solo, order, min), _filled(solo, order, max), actions=turns, throws=turns)


def _filled(solo: Yatzy, order: list[str], choose: Callable[..., Any]) -> int:
    sheet = solo.start()
    for box in order:
        thrown = [
            replace(sheet, dice=dice, throws=solo.throws)
            for dice in combinations_with_replacement(FACES, solo.dice)
        ]
        fill = Fill(box)
        sheet = choose((solo.act(each, fill) for each in thrown if fill in solo.legal(each)), key=solo.total)
    return solo.total(sheet)
