"""Downhill in many directions at once, when only slopes are known and they jump."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kasta.solve.grid.geometry import Floats

FRESH, FRESH_SIZE = 0.1, 0.01  # how much the newest slope counts in the mean slope, and in its usual size


@dataclass
class Descent:
    """Adam (Kingma and Ba, 2014): along the mean slope, by its usual size, in steps that become smaller."""

    at: Floats
    rounds: int
    first_step: float
    last_step: float
    least_size: float
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._mean, self._square = np.zeros_like(self.at), np.zeros_like(self.at)

    def step(self, slope: Floats) -> None:
        """Move, in place."""
        share = self._done / max(1, self.rounds - 1)
        self._done += 1
        self._mean += FRESH * (slope - self._mean)
        self._square += FRESH_SIZE * (slope**2 - self._square)
        mean = self._mean / (1 - (1 - FRESH) ** self._done)
        size = np.sqrt(self._square / (1 - (1 - FRESH_SIZE) ** self._done))
        length = self.first_step * (self.last_step / self.first_step) ** share
        self.at -= length * mean / (size + self.least_size)
