"""Every Yatzy as kernels. Dice are the number of their set; a keep's number as an action is that of its set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES, Faces
from kasta.env.kernels.words import OVER, THROW, Notes, Row, below, die, nth_bit, ones
from kasta.games.block import BlockGame, Fill, Keep, Sheet
from kasta.games.scores import UPPER
from kasta.solve.jit import lean_inline

NOT_ALLOWED = -1
UPPER_BOXES = tuple(UPPER)
# What the rules' answer to a throw can depend on, besides the box's being free: a number made of these.
YATZY_FREE, YATZY_ZERO, YATZY_HELD = 0, 1, 2
OWN_FILLED, NO_LOWER_FREE, YATZY = 1, 2, 4


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
    lower: int  # those boxes, as bits
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
    sets = [kept for size in range(solo.dice + 1) for kept in combinations_with_replacement(FACES, size)]
    number = {kept: i for i, kept in enumerate(sets)}
    throws = [dice for dice in sets if len(dice) == solo.dice]
    keeps = len(sets) - len(throws)
    bits = {box: 1 << i for i, box in enumerate(solo.boxes)}
    thrown = len(solo.boxes) + len(FACES)
    column = {name: i for i, name in enumerate(solo.counters, thrown + 1)}
    kept = [_kept(solo, dice, number) for dice in throws]
    keepable = np.zeros((len(throws), keeps), np.int8)
    choice = np.zeros((len(throws), 1 << solo.dice), np.int16)
    for throw, found in enumerate(kept):
        keepable[throw, found] = 1
        choice[throw, : len(found)] = sorted(found)
    points, beside, marks = _ask(solo, throws)
    return YatzyTables(
        notes=3,
        throws=solo.throws,
        boxes=len(solo.boxes),
        keeps=keeps,
        dice=len(solo.boxes),
        thrown=thrown,
        jokers=column.get("jokers", thrown),
        saved=column.get("saved", thrown),
        saves=int(solo.saves),
        yatzy=solo.boxes.index("yatzy") if "yatzy" in bits else -1,
        lower=sum(bit for box, bit in bits.items() if box not in UPPER),
        more=np.array(
            [[number[tuple(sorted((*dice, face)))] for face in FACES] for dice in sets[:keeps]], np.int16
        ),
        showing=np.array([[dice.count(face) for face in FACES] for dice in sets], np.int8),
        own=np.array([bits.get(UPPER_BOXES[dice[0] - 1], 0) for dice in throws], np.int32),
        keepable=keepable,
        choices=np.array([len(found) for found in kept]),
        choice=choice,
        open=((points != NOT_ALLOWED) << np.arange(len(solo.boxes))).sum(axis=2).astype(np.int32),
        points=points,
        beside=beside,
        marks=marks,
        is_upper=np.array([box in UPPER for box in solo.boxes], np.int8),
        bonus=_bonus(solo, throws),
    )


def _kept(solo: BlockGame, dice: Faces, number: Mapping[Faces, int]) -> list[int]:
    """The numbers of the sets that may be kept of a first throw."""
    legal = solo.legal(Sheet(solo.start().boxes, 0, dice, 1))
    return [number[action.dice] for action in legal if type(action) is Keep]


def _bonus(solo: BlockGame, throws: list[Faces]) -> NDArray[np.int16]:
    most = sum(
        max(solo.points(Sheet((), dice=dice), box) for dice in throws) for box in UPPER if box in solo.boxes
    )
    first = next((i for i, box in enumerate(solo.boxes) if box in UPPER), 0)
    sheets = [Sheet(tuple(held if i == first else 0 for i in range(len(solo.boxes)))) for held in range(most + 1)]
    return np.array([solo.bonus(sheet) for sheet in sheets], np.int16)


def _ask(solo: BlockGame, throws: list[Faces]) -> tuple[NDArray[np.int8], NDArray[np.int16], NDArray[np.int8]]:
    """What filling each box with each throw brings, in each situation."""
    shape = (3 * YATZY, len(throws), len(solo.boxes))
    points = np.full(shape, NOT_ALLOWED, np.int8)
    beside, marks = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
    for throw, dice in enumerate(throws):
        for situation, sheet in _situations(solo, dice):
            for action in solo.legal(sheet):
                if isinstance(action, Fill):
                    where, after = (situation, throw, solo.boxes.index(action.box)), solo.act(sheet, action)
                    points[where] = after.boxes[where[2]] or 0
                    beside[where] = solo.total(after) - solo.total(sheet) - int(points[where])
                    marks[where] = after.jokers - sheet.jokers
    return points, beside, marks


def _situations(solo: BlockGame, dice: Faces) -> Iterator[tuple[int, Sheet]]:
    """A sheet for each situation, with as many free boxes as it allows."""
    pays = max(solo.attainable.get("yatzy", [0]))
    own = UPPER_BOXES[dice[0] - 1]
    for yatzy, own_filled, no_lower in product((YATZY_FREE, YATZY_ZERO, YATZY_HELD), (False, True), (False, True)):
        held: dict[str, int | None] = dict.fromkeys(solo.boxes)
        if no_lower:
            held |= {box: 0 for box in solo.boxes if box not in UPPER}
        if own_filled and own in held:
            held[own] = 0
        if "yatzy" in held:
            held["yatzy"] = (None, 0, pays)[yatzy]
        number = YATZY * yatzy + OWN_FILLED * own_filled + NO_LOWER_FREE * no_lower
        yield number, Sheet(tuple(held.values()), 0, dice, solo.throws)


@lean_inline
def situation(t: YatzyTables, sheet: Row, filled: int, throw: int) -> int:
    """All sums, no branches: chance decides here, and a wrong guess costs the processor more than the work."""
    shown = sheet[t.yatzy] if t.yatzy >= 0 else YATZY_FREE  # 0 while it is free, then its points plus one
    own_filled = filled & t.own[throw] != 0
    no_lower_free = filled & t.lower == t.lower
    return YATZY * min(shown, YATZY_HELD) + OWN_FILLED * own_filled + NO_LOWER_FREE * no_lower_free


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
