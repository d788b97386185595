"""The state space of a game of Yatzy: its arrays, and the way from sheets to numbers of states."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kasta.core import Faces
from kasta.games.block import Fill, Keep, Sheet
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import fingerprint
from kasta.solve.yatzy.arrays import YatzyArrays, make_arrays, number_outcomes, situation, state
from kasta.solve.yatzy.rule_answers import OWN_FILLED, Outcome, RuleAnswers

LARGE = 1 << 22  # states


class YatzyPosition(NamedTuple):
    """All that the rest of a game depends on, between turns."""

    mask: int  # of filled boxes
    held: int  # 1 if the Yatzy box holds points, and that makes a difference
    upper: int  # never above the cap


class Moves(NamedTuple):
    """What may be kept of a throw, and the numbers of these sets."""

    actions: list[Keep]
    numbers: Ints


class Ways(NamedTuple):
    """The ways from kept dice to complete throws, and back."""

    chance: Floats  # [kept, throw]
    keeps: Ints  # [i, throw]: the sets that may be kept of a throw, some of them repeated


class StateSpace(RuleAnswers):
    """Two games with the same fingerprint have the same solution."""

    @cached_property
    def outcome_number(self) -> dict[Outcome, int]:
        return number_outcomes(self)

    @cached_property
    def arrays(self) -> YatzyArrays:
        return make_arrays(self, self.outcome_number)

    @cached_property
    def fingerprint(self) -> str:
        dice, boxes, states, _ = self.arrays  # the numbering follows from them
        return fingerprint(dice._asdict() | boxes._asdict() | states._asdict())

    def position(self, sheet: Sheet) -> YatzyPosition:
        boxes = self.game.boxes
        mask = sum(1 << i for i, points in enumerate(sheet.boxes) if points is not None)
        holds = self.holding_matters and bool(sheet.boxes[boxes.index("yatzy")])
        return YatzyPosition(mask, int(holds), min(self.game.upper(sheet), self.arrays.boxes.cap))

    def state(self, at: YatzyPosition) -> int:
        """The number under which arrays have what is known of a position."""
        return int(state(self.arrays.numbering, *at))

    def masks(self, filled: int) -> Ints:
        """Those with so many boxes filled."""
        return np.flatnonzero(np.bitwise_count(np.arange(1 << self.arrays.boxes.size)) == filled)

    @property
    def size(self) -> int:
        """How many states can be reached; they are numbered from 0."""
        return int(self.arrays.numbering.first[-1])

    @property
    def large(self) -> bool:
        """Whether solving takes minutes."""
        return self.size > LARGE

    def states(self, filled: int) -> Ints:
        """The numbers of those with so many boxes filled."""
        return self.states_of(self.masks(filled))

    def states_of(self, masks: Ints) -> Ints:
        """The numbers of those with these boxes filled."""
        n = self.arrays.numbering
        first, last = n.first[n.ways * masks], n.first[n.ways * (masks + 1)]
        counts = last - first
        return np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())

    @cached_property
    def full(self) -> Ints:
        """Those that have every box filled: the last ones."""
        n = self.arrays.numbering
        return np.arange(n.first[-1 - n.ways], n.first[-1])

    def bonus(self, full: Ints) -> Floats:
        """The upper section's bonus in states that have every box filled."""
        s, n = self.arrays.states, self.arrays.numbering
        starts = n.first[-1 - n.ways : -1]
        place = full - starts[np.searchsorted(starts, full, side="right") - 1]
        bonus: Floats = s.bonus[s.reach[s.first_reach[-2] + place]]
        return bonus

    @cached_property
    def ways(self) -> Ways:
        """The ways from kept dice to complete throws, and back."""
        more, sets, keeps = self.arrays.dice.more, self.arrays.dice.sets, self.arrays.dice.keeps
        chance = np.vstack([np.zeros((keeps, sets - keeps)), np.eye(sets - keeps)])
        for kept in range(keeps - 1, -1, -1):
            chance[kept] = chance[more[kept]].mean(axis=0)
        found = [self.moves(dice).numbers for dice in self.throws]
        most = max(map(len, found))
        return Ways(chance[:keeps], np.array([np.resize(numbers, most) for numbers in found]).T.copy())

    @cached_property
    def _moves(self) -> dict[Faces, Moves]:
        return {}

    def moves(self, dice: Faces) -> Moves:
        """What may be kept of a complete throw."""
        if dice not in self._moves:
            legal = self.game.legal(replace(self.game.start(), dice=dice, throws=min(1, self.game.throws - 1)))
            keeps = [action for action in legal if isinstance(action, Keep)]
            self._moves[dice] = Moves(keeps, np.array([self.number[action.dice] for action in keeps]))
        return self._moves[dice]

    @cached_property
    def fills(self) -> list[Fill]:
        """The action that fills each box."""
        return [Fill(box) for box in self.game.boxes]

    @cached_property
    def throw(self) -> dict[Faces, int]:
        """The complete throws, numbered from 0."""
        return {dice: number for number, dice in enumerate(self.throws)}

    def outcomes_by_box(self, at: YatzyPosition) -> Ints:
        """[box, throw]: the outcome of filling a box with a throw; boxes that are filled are not looked at."""
        b = self.arrays.boxes
        uppers = at.mask & self._upper_boxes if len(b.special) else 0
        place = situation(b, at.mask, at.held)
        if (place, uppers) not in self._outcomes:
            own_filled = b.own_box & ~uppers == 0
            outcomes = np.where(own_filled[:, None], b.outcome[place + OWN_FILLED], b.outcome[place])
            self._outcomes[place, uppers] = outcomes.T.astype(np.int64, order="C")
        return self._outcomes[place, uppers]

    @cached_property
    def _outcomes(self) -> dict[tuple[int, int], Ints]:
        return {}

    @cached_property
    def _upper_boxes(self) -> int:
        return int(np.bitwise_or.reduce(self.arrays.boxes.own_box))

    def following(self, at: YatzyPosition) -> Ints:
        """The number of the state that each outcome leads to; without meaning for boxes that are filled."""
        b = self.arrays.boxes
        upper = np.minimum(at.upper + b.upper, b.cap)
        return state(self.arrays.numbering, at.mask | self._bits, at.held | b.holds, upper)

    @cached_property
    def _bits(self) -> Ints:
        """The mask of each outcome's box."""
        return 1 << self.arrays.boxes.box
