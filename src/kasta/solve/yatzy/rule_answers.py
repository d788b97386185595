"""Asking the rules of Yatzy about everything: what each throw may do, and what it pays.

Sets of dice are numbered: first all that can be kept, by size, then the complete throws. What a throw may do on a
sheet depends on few things about that sheet, its *situation*; the rules are rules about one sheet of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from kasta.core import FACES, Faces
from kasta.games.block import BlockGame, Keep, Sheet
from kasta.games.scores import UPPER

NAMES = tuple(UPPER)  # of the upper boxes

# The Yatzy box is free, was given up (or is not in the game), or holds its points; the upper box of the dice's
# first face is filled or not; a lower box other than Yatzy is free or not.
YATZY_FREE, YATZY_ZERO, YATZY_HELD = range(3)
SITUATIONS = list(product((YATZY_FREE, YATZY_ZERO, YATZY_HELD), (False, True), (False, True)))
SITUATIONS_OF_YATZY, OWN_FILLED = 4, 2  # the way to a situation's number


class Outcome(NamedTuple):
    """A box filled, and what that changes."""

    box: int
    upper: int  # points that count towards the upper section's bonus
    holds: int  # 1 if the Yatzy box now holds points, and that makes a difference
    gain: int  # points, with bonuses for jokers but not that of the upper section


class RuleAnswer(NamedTuple):
    situation: int
    throw: int
    sheet: Sheet
    outcomes: dict[int, Outcome]  # by box


@dataclass(frozen=True)
class RuleAnswers:
    """What the rules of one game say."""

    game: BlockGame

    @cached_property
    def sets(self) -> list[Faces]:
        """By size, then by how many different faces: kernels treat those of one kind together."""
        sizes = [combinations_with_replacement(FACES, size) for size in range(self.game.dice + 1)]
        return [dice for sets in sizes for dice in sorted(sets, key=lambda dice: (len(set(dice)), dice))]

    @cached_property
    def number(self) -> dict[Faces, int]:
        return {dice: number for number, dice in enumerate(self.sets)}

    @cached_property
    def keeps(self) -> int:
        """How many sets are no complete throws."""
        return sum(len(dice) < self.game.dice for dice in self.sets)

    @cached_property
    def throws(self) -> list[Faces]:
        return self.sets[self.keeps :]

    @cached_property
    def held(self) -> int:
        """What the Yatzy box holds when it was not given up, if there is one."""
        score = self.game.scores.get("yatzy")
        return score((FACES[0],) * self.game.dice) if score else 0

    def situation(self, yatzy: int, own: str, *, own_filled: bool, lower_free: bool) -> Sheet | None:
        """The sheet with most boxes free in that situation, None if there is none."""
        lower = [box for box in self.game.boxes if box not in UPPER and box != "yatzy"]
        filled = {} if lower_free else dict.fromkeys(lower, 0)
        filled |= {own: 0} if own_filled else {}
        filled |= {} if yatzy == YATZY_FREE else {"yatzy": self.held if yatzy == YATZY_HELD else 0}
        sheet = Sheet(tuple(filled.get(box) for box in self.game.boxes), throws=self.game.throws)
        can_be = own_filled or self.mask(own), lower or not lower_free, yatzy == YATZY_ZERO or self.mask("yatzy")
        return sheet if all(can_be) else None

    @cached_property
    def answers(self) -> list[RuleAnswer]:
        """What the rules say to every throw in every situation."""
        answers = list(self._ask())
        if self._holding_matters(answers):
            return answers
        same = [{box: outcome._replace(holds=0) for box, outcome in answer.outcomes.items()} for answer in answers]
        return [answer._replace(outcomes=outcomes) for answer, outcomes in zip(answers, same, strict=True)]

    def _ask(self) -> Iterator[RuleAnswer]:
        for (number, (yatzy, own_filled, lower_free)), face in product(enumerate(SITUATIONS), FACES):
            sheet = self.situation(yatzy, NAMES[face - 1], own_filled=own_filled, lower_free=lower_free)
            if sheet is not None:
                for throw, dice in enumerate(self.throws):
                    if dice[0] == face:
                        thrown = replace(sheet, dice=dice)
                        yield RuleAnswer(number, throw, thrown, dict(self._outcomes_of(thrown)))

    def _outcomes_of(self, sheet: Sheet) -> Iterator[tuple[int, Outcome]]:
        """What filling each box that may be filled brings."""
        game = self.game
        counted, upper = self.counted(sheet), game.upper(sheet)
        for name in game.open_boxes(sheet):
            after, box = game.filled(sheet, name), game.boxes.index(name)
            holds = name == "yatzy" and bool(after.boxes[box])
            yield box, Outcome(box, game.upper(after) - upper, int(holds), self.counted(after) - counted)

    @staticmethod
    def _holding_matters(answers: list[RuleAnswer]) -> bool:
        """Whether a Yatzy box that holds points ever changes what a throw may do or pays."""
        first: dict[tuple[int, ...], dict[int, Outcome]] = {}
        for answer in answers:
            yatzy, *others = SITUATIONS[answer.situation]
            if (
                yatzy != YATZY_FREE
                and first.setdefault((answer.throw, *others), answer.outcomes) != answer.outcomes
            ):
                return True
        return False

    @cached_property
    def holding_matters(self) -> bool:
        return any(outcome.holds for answer in self.answers for outcome in answer.outcomes.values())

    def counted(self, sheet: Sheet) -> int:
        """The total without the upper section's bonus, which is added when the sheet is full."""
        return self._without_bonus.total(sheet)

    @cached_property
    def _without_bonus(self) -> BlockGame:
        return replace(self.game, upper_bonus=0)

    @cached_property
    def unkeepable(self) -> list[int]:
        """Sets of dice that the rules do not let anybody keep, whatever else was thrown."""
        if self.game.throws == 1:
            return []
        sheet = replace(self.game.start(), throws=1)
        legal = {action for dice in self.throws for action in self.game.legal(replace(sheet, dice=dice))}
        return [number for number, dice in enumerate(self.sets[: self.keeps]) if Keep(dice) not in legal]

    def mask(self, box: str) -> int:
        """The bit of a box, 0 if the game does not have it."""
        return 1 << self.game.boxes.index(box) if box in self.game.boxes else 0
