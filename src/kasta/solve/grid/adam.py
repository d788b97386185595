"""Stochastic gradient descent in many dimensions, when only subgradients are known and they jump."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kasta.solve.types import Floats

FRESH, FRESH_SQUARE = (
    0.1,
    0.01,
)  # 1 - beta: how much the newest gradient counts in the mean, and in the mean square


@dataclass
class Adam:
    """Adam (Kingma and Ba, 2014) with a step size that falls geometrically."""

    at: Floats
    rounds: int
    first_step: float
    last_step: float
    least_size: float  # epsilon
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._mean, self._square = np.zeros_like(self.at), np.zeros_like(self.at)

    def step(self, gradient: Floats) -> None:
        """Move, in place."""
        share = self._done / max(1, self.rounds - 1)
        self._done += 1
        self._mean += FRESH * (gradient - self._mean)
        self._square += FRESH_SQUARE * (gradient**2 - self._square)
        mean = self._mean / (1 - (1 - FRESH) ** self._done)
        size = np.sqrt(self._square / (1 - (1 - FRESH_SQUARE) ** self._done))
        length = self.first_step * (self.last_step / self.first_step) ** share
        self.at -= length * mean / (size + self.least_size)
