"""Chance: the random numbers of the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Chance:
    """As much of `random.Random` as bots ask for; `below` gives a number below another one."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def dice(self, number: int) -> tuple[int, ...]:
        """So many dice, thrown."""
        return tuple([self._below(6) + 1 for _ in range(number)])

    def choice(self, things: Sequence[Any]) -> Any:
        return things[self._below(len(things))]

    def random(self) -> float:
        return self._below(1 << 30) / (1 << 30)
