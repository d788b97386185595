"""Every Yatzy as kernels. Dice are the number of their set; a keep's number as an action is that of its set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES, Faces
from kasta.env.kernels.words import OVER, THROW, Notes, Row, below, die, nth_bit, ones
from kasta.games.block import BlockGame, Keep, Sheet
from kasta.games.scores import UPPER
from kasta.solve.jit import lean_inline
from kasta.solve.yatzy.arrays import NOT_ALLOWED
from kasta.solve.yatzy.rule_answers import (
    NAMES,
    OWN_FILLED,
    SITUATIONS,
    SITUATIONS_OF_YATZY,
    YATZY_HELD,
    YATZY_ZERO,
    RuleAnswers,
)


class YatzyTables(NamedTuple):
    """What the rules answered, and where things stand in a sheet's row.

    Notes: the set of dice, the filled boxes as bits, the upper section's points.
    """

    notes: int
    throws: int
    boxes: int
    keeps: int  # the sets below this number are no complete throws
    dice: int  # where these stand in a row
    thrown: int
    jokers: int  # if the game has none, anywhere: what is added there is 0
    saved: int  # the same
    saves: int  # 1 if throws are saved
    yatzy: int  # that box, -1 if the game has none
    lower: int  # those boxes but the Yatzy, as bits
    more: NDArray[np.int16]  # [keep, face]: the set with one more die
    showing: NDArray[np.int8]  # [set, face]: how many dice show it
    own: NDArray[np.int32]  # [throw]: the upper box of its first face, as a bit
    keepable: NDArray[np.int8]  # [throw, keep]
    choices: NDArray[np.int64]  # [throw]: how many keeps
    choice: NDArray[np.int16]  # [throw, i]: the keeps
    open: NDArray[np.int32]  # [situation, throw]: the boxes that may be filled if they are free, as bits
    points: NDArray[np.int8]  # [situation, throw, box]
    beside: NDArray[np.int16]  # [situation, throw, box]: what is gained besides
    marks: NDArray[np.int8]  # [situation, throw, box]
    is_upper: NDArray[np.int8]  # [box]
    bonus: NDArray[np.int16]  # [upper points]


def make(solo: BlockGame) -> YatzyTables:
    rules = RuleAnswers(solo)
    sets = sorted(rules.sets, key=lambda dice: (len(dice), dice))  # as the coding has them
    number = {dice: i for i, dice in enumerate(sets)}
    keeps, throws = sets[: rules.keeps], sets[rules.keeps :]
    keepable = _keepable(solo, keeps, throws)
    choices = keepable.sum(axis=1)
    points, beside, marks = _ask(rules, {dice: throw for throw, dice in enumerate(throws)})
    thrown = len(solo.boxes) + len(FACES)
    column = {name: i for i, name in enumerate(solo.counters, thrown + 1)}
    return YatzyTables(
        notes=3,
        throws=solo.throws,
        boxes=len(solo.boxes),
        keeps=len(keeps),
        dice=len(solo.boxes),
        thrown=thrown,
        jokers=column.get("jokers", thrown),
        saved=column.get("saved", thrown),
        saves=int(solo.saves),
        yatzy=solo.boxes.index("yatzy") if "yatzy" in solo.boxes else -1,
        lower=sum(rules.mask(box) for box in solo.boxes if box not in (*UPPER, "yatzy")),
        more=np.array([[number[tuple(sorted((*dice, face)))] for face in FACES] for dice in keeps], np.int16),
        showing=np.array([[dice.count(face) for face in FACES] for dice in sets], np.int8),
        own=np.array([rules.mask(NAMES[dice[0] - 1]) for dice in throws], np.int32),
        keepable=keepable,
        choices=choices,
        choice=np.argsort(-keepable, axis=1, kind="stable")[:, : choices.max(initial=1)].astype(np.int16),
        open=((points != NOT_ALLOWED) << np.arange(len(solo.boxes))).sum(axis=2).astype(np.int32),
        points=points,
        beside=beside,
        marks=marks,
        is_upper=np.array([box in UPPER for box in solo.boxes], np.int8),
        bonus=_bonus(solo),
    )


def _keepable(solo: BlockGame, keeps: list[Faces], throws: list[Faces]) -> NDArray[np.int8]:
    """Which sets may be kept of a first throw."""
    legal = [set(solo.legal(Sheet(solo.start().boxes, 0, dice, 1))) for dice in throws]
    return np.array([[Keep(kept) in actions for kept in keeps] for actions in legal], np.int8)


def _bonus(solo: BlockGame) -> NDArray[np.int16]:
    uppers = [box for box in solo.boxes if box in UPPER]
    most = sum(max(solo.attainable[box]) for box in uppers)
    sheets = [Sheet(tuple(held * (box in uppers[:1]) for box in solo.boxes)) for held in range(most + 1)]
    return np.array([solo.bonus(sheet) for sheet in sheets], np.int16)


def _ask(
    rules: RuleAnswers, number: Mapping[Faces, int]
) -> tuple[NDArray[np.int8], NDArray[np.int16], NDArray[np.int8]]:
    """What filling each box with each throw brings, in each situation."""
    solo = rules.game
    shape = (len(SITUATIONS), len(number), len(solo.boxes))
    points = np.full(shape, NOT_ALLOWED, np.int8)
    beside, marks = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
    for situation, _, sheet, outcomes in rules.answers:
        for box, outcome in outcomes.items():
            where, name = (situation, number[sheet.dice], box), solo.boxes[box]
            points[where] = solo.points(sheet, name)
            beside[where] = outcome.gain - int(points[where])
            marks[where] = solo.filled(sheet, name).jokers - sheet.jokers
    return points, beside, marks


@lean_inline
def situation(t: YatzyTables, sheet: Row, filled: int, throw: int) -> int:
    """All sums, no branches: chance decides here, and a wrong guess costs the processor more than the work."""
    shown = sheet[t.yatzy] if t.yatzy >= 0 else YATZY_ZERO  # 0 while it is free, then its points plus one
    own_filled = t.own[throw] & ~filled == 0
    return SITUATIONS_OF_YATZY * min(shown, YATZY_HELD) + OWN_FILLED * own_filled + (t.lower & ~filled != 0)


def start(t: YatzyTables, sheet: Row, notes: Notes) -> None:
    sheet[:] = 0
    notes[:] = 0


def throw(t: YatzyTables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64:
    dice, word, number = notes[0], state, 0
    while dice < t.keeps:
        state, word, face = die(state, word, number)
        dice = t.more[dice, face]
        number += 1
    notes[0] = dice
    is_saved = sheet[t.thrown] == t.throws
    sheet[t.thrown] += not is_saved
    sheet[t.saved] -= is_saved
    return state


def act(t: YatzyTables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:
    if action < t.keeps:
        notes[0] = action
        return 0, THROW
    box, throw = action - t.keeps, notes[0] - t.keeps
    where = situation(t, sheet, notes[1], throw)
    points = t.points[where, throw, box]
    gain = points + t.beside[where, throw, box]
    sheet[box] = points + 1
    sheet[t.jokers] += t.marks[where, throw, box]
    sheet[t.saved] += t.saves * (t.throws - sheet[t.thrown])
    if t.is_upper[box]:
        gain += t.bonus[notes[2] + points] - t.bonus[notes[2]]
        notes[2] += points
    sheet[t.thrown] = 0
    notes[0] = 0
    notes[1] |= 1 << box
    return gain, OVER if notes[1] == (1 << t.boxes) - 1 else THROW


@lean_inline
def may_throw(t: YatzyTables, sheet: Row) -> bool:
    return (sheet[t.thrown] < t.throws) | (t.saves & (sheet[t.saved] > 0))


@lean_inline
def open_boxes(t: YatzyTables, sheet: Row, filled: int, throw: int) -> int:
    """The boxes that may be filled now, as bits."""
    return t.open[situation(t, sheet, filled, throw), throw] & ~filled


def show(t: YatzyTables, sheet: Row, notes: Notes, mask: Row) -> None:
    # Into variables first: as far as a compiler knows, whatever is written to a row may change the tables.
    dice, filled, first, keeps = notes[0], notes[1], t.dice, t.keeps
    for i in range(t.showing.shape[1]):
        sheet[first + i] = t.showing[dice, i]
    if dice < keeps:
        mask[:] = 0
        return
    may_keep = np.int8(may_throw(t, sheet))
    boxes = open_boxes(t, sheet, filled, dice - keeps)
    for keep in range(t.keepable.shape[1]):
        mask[keep] = may_keep & t.keepable[dice - keeps, keep]
    for box in range(t.is_upper.shape[0]):
        mask[keeps + box] = boxes >> box & 1


def pick(t: YatzyTables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:
    throw = notes[0] - t.keeps
    keeps = t.choices[throw] if may_throw(t, sheet) else 0
    boxes = open_boxes(t, sheet, notes[1], throw)
    chosen = below(state, keeps + ones(boxes))
    if chosen < keeps:
        return t.choice[throw, chosen]
    return t.keeps + nth_bit(boxes, chosen - keeps)
