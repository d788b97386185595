"""The state space of a game of Yatzy: its arrays, and the way from sheets to numbers of states."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from kasta.games.yatzy import Sheet
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import fingerprint
from kasta.solve.yatzy.arrays import LABELS, Arrays, make_arrays, number_outcomes, state
from kasta.solve.yatzy.rule_answers import Outcome, RuleAnswers


class Position(NamedTuple):
    """All that the rest of a game depends on, between turns."""

    mask: int  # of filled boxes
    held: int  # 1 if the Yatzy box holds points, and that makes a difference
    upper: int  # never above the cap


class StateSpace(RuleAnswers):
    """Two games with the same fingerprint have the same solution."""

    @cached_property
    def outcome_number(self) -> dict[Outcome, int]:
        return number_outcomes(self)

    @cached_property
    def arrays(self) -> Arrays:
        return make_arrays(self, self.outcome_number)

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(LABELS, chain(*self.arrays))

    def position(self, sheet: Sheet) -> Position:
        boxes = self.game.boxes
        mask = sum(1 << i for i, points in enumerate(sheet.boxes) if points is not None)
        holds = self.holding_matters and bool(sheet.boxes[boxes.index("yatzy")])
        return Position(mask, int(holds), min(self.game.upper(sheet), self.arrays.boxes.cap))

    def state(self, at: Position) -> int:
        """The number under which arrays have what is known of a position."""
        return state(self.arrays.boxes.cap, *at)

    def masks(self, filled: int) -> Ints:
        """Those with so many boxes filled."""
        return np.array([mask for mask in range(1 << self.arrays.boxes.size) if mask.bit_count() == filled])

    @cached_property
    def states(self) -> Ints:
        """The numbers of all states that can be reached."""
        t = self.arrays
        masks = np.arange(1 << t.boxes.size)
        found = []
        for part in range(len(t.states.first_reach) - 1):
            uppers = t.states.reach[t.states.first_reach[part] : t.states.first_reach[part + 1]]
            here = masks[t.states.part == part]
            holding = here[here & t.boxes.yatzy_box > 0] if t.boxes.holding else here[:0]
            for held, boxes in enumerate((here, holding)):
                found.append(np.add.outer((2 * boxes + held) * (t.boxes.cap + 1), uppers).ravel())
        return np.sort(np.concatenate(found))

    @cached_property
    def levels(self) -> list[Ints]:
        """The same, by how many boxes are filled."""
        filled = np.bitwise_count(self.states // (2 * self.arrays.boxes.cap + 2))
        return [self.states[filled == count] for count in range(self.arrays.boxes.size + 1)]

    @cached_property
    def full(self) -> Ints:
        """Those that have every box filled."""
        return self.levels[-1]

    @cached_property
    def sizes(self) -> list[slice]:
        """The sets of each size, from none to all dice."""
        sizes = [len(dice) for dice in self.sets]
        return [
            slice(sizes.index(size), sizes.index(size) + sizes.count(size)) for size in range(self.game.dice + 1)
        ]

    def following(self, at: Position) -> Ints:
        """The number of the state that each outcome leads to; without meaning for boxes that are filled."""
        b = self.arrays.boxes
        return state(b.cap, at.mask | 1 << b.box, at.held | b.holds, np.minimum(at.upper + b.upper, b.cap))

    def new_values(self) -> Floats:
        """Space for the value of each number of a state; what cannot be reached must never be used."""
        return np.full((2 << self.arrays.boxes.size) * (self.arrays.boxes.cap + 1), np.nan)

    def unpack(self, packed: Floats) -> Floats:
        """From the values of states that can be reached."""
        values = self.new_values()
        values[self.states] = packed
        return values
