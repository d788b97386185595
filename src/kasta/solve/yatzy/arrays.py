"""What the rules of Yatzy answered, as arrays for kernels: no score or bonus is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import factorial, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES, Faces
from kasta.games.yatzy import UPPER
from kasta.solve.yatzy.rule_answers import SITUATIONS, SITUATIONS_OF_YATZY, YATZY_FREE, YATZY_ZERO, Asked, Outcome

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

N = TypeVar("N", int, Ints)

TOGETHER = 12  # chances are read in such portions
NOT_ALLOWED = -1


class Dice(NamedTuple):
    """Sets of dice and the ways between them."""

    throws: int  # in a turn
    sets: int
    keeps: int  # the sets below this number are no complete throws
    more: NDArray[np.uint16]  # [keep, face]: the set with one more die
    fewer: NDArray[np.uint16]  # [set, i]: the sets with one die less
    kinds: Ints  # [kind]: first set, last set, how many are `fewer`
    chance: Floats  # [throw]: of throwing this with all dice; zeros up to a multiple of TOGETHER
    unkeepable: Ints


class Boxes(NamedTuple):
    """What filling boxes brings."""

    size: int  # how many there are
    cap: int  # upper totals from here on are all alike
    yatzy_box: int  # a mask, 0 if the game has none
    lower_boxes: int  # a mask of those other than Yatzy
    holding: int  # 1 if it matters whether the Yatzy box holds points
    own_box: Ints  # [throw]: mask of the upper box of its first face
    outcome: NDArray[np.int16]  # [situation, throw, box]
    first_outcome: Ints  # [box]
    box: Ints  # [outcome]
    gain: Floats  # [outcome]
    upper: Ints  # [outcome]
    holds: Ints  # [outcome]
    nothing: Ints  # [box]: the outcome of writing 0
    first_pay: Ints  # [box]: where its part of the next two begins
    pay_set: Ints  # throws that pay in a box, whatever the situation
    pay_outcome: Ints
    special: Ints  # throws for which the situation counts


class States(NamedTuple):
    """Which states there are."""

    part: Ints  # [mask of filled boxes]: which upper boxes are filled, numbered
    first_reach: Ints  # [part]: where its part of the next one begins
    reach: Ints  # upper totals that can be
    bonus: Floats  # [upper total]


class Tables(NamedTuple):
    """Everything a kernel needs to know about one game; in parts, since compiling for many arrays takes long."""

    dice: Dice
    boxes: Boxes
    states: States


# These two are used as they are and, compiled, by kernels.


def state(cap: int, mask: N, held: N, upper: N) -> N:
    """The number of a state."""
    return (2 * mask + held) * (cap + 1) + upper


def situation(b: Boxes, mask: int, held: int) -> int:
    """Which answers of the rules apply when these boxes are filled, to throws whose own upper box is free."""
    yatzy = YATZY_FREE if b.yatzy_box & ~mask else YATZY_ZERO + held
    return SITUATIONS_OF_YATZY * yatzy + (b.lower_boxes & ~mask != 0)


def make_tables(asked: Asked, outcomes: dict[Outcome, int]) -> Tables:
    """The arrays, given what the rules say and how outcomes are numbered."""
    cap = asked.game.upper_goal if _uppers(asked) else 0
    boxes = Boxes(cap=cap, **_boxes(asked, list(outcomes)), **_answers(asked, outcomes))
    return Tables(_dice(asked), boxes, _states(asked, cap))


def number_outcomes(asked: Asked) -> dict[Outcome, int]:
    """Sorted by box; writing 0 has a number in every box, even where dice always pay."""
    told = {outcome for answer in asked.answers for outcome in answer.told.values()}
    return {outcome: i for i, outcome in enumerate(sorted(told | set(_nothing(asked))))}


def _nothing(asked: Asked) -> list[Outcome]:
    return [Outcome(box, 0, 0, 0) for box in range(len(asked.game.boxes))]


def _dice(asked: Asked) -> Dice:
    sets, keeps, dice = asked.sets, asked.sets[: asked.keeps], asked.game.dice
    fewer = np.zeros((len(sets), len(FACES)), np.uint16)
    for number, kept in enumerate(sets):
        smaller = [asked.number[_without(kept, face)] for face in sorted(set(kept))]
        fewer[number, : len(smaller)] = smaller
    kinds = [(len(kept), len(set(kept))) for kept in sets]
    firsts = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
    groups = [(first, first + kinds.count(kinds[first]), kinds[first][1]) for first in firsts]
    ways = [factorial(dice) / prod(map(factorial, Counter(throw).values())) for throw in asked.throws]
    padding = [0.0] * (-len(ways) % TOGETHER)
    more = [[asked.number[tuple(sorted((*kept, face)))] for face in FACES] for kept in keeps]
    return Dice(
        throws=asked.game.throws,
        sets=len(sets),
        keeps=len(keeps),
        more=np.array(more, np.uint16),
        fewer=fewer,
        kinds=np.array(groups[1:]),  # nothing is fewer than the empty set
        chance=np.array(ways + padding) / len(FACES) ** dice,
        unkeepable=np.array(asked.unkeepable, np.int64),
    )


def _without(dice: Faces, face: int) -> Faces:
    at = dice.index(face)
    return dice[:at] + dice[at + 1 :]


def _boxes(asked: Asked, outcomes: list[Outcome]) -> dict[str, Any]:
    boxes = asked.game.boxes
    return {
        "size": len(boxes),
        "yatzy_box": asked.mask("yatzy"),
        "lower_boxes": sum(asked.mask(box) for box in boxes if box not in UPPER and box != "yatzy"),
        "holding": int(asked.holding_matters),
        "own_box": np.array([asked.mask(UPPER[throw[0] - 1]) for throw in asked.throws]),
        "first_outcome": _firsts([outcome.box for outcome in outcomes], len(boxes)),
        "box": np.array([outcome.box for outcome in outcomes]),
        "gain": np.array([float(outcome.gain) for outcome in outcomes]),
        "upper": np.array([outcome.upper for outcome in outcomes]),
        "holds": np.array([outcome.holds for outcome in outcomes]),
    }


def _answers(asked: Asked, outcomes: dict[Outcome, int]) -> dict[str, Any]:
    boxes, nothing = len(asked.game.boxes), _nothing(asked)
    table = np.full((len(SITUATIONS), len(asked.throws), boxes), NOT_ALLOWED, np.int16)
    told_of: dict[tuple[int, int], set[int]] = {}  # by box and throw, over all situations
    for situation, throw, sheet, told in asked.answers:
        for box, points in enumerate(sheet.boxes):
            if box in told:
                table[situation, throw, box] = outcomes[told[box]]
            if points is None:
                told_of.setdefault((box, throw), set()).add(int(table[situation, throw, box]))
    special = {
        throw for (_, throw), told_here in told_of.items() if len(told_here) > 1 or NOT_ALLOWED in told_here
    }
    pays = [
        (box, asked.keeps + throw, *told_here)
        for (box, throw), told_here in sorted(told_of.items())
        if throw not in special and told_here != {outcomes[nothing[box]]}
    ]
    return {
        "outcome": table,
        "nothing": np.array([outcomes[outcome] for outcome in nothing]),
        "first_pay": _firsts([pay[0] for pay in pays], boxes),
        "pay_set": np.array([pay[1] for pay in pays], np.int64),
        "pay_outcome": np.array([pay[2] for pay in pays], np.int64),
        "special": np.array(sorted(special), np.int64),
    }


def _uppers(asked: Asked) -> list[int]:
    return [box for box, name in enumerate(asked.game.boxes) if name in UPPER]


def _states(asked: Asked, cap: int) -> States:
    game, uppers = asked.game, _uppers(asked)
    reach = [sorted(totals) for totals in _reach(asked, uppers, cap)]
    masks = range(1 << len(game.boxes))
    first = uppers[0] if uppers else None
    sheets = [
        replace(game.start(), boxes=tuple(total if box == first else None for box in range(len(game.boxes))))
        for total in range(cap + 1)
    ]
    return States(
        part=np.array([sum((mask >> box & 1) << i for i, box in enumerate(uppers)) for mask in masks]),
        first_reach=np.cumsum([0, *map(len, reach)]),
        reach=np.concatenate([np.array(totals) for totals in reach]),
        bonus=np.array([float(game.bonus(sheet)) for sheet in sheets]),
    )


def _reach(asked: Asked, uppers: list[int], cap: int) -> Iterator[set[int]]:
    """The upper totals that can be, for every choice of upper boxes that are filled."""
    steps: dict[int, set[int]] = {box: {0} for box in uppers}
    for answer in asked.answers:
        for box in steps.keys() & answer.told.keys():
            steps[box].add(answer.told[box].upper)
    for part in range(1 << len(uppers)):
        totals = {0}
        for i, box in enumerate(uppers):
            if part >> i & 1:
                totals = {min(cap, total + step) for total in totals for step in steps[box]}
        yield totals


def _firsts(owners: list[int], count: int) -> Ints:
    """Where each owner's part begins in a list that is sorted by owner, and where the last one's ends."""
    return np.searchsorted(np.array(owners, np.int64), np.arange(count + 1)).astype(np.int64)
