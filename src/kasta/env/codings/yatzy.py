"""Every Yatzy as numbers: its sheets and actions, and what it can come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations_with_replacement, repeat
from typing import Any

from kasta.core import FACES
from kasta.env.bounds import Bounds
from kasta.env.coding import Coding
from kasta.games.block import Action, BlockGame, Fill, Keep, Sheet
from kasta.games.scores import UPPER


def coding(solo: BlockGame) -> Coding[Sheet, Action]:
    boxes, counters = len(solo.boxes), solo.counters
    keeps = [Keep(kept) for size in range(solo.dice) for kept in combinations_with_replacement(FACES, size)]
    most_counted = {"jokers": boxes - 1, "saved": boxes * (solo.throws - 1)}
    return Coding(
        solo=solo,
        actions=(*keeps, *map(Fill, solo.boxes)),
        names=(*solo.boxes, *(f"dice showing {face}" for face in FACES), "throws", *counters),
        sizes=(  # of a box: 0 while it is free, then its points plus one
            *(max(solo.attainable[box]) + 2 for box in solo.boxes),
            *[solo.dice + 1] * len(FACES),
            solo.throws + 1,
            *(most_counted[name] + 1 for name in counters),
        ),
        to_row=partial(_to_row, counters),
        to_sheet=partial(_to_sheet, boxes, counters),
        thrown=lambda sheet: sheet.dice,
    )


def _to_row(counters: Sequence[str], sheet: Sheet) -> Sequence[int]:
    shown = [0 if points is None else points + 1 for points in sheet.boxes]
    counted = (getattr(sheet, name) for name in counters)
    return (*shown, *map(sheet.dice.count, FACES), sheet.throws, *counted)


def _to_sheet(boxes: int, counters: Sequence[str], row: Sequence[int]) -> Sheet:
    shown, counts = row[:boxes], row[boxes : boxes + len(FACES)]
    throws, *counted = row[boxes + len(FACES) :]
    dice = tuple(chain.from_iterable(map(repeat, FACES, counts)))
    held = tuple(value - 1 if value else None for value in shown)
    return Sheet(held, dice=dice, throws=throws, **dict(zip(counters, counted, strict=True)))


def bounds(solo: BlockGame) -> Bounds:
    """Box after box with the dice that pay most or least in it; the Yatzy first, which makes jokers of others."""
    order = sorted(solo.boxes, key=lambda box: (box != "yatzy", box not in UPPER))
    turns = len(solo.boxes) * solo.throws
    return Bounds(_filled(solo, order, min), _filled(solo, order, max), actions=turns, throws=turns)


def _filled(solo: BlockGame, order: list[str], choose: Callable[..., Any]) -> int:
    sheet = solo.start()
    for box in order:
        thrown = [
            replace(sheet, dice=dice, throws=solo.throws, saved=0)
            for dice in combinations_with_replacement(FACES, solo.dice)
        ]
        fill = Fill(box)
        sheet = choose((solo.act(each, fill) for each in thrown if fill in solo.legal(each)), key=solo.total)
    return solo.total(sheet)
