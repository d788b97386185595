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
    cap = rules.game.upper_goal if _uppers(rules) else 0
    boxes = Boxes(cap=cap, **_boxes(rules, list(outcomes)), **_answers(rules, outcomes))
    states = _states(rules, cap)
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


def _boxes(rules: RuleAnswers, outcomes: list[Outcome]) -> dict[str, Any]:
    boxes = rules.game.boxes
    return {
        "size": len(boxes),
        "yatzy_box": rules.mask("yatzy"),
        "lower_boxes": sum(rules.mask(box) for box in boxes if box not in UPPER and box != "yatzy"),
        "holding": int(rules.holding_matters),
        "own_box": np.array([rules.mask(NAMES[throw[0] - 1]) for throw in rules.throws]),
        "first_outcome": _firsts([outcome.box for outcome in outcomes], len(boxes)),
        "box": np.array([outcome.box for outcome in outcomes]),
        "gain": np.array([float(outcome.gain) for outcome in outcomes]),
        "upper": np.array([outcome.upper for outcome in outcomes]),
        "holds": np.array([outcome.holds for outcome in outcomes]),
    }


def _answers(rules: RuleAnswers, outcomes: dict[Outcome, int]) -> dict[str, Any]:
    boxes, nothing = len(rules.game.boxes), _nothing(rules)
    table = np.full((len(SITUATIONS), len(rules.throws), boxes), NOT_ALLOWED, np.int16)
    found: dict[tuple[int, int], set[int]] = {}  # by box and throw, over all situations
    for situation, throw, sheet, by_box in rules.answers:
        for box, points in enumerate(sheet.boxes):
            if box in by_box:
                table[situation, throw, box] = outcomes[by_box[box]]
            if points is None:
                found.setdefault((box, throw), set()).add(int(table[situation, throw, box]))
    special = {throw for (_, throw), here in found.items() if len(here) > 1 or NOT_ALLOWED in here}
    pays = [
        (box, rules.keeps + throw, *here)
        for (box, throw), here in sorted(found.items())
        if throw not in special and here != {outcomes[nothing[box]]}
    ]
    return {
        "outcome": table,
        "nothing": np.array([outcomes[outcome] for outcome in nothing]),
        "first_pay": _firsts([pay[0] for pay in pays], boxes),
        "pay_set": np.array([pay[1] for pay in pays], np.int64),
        "pay_outcome": np.array([pay[2] for pay in pays], np.int64),
        "special": np.array(sorted(special), np.int64),
    }


def _uppers(rules: RuleAnswers) -> list[int]:
    return [box for box, name in enumerate(rules.game.boxes) if name in UPPER]


def _states(rules: RuleAnswers, cap: int) -> States:
    game, uppers = rules.game, _uppers(rules)
    reach = [sorted(totals) for totals in _reach(rules, uppers, cap)]
    part = np.zeros(1, np.int64)
    for box in range(len(game.boxes)):
        part = np.append(part, part + (1 << uppers.index(box) if box in uppers else 0))
    first = uppers[0] if uppers else None
    sheets = [
        replace(game.start(), boxes=tuple(total if box == first else None for box in range(len(game.boxes))))
        for total in range(cap + 1)
    ]
    return States(
        part=part,
        first_reach=np.cumsum([0, *map(len, reach)]),
        reach=np.concatenate([np.array(totals) for totals in reach]),
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


def _reach(rules: RuleAnswers, uppers: list[int], cap: int) -> Iterator[set[int]]:
    """The upper totals that can be, for every choice of upper boxes that are filled.

    Those from which the bonus is out of reach are all alike: of more boxes than `EVERY_TOTAL` they are one, 0.
    """
    steps: dict[int, set[int]] = {box: {0} for box in uppers}
    for answer in rules.answers:
        for box in steps.keys() & answer.outcomes.keys():
            steps[box].add(answer.outcomes[box].upper)
    for part in range(1 << len(uppers)):
        totals, still = {0}, 0
        for i, box in enumerate(uppers):
            if part >> i & 1:
                totals = {min(cap, total + step) for total in totals for step in steps[box]}
            else:
                still += max(steps[box])
        if len(rules.game.boxes) > EVERY_TOTAL:
            totals = {total if total + still >= cap else 0 for total in totals}
        yield totals


def _firsts(owners: list[int], count: int) -> Ints:
    """Where each owner's part begins in a list that is sorted by owner, and where the last one's ends."""
    return np.searchsorted(np.array(owners, np.int64), np.arange(count + 1)).astype(np.int64)
