"""What the rules of Yatzy answer, as arrays for kernels: no score or bonus is written here, all are asked for.

Sets of dice are numbered: first all that can be kept, by size, then the complete throws. What a throw may do on a
sheet depends on few things about that sheet, its *situation*; the rules are asked about one sheet of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kasta.core import FACES, Faces
from kasta.games.yatzy import UPPER, Fill, Keep, Sheet, Yatzy
from kasta.solve.lanes import TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# The Yatzy box is free, was given up (or is not in the game), or holds its points; the upper box of the dice's first
# face is filled or not; a lower box other than Yatzy is free or not.
YATZY_FREE, YATZY_ZERO, YATZY_HELD = range(3)
SITUATIONS = list(product((YATZY_FREE, YATZY_ZERO, YATZY_HELD), (False, True), (False, True)))
SITUATIONS_OF_YATZY, OWN_FILLED = 4, 2  # the way to their numbers
NOT_ALLOWED = -1


class Tables(NamedTuple):
    """Everything a kernel needs to know about one game. An *outcome* is a box filled, and what that changes."""

    throws: int
    sets: int
    keeps: int  # the sets below this number are no complete throws
    boxes: int
    cap: int  # upper totals from here on are all alike
    yatzy_box: int  # a mask, 0 if the game has none
    lower_boxes: int  # a mask of those other than Yatzy
    more: NDArray[np.uint16]  # [keep, face]: the set with one more die
    fewer: NDArray[np.uint16]  # [set, i]: the sets with one die less
    sizes: Ints  # [group]: first set, last set, how many are `fewer`
    chance: Floats  # [throw]: of throwing this with all dice; zeros up to a multiple of TOGETHER
    unkeepable: Ints
    own_box: Ints  # [throw]: mask of the upper box of its first face
    outcome: NDArray[np.int16]  # [situation, throw, box]
    first_outcome: Ints  # [box]
    box: Ints  # [outcome]
    gain: Floats  # [outcome]: points, with bonuses for jokers but not that of the upper section
    upper: Ints  # [outcome]: points that count towards the upper section's bonus
    holds: Ints  # [outcome]: 1 if the Yatzy box now holds points, and that makes a difference
    nothing: Ints  # [box]: the outcome of writing 0
    first_pay: Ints  # [box]: where its part of the next two begins
    pay_set: Ints  # throws that pay in a box, whatever the situation
    pay_outcome: Ints
    special: Ints  # throws for which the situation counts
    part: Ints  # [mask of filled boxes]: which upper boxes are filled, numbered
    first_reach: Ints  # [part]: where its part of the next one begins
    reach: Ints  # upper totals that can be
    bonus: Floats  # [upper total]


class Outcome(NamedTuple):
    box: int
    upper: int
    holds: int
    gain: int


@dataclass(frozen=True)
class Book:
    """A game's tables, with the way from rules to numbers and back."""

    game: Yatzy

    @cached_property
    def sets(self) -> list[Faces]:
        """By size, then by how many different faces: kernels treat those of one kind together."""
        sizes = range(self.game.dice + 1)
        return [
            dice
            for size in sizes
            for dice in sorted(combinations_with_replacement(FACES, size), key=lambda dice: (len(set(dice)), dice))
        ]

    @cached_property
    def number(self) -> dict[Faces, int]:
        return {dice: number for number, dice in enumerate(self.sets)}

    @cached_property
    def throws(self) -> list[Faces]:
        return self.sets[self.keeps :]

    @cached_property
    def keeps(self) -> int:
        return sum(len(dice) < self.game.dice for dice in self.sets)

    @cached_property
    def held(self) -> int:
        """What the Yatzy box holds when it was not given up."""
        return self.game.points(replace(self.game.start(), dice=(FACES[0],) * self.game.dice), "yatzy")

    def situation(self, yatzy: int, own: str, *, own_filled: bool, lower_free: bool) -> Sheet | None:
        """The sheet with most boxes free in that situation, None if there is none."""
        game = self.game
        lower = [box for box in game.boxes if box not in UPPER and box != "yatzy"]
        if (own not in game.boxes and not own_filled) or (lower_free and not lower):
            return None
        if "yatzy" not in game.boxes and yatzy != YATZY_ZERO:
            return None
        filled = {} if lower_free else dict.fromkeys(lower, 0)
        filled |= {own: 0} if own_filled else {}
        filled |= {YATZY_ZERO: {"yatzy": 0}, YATZY_HELD: {"yatzy": self.held}}.get(yatzy, {})
        return Sheet(tuple(filled.get(box) for box in game.boxes), throws=game.throws)

    def answers(self) -> Iterator[tuple[int, int, Sheet, dict[int, Outcome]]]:
        """What the rules say to every throw in every situation: situation, throw, sheet, outcome of each box."""
        for (number, (yatzy, own_filled, lower_free)), face in product(enumerate(SITUATIONS), FACES):
            sheet = self.situation(yatzy, UPPER[face - 1], own_filled=own_filled, lower_free=lower_free)
            if sheet is None:
                continue
            for throw, dice in enumerate(self.throws):
                if dice[0] == face:
                    thrown = replace(sheet, dice=dice)
                    yield number, throw, thrown, dict(self._outcomes(thrown))

    def _outcomes(self, sheet: Sheet) -> Iterator[tuple[int, Outcome]]:
        game = self.game
        counted, upper = self.counted(sheet), game.upper(sheet)
        for action in game.legal(sheet):
            if isinstance(action, Fill):
                after = game.act(sheet, action)
                box = game.boxes.index(action.box)
                holds = action.box == "yatzy" and bool(after.boxes[box])
                yield box, Outcome(box, game.upper(after) - upper, int(holds), self.counted(after) - counted)

    def counted(self, sheet: Sheet) -> int:
        """The total without the upper section's bonus, which is reckoned when the sheet is full."""
        return self._without_bonus.total(sheet)

    @cached_property
    def _without_bonus(self) -> Yatzy:
        return replace(self.game, upper_bonus=0)

    def unkeepable(self) -> list[int]:
        """Sets of dice that the rules do not let anybody keep; it must not depend on what else was thrown."""
        sheet = replace(self.game.start(), throws=1)
        kept: Counter[Faces] = Counter()
        possible: Counter[Faces] = Counter()
        for dice in self.throws if self.game.throws > 1 else []:
            legal = self.game.legal(replace(sheet, dice=dice))
            kept.update(action.dice for action in legal if isinstance(action, Keep))
            possible.update(subsets(dice))
        refused = [dice for dice in possible if len(dice) < self.game.dice and not kept[dice]]
        assert all(kept[dice] in {0, possible[dice]} for dice in possible if len(dice) < self.game.dice)  # noqa: S101
        return sorted(self.number[dice] for dice in refused)

    @cached_property
    def fingerprint(self) -> str:
        """Two games with the same fingerprint have the same solution."""
        digest = sha256()
        for name, value in self.tables._asdict().items():
            array = np.asarray(value)
            digest.update(f"{name} {array.dtype} {array.shape}\n".encode() + array.tobytes())
        return digest.hexdigest()

    @cached_property
    def tables(self) -> Tables:
        answers = list(self.answers())
        if not self._holding_matters(answers):
            answers = [
                (situation, throw, sheet, {box: outcome._replace(holds=0) for box, outcome in boxes.items()})
                for situation, throw, sheet, boxes in answers
            ]
        return Tables(**self._dice_tables(), **self._box_tables(answers), **self._state_tables(answers))

    def _holding_matters(self, answers: list[tuple[int, int, Sheet, dict[int, Outcome]]]) -> bool:
        """Whether a Yatzy box that holds points ever changes what a throw may do or pays."""
        told: dict[tuple[int, ...], dict[int, Outcome]] = {}
        for number, throw, _, boxes in answers:
            yatzy, *others = SITUATIONS[number]
            if yatzy != YATZY_FREE and told.setdefault((throw, *others), boxes) != boxes:
                return True
        return False

    def _dice_tables(self) -> dict[str, object]:
        dice = self.game.dice
        fewer = np.zeros((len(self.sets), len(FACES)), np.uint16)
        for number, kept in enumerate(self.sets):
            smaller = [self.number[without(kept, face)] for face in sorted(set(kept))]
            fewer[number, : len(smaller)] = smaller
        kinds = [(len(kept), len(set(kept))) for kept in self.sets]
        groups = [(kinds.index(kind), kinds.index(kind) + kinds.count(kind), kind[1]) for kind in dict.fromkeys(kinds)]
        ways = [factorial(dice) / prod(map(factorial, Counter(throw).values())) for throw in self.throws]
        padding = -len(ways) % TOGETHER
        more = [[self.number[tuple(sorted((*kept, face)))] for face in FACES] for kept in self.sets[: self.keeps]]
        return {
            "throws": self.game.throws,
            "sets": len(self.sets),
            "keeps": self.keeps,
            "more": np.array(more, np.uint16),
            "fewer": fewer,
            "sizes": np.array(groups[1:], np.int64),  # the empty set has none fewer
            "chance": np.array(ways + [0.0] * padding) / len(FACES) ** dice,
            "unkeepable": np.array(self.unkeepable(), np.int64),
        }

    def _box_tables(self, answers: list[tuple[int, int, Sheet, dict[int, Outcome]]]) -> dict[str, object]:
        boxes = self.game.boxes
        nothing = [Outcome(box, 0, 0, 0) for box in range(len(boxes))]
        outcomes = sorted({*nothing, *(outcome for *_, told in answers for outcome in told.values())})
        number = {outcome: i for i, outcome in enumerate(outcomes)}
        table = np.full((len(SITUATIONS), len(self.throws), len(boxes)), NOT_ALLOWED, np.int16)
        told_of: dict[tuple[int, int], set[int]] = {}
        for situation, throw, sheet, told in answers:
            for box, points in enumerate(sheet.boxes):
                if box in told:
                    table[situation, throw, box] = number[told[box]]
                if points is None:
                    told_of.setdefault((throw, box), set()).add(int(table[situation, throw, box]))
        special = {throw for (throw, _), told in told_of.items() if len(told) > 1 or NOT_ALLOWED in told}
        pays = [
            (box, self.keeps + throw, told.pop())
            for (throw, box), told in sorted(told_of.items(), key=lambda item: item[0][::-1])
            if throw not in special and told != {number[nothing[box]]}
        ]
        return {
            "boxes": len(boxes),
            "yatzy_box": self.mask("yatzy"),
            "lower_boxes": sum(self.mask(box) for box in boxes if box not in UPPER and box != "yatzy"),
            "own_box": np.array([self.mask(UPPER[dice[0] - 1]) for dice in self.throws]),
            "outcome": table,
            "first_outcome": _firsts([outcome.box for outcome in outcomes], len(boxes)),
            "box": np.array([outcome.box for outcome in outcomes]),
            "gain": np.array([float(outcome.gain) for outcome in outcomes]),
            "upper": np.array([outcome.upper for outcome in outcomes]),
            "holds": np.array([outcome.holds for outcome in outcomes]),
            "nothing": np.array([number[outcome] for outcome in nothing]),
            "first_pay": _firsts([box for box, *_ in pays], len(boxes)),
            "pay_set": np.array([throw for _, throw, _ in pays], np.int64),
            "pay_outcome": np.array([outcome for *_, outcome in pays], np.int64),
            "special": np.array(sorted(special), np.int64),
        }

    def _state_tables(self, answers: list[tuple[int, int, Sheet, dict[int, Outcome]]]) -> dict[str, object]:
        game = self.game
        uppers = [box for box, name in enumerate(game.boxes) if name in UPPER]
        cap = game.upper_goal if uppers else 0
        steps: dict[int, set[int]] = {box: set() for box in uppers}
        for *_, told in answers:
            for box in steps.keys() & told.keys():
                steps[box].add(told[box].upper)
        reach: list[list[int]] = []
        for part in range(1 << len(uppers)):
            totals = {0}
            for i, box in enumerate(uppers):
                if part >> i & 1:
                    totals = {min(cap, total + step) for total in totals for step in {0, *steps[box]}}
            reach.append(sorted(totals))
        parts = [sum((mask >> box & 1) << i for i, box in enumerate(uppers)) for mask in range(1 << len(game.boxes))]
        holding = [replace(game.start(), boxes=self._holding(uppers, total)) for total in range(cap + 1)]
        return {
            "cap": cap,
            "part": np.array(parts),
            "first_reach": np.cumsum([0, *map(len, reach)]),
            "reach": np.concatenate([np.array(totals) for totals in reach]),
            "bonus": np.array([float(game.bonus(sheet)) for sheet in holding]),
        }

    def _holding(self, uppers: list[int], total: int) -> tuple[int | None, ...]:
        return tuple(total if box == uppers[0] else None for box in range(len(self.game.boxes))) if uppers else ()

    def mask(self, box: str) -> int:
        return 1 << self.game.boxes.index(box) if box in self.game.boxes else 0


def subsets(dice: Faces) -> set[Faces]:
    """All sets of dice that are part of these."""
    counts = Counter(dice)
    chosen = product(*(range(counts[face] + 1) for face in counts))
    return {tuple(f for face, n in zip(counts, ns, strict=True) for f in [face] * n) for ns in chosen}


def without(dice: Faces, face: int) -> Faces:
    at = dice.index(face)
    return dice[:at] + dice[at + 1 :]


def _firsts(owners: list[int], count: int) -> Ints:
    """Where each owner's part begins in a list that is sorted by owner, and where the last one's ends."""
    return np.searchsorted(np.array(owners, np.int64), np.arange(count + 1)).astype(np.int64)
