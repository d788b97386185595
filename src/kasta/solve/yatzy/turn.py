"""One turn evaluated, and the valuers that are made of such turns. It needs no kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from kasta.core import Pick
from kasta.games.block import Action, Sheet
from kasta.solve.types import Floats, Ints
from kasta.solve.yatzy.arrays import NOT_ALLOWED
from kasta.solve.yatzy.state_space import StateSpace, YatzyPosition
from kasta.values import Option

Boxes = tuple[int | None, ...]

NOTHING = np.array([-np.inf])  # what is not allowed is worth
TURNS_KEPT = 512  # evaluated turns in memory, some 25 KB each


class Turn:
    """One turn evaluated: what dice are worth, given what each outcome is worth with so many throws left.

    How many are left matters only where they are saved.
    """

    def __init__(self, space: StateSpace, at: YatzyPosition, after: Callable[[int], Floats]) -> None:
        self.space, self._after = space, after
        self._free = [box for box in range(space.arrays.boxes.size) if not at.mask >> box & 1]
        self._fills: list[Action] = [space.fills[box] for box in self._free]
        self._outcomes = space.outcomes_by_box(at)[self._free]
        self._ends: list[Floats] = []  # [throws left]: what each outcome is worth
        self._best: list[Floats] = []  # [throws left]: what each complete throw is worth
        self._kept: list[Floats] = [np.zeros(0)]  # [throws left]: what each set of kept dice is worth

    def ends(self, left: int) -> Floats:
        """What each outcome is worth if so many throws are left; one more, at the end, for what is not allowed."""
        left = left if self.space.game.saves else 0
        while len(self._ends) <= left:
            worth = self._after(len(self._ends))
            self._ends.append(np.concatenate((worth, NOTHING)))
        return self._ends[left]

    def best(self, left: int) -> Floats:
        """What each complete throw is worth if so many throws are left."""
        while len(self._best) <= left:
            number = len(self._best)
            if number and not self.space.game.saves:
                filled = self._best[0]
            else:
                filled = self.ends(number).take(self._outcomes).max(axis=0)
            if number:
                self._kept.append(self.space.ways.chance @ self._best[-1])
                filled = np.maximum(filled, self._kept[number].take(self.space.ways.keeps).max(axis=0))
            self._best.append(filled)
        return self._best[left]

    def kept(self, left: int, numbers: Ints) -> Floats:
        """What these sets of kept dice are worth if so many throws are left, the next one among them."""
        if left < len(self._kept):
            return self._kept[left][numbers]
        worth: Floats = self.space.ways.chance[numbers] @ self.best(left - 1)
        return worth

    def begin(self, saved: int = 0) -> float:
        """What the turn is worth before its first throw."""
        dice = self.space.arrays.dice
        return float(self.best(dice.throws - 1 + saved) @ dice.chance[: dice.sets - dice.keeps])

    def value(self, sheet: Sheet) -> float:
        """What the dice on the table are worth, thrown or kept."""
        game = self.space.game
        if not sheet.throws:
            return self.begin(sheet.saved)
        left = game.throws_left(sheet)
        if isinstance(game.next(sheet), Pick):
            return float(self.best(left)[self.space.throw[sheet.dice]])
        return float(self.kept(left, np.array([self.space.number[sheet.dice]]))[0])

    def options(self, sheet: Sheet) -> tuple[list[Action], Floats]:
        """Every legal action, and what it is worth."""
        left, outcomes = self.space.game.throws_left(sheet), self._outcomes[:, self.space.throw[sheet.dice]]
        actions = self._fills
        if len(self.space.arrays.boxes.special) and NOT_ALLOWED in outcomes:
            allowed = outcomes != NOT_ALLOWED
            actions, outcomes = [actions[i] for i in np.flatnonzero(allowed)], outcomes[allowed]
        worth = self.ends(left)[outcomes]
        if not left:
            return actions, worth
        keeps, numbers = self.space.moves(sheet.dice)
        return [*keeps, *actions], np.concatenate((self.kept(left, numbers), worth))


@dataclass(frozen=True)
class TurnValuer(ABC):
    """A `Valuer` that knows what states are worth, and evaluates turns."""

    space: StateSpace

    @property
    def error(self) -> float:
        """The standard error of its values."""
        return 0.0

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation of the total under best play."""

    @abstractmethod
    def rest(self, states: Ints, saved: int = 0) -> Floats:
        """The expected rest of the total in these states, between turns."""

    def value(self, sheet: Sheet) -> float:
        """The expected final total."""
        if not isinstance(self.space.game.next(sheet), Pick) and not sheet.throws:
            state = np.array([self.space.state(self.space.position(sheet))])
            return self.space.counted(sheet) + float(self.rest(state, sheet.saved)[0])
        counted, turn = self._of_block(sheet.boxes, sheet.jokers)
        return counted + turn.value(sheet)

    def mean(self, sheet: Sheet) -> float:
        """The mean of `value` over all throws that may come next."""
        counted, turn = self._of_block(sheet.boxes, sheet.jokers)
        return counted + turn.value(sheet)

    def options(self, sheet: Sheet) -> list[Option[Action]]:
        """Every legal action with the expected final total, best first."""
        if not isinstance(self.space.game.next(sheet), Pick):
            return []
        counted, turn = self._of_block(sheet.boxes, sheet.jokers)
        actions, worth = turn.options(sheet)
        error, values = self.error, (worth + counted).tolist()
        return [Option(actions[i], values[i], error) for i in (-worth).argsort(kind="stable").tolist()]

    @cached_property
    def _of_block(self) -> Callable[[Boxes, int], tuple[int, Turn]]:
        """The points that count so far, and the turn; remembered, since a turn has several throws."""

        def look(boxes: Boxes, jokers: int) -> tuple[int, Turn]:
            sheet = Sheet(boxes, jokers)
            return self.space.counted(sheet), self.turn(self.space.position(sheet))

        return lru_cache(TURNS_KEPT)(look)

    @cached_property
    def turn(self) -> Callable[[YatzyPosition], Turn]:
        """The turn from a position on; the latest ones are remembered."""

        def evaluate(at: YatzyPosition) -> Turn:
            gain, states = self.space.arrays.boxes.gain, self.space.following(at)
            return Turn(self.space, at, lambda left: gain + self.rest(states, left))

        return lru_cache(TURNS_KEPT)(evaluate)
