"""What the rules of Yatzy answered, as arrays for kernels: no score or bonus is written here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import factorial, prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES, Faces
from kasta.games.scores import UPPER
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.rule_answers import (
    NAMES,
    SITUATIONS,
    SITUATIONS_OF_YATZY,
    YATZY_FREE,
    YATZY_ZERO,
    Outcome,
    RuleAnswers,
)

N = TypeVar("N", int, Ints)

TOGETHER = 12  # chances are read in such portions
NOT_ALLOWED = -1
EVERY_TOTAL = 13  # boxes: files of such blocks, in users' folders, have every upper total


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


class Numbering(NamedTuple):
    """How states are numbered: by boxes, then by whether Yatzy is held, then by the upper totals that can be."""

    ways: int  # 2 if it matters whether the Yatzy box holds points, else 1
    part: Ints  # as in States
    first: Ints  # [ways * mask + held]: where the numbers of these boxes begin, and where the last ones end
    rank: Ints  # [part, upper total]: 0 for all from which the bonus is out of reach


class YatzyArrays(NamedTuple):
    """Everything a kernel needs to know about one game; in parts, since compiling for many arrays takes long."""

    dice: Dice
    boxes: Boxes
    states: States
    numbering: Numbering


# These two are used as they are and, compiled, by kernels.


def state(n: Numbering, mask: N, held: N, upper: N) -> N:
    """The number of a state."""
    number: N = n.first[n.ways * mask + held] + n.rank[n.part[mask], upper]
    return number


def situation(b: Boxes, mask: int, held: int) -> int:
    """Which answers of the rules apply when these boxes are filled, to throws whose own upper box is free."""
    yatzy = YATZY_FREE if b.yatzy_box & ~mask else YATZY_ZERO + held
    return SITUATIONS_OF_YATZY * yatzy + (b.lower_boxes & ~mask != 0)


def make_arrays(rules: RuleAnswers, outcomes: dict[Outcome, int]) -> YatzyArrays:
    """The arrays, given what the rules say and how outcomes are numbered."""
    uppers = [box for box, name in enumerate(rules.game.boxes) if name in UPPER]
    boxes = _boxes(rules, outcomes, cap=rules.game.upper_goal if uppers else 0)
    states = _states(rules, uppers, boxes.cap)
    return YatzyArrays(_dice(rules), boxes, states, _numbering(boxes, states))


def number_outcomes(rules: RuleAnswers) -> dict[Outcome, int]:
    """Sorted by box; writing 0 has a number in every box, even where dice always pay."""
    outcomes = {outcome for answer in rules.answers for outcome in answer.outcomes.values()}
    return {outcome: i for i, outcome in enumerate(sorted(outcomes | set(_nothing(rules))))}


def _nothing(rules: RuleAnswers) -> list[Outcome]:
    return [Outcome(box, 0, 0, 0) for box in range(len(rules.game.boxes))]


def _dice(rules: RuleAnswers) -> Dice:
    sets, keeps, dice = rules.sets, rules.sets[: rules.keeps], rules.game.dice
    fewer = np.zeros((len(sets), len(FACES)), np.uint16)
    for number, kept in enumerate(sets):
        smaller = [rules.number[_without(kept, face)] for face in sorted(set(kept))]
        fewer[number, : len(smaller)] = smaller
    kinds = [(len(kept), len(set(kept))) for kept in sets]
    firsts = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
    groups = [(first, first + kinds.count(kinds[first]), kinds[first][1]) for first in firsts]
    ways = [factorial(dice) / prod(map(factorial, Counter(throw).values())) for throw in rules.throws]
    padding = [0.0] * (-len(ways) % TOGETHER)
    more = [[rules.number[tuple(sorted((*kept, face)))] for face in FACES] for kept in keeps]
    return Dice(
        throws=rules.game.throws,
        sets=len(sets),
        keeps=len(keeps),
        more=np.array(more, np.uint16),
        fewer=fewer,
        kinds=np.array(groups[1:]),  # nothing is fewer than the empty set
        chance=np.array(ways + padding) / len(FACES) ** dice,
        unkeepable=np.array(rules.unkeepable, np.int64),
    )


def _without(dice: Faces, face: int) -> Faces:
    at = dice.index(face)
    return dice[:at] + dice[at + 1 :]


def _boxes(rules: RuleAnswers, outcomes: dict[Outcome, int], cap: int) -> Boxes:
    names, nothing = rules.game.boxes, np.array([outcomes[outcome] for outcome in _nothing(rules)])
    table = np.full((len(SITUATIONS), len(rules.throws), len(names)), NOT_ALLOWED, np.int16)
    free = np.zeros(table.shape, np.bool_)
    for situation, throw, sheet, by_box in rules.answers:
        free[situation, throw] = [points is None for points in sheet.boxes]
        for box, outcome in by_box.items():
            table[situation, throw, box] = outcomes[outcome]
    least, most = np.where(free, table, len(outcomes)).min(axis=0), np.where(free, table, NOT_ALLOWED).max(axis=0)
    is_asked = free.any(axis=0)
    is_special = (is_asked & ((least != most) | (least == NOT_ALLOWED))).any(axis=1)
    pay_box, pay_throw = np.nonzero((is_asked & ~is_special[:, None] & (most != nothing)).T)
    box, upper, holds, gain = np.array(list(outcomes)).T.copy()
    return Boxes(
        size=len(names),
        cap=cap,
        yatzy_box=rules.mask("yatzy"),
        lower_boxes=sum(rules.mask(name) for name in names if name not in UPPER and name != "yatzy"),
        holding=int(rules.holding_matters),
        own_box=np.array([rules.mask(NAMES[throw[0] - 1]) for throw in rules.throws]),
        outcome=table,
        first_outcome=_firsts(box, len(names)),
        box=box,
        gain=gain.astype(np.float64),
        upper=upper,
        holds=holds,
        nothing=nothing,
        first_pay=_firsts(pay_box, len(names)),
        pay_set=rules.keeps + pay_throw,
        pay_outcome=most[pay_throw, pay_box].astype(np.int64),
        special=np.flatnonzero(is_special),
    )


def _states(rules: RuleAnswers, uppers: list[int], cap: int) -> States:
    game, masks, reach = rules.game, np.arange(1 << len(rules.game.boxes)), _reach(rules, uppers, cap)
    sheets = [
        replace(game.start(), boxes=tuple(total if box in uppers[:1] else None for box in range(len(game.boxes))))
        for total in range(cap + 1)
    ]
    return States(
        part=sum(((masks >> box & 1) << i for i, box in enumerate(uppers)), np.zeros_like(masks)),
        first_reach=np.cumsum([0, *map(len, reach)]),
        reach=np.concatenate(reach),
        bonus=np.array([float(game.bonus(sheet)) for sheet in sheets]),
    )


def _numbering(b: Boxes, s: States) -> Numbering:
    parts, ways = len(s.first_reach) - 1, 1 + b.holding
    rank = np.zeros((parts, b.cap + 1), np.int64)
    for part in range(parts):
        totals = s.reach[s.first_reach[part] : s.first_reach[part + 1]]
        rank[part, totals] = np.arange(len(totals))
    first = np.zeros(ways * len(s.part) + 1, np.int64)
    counts = first[1:].reshape(-1, ways)
    counts[:] = np.diff(s.first_reach)[s.part, None]
    if b.holding:
        counts[np.arange(len(s.part)) & b.yatzy_box == 0, 1:] = 0  # what is free holds nothing
    return Numbering(ways, s.part, np.cumsum(first, out=first), rank)


def _reach(rules: RuleAnswers, uppers: list[int], cap: int) -> list[list[int]]:
    """The upper totals that can be, for every choice of upper boxes that are filled.

    Those from which the bonus is out of reach are all alike: of more boxes than `EVERY_TOTAL` they are one, 0.
    """
    outcomes = {outcome for answer in rules.answers for outcome in answer.outcomes.values()}
    steps = [{0} | {outcome.upper for outcome in outcomes if outcome.box == box} for box in uppers]
    reach, still = [{0}], [sum(map(max, steps))]
    for step in steps:
        reach += [{min(cap, total + more) for total in totals for more in step} for totals in reach]
        still += [left - max(step) for left in still]
    if len(rules.game.boxes) > EVERY_TOTAL:
        found = zip(reach, still, strict=True)
        reach = [{total if total + left >= cap else 0 for total in totals} for totals, left in found]
    return [sorted(totals) for totals in reach]


def _firsts(owners: Ints, count: int) -> Ints:
    """Where each owner's part begins in a list that is sorted by owner, and where the last one's ends."""
    return np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
