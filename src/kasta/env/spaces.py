"""What a learner sees and can do, as spaces of Gymnasium; PettingZoo has the same ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kasta.env.coding import AnyCoding

Observation = dict[str, NDArray[Any]]
Seen = Any
"""What a learner is shown: an `Observation` with its mask or, where the caller said `flat`, a row of numbers."""


def action_space(coding: AnyCoding, extra: int = 0) -> spaces.Discrete:
    return spaces.Discrete(len(coding.actions) + extra)


def flat_space(coding: AnyCoding, sheets: int = 1) -> spaces.Box:
    """So many sheets side by side, without a mask: for what takes no other spaces than boxes."""
    most = np.array(coding.sizes * sheets, np.float32) - 1
    return spaces.Box(np.zeros_like(most), most, dtype=np.float32)


def observation_space(coding: AnyCoding, sheets: int = 1, extra: int = 0) -> spaces.Dict:
    """So many sheets side by side, and which actions are legal now.

    `MultiDiscrete` tells learners that a 12 is not twice a 6: most make a switch of every value by themselves.
    They count the switches in the type of the space, for which eight bits are too few.
    """
    return spaces.Dict(
        {
            "observation": spaces.MultiDiscrete(np.array(coding.sizes * sheets), dtype=np.int32),
            "action_mask": spaces.MultiBinary(len(coding.actions) + extra),
        }
    )


def shown(row: NDArray[Any], mask: NDArray[Any], *, flat: bool) -> Seen:
    """A row of sheets as a space above has it; a mask that is left out here is in `info`."""
    return row.astype(np.float32) if flat else {"observation": row, "action_mask": mask}
