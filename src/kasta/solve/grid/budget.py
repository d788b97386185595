"""How much a searching bot looks at, counted so that a seed gives the same game on every machine."""

from __future__ import annotations

from typing import NamedTuple

NEVER = -1e300  # worth less than anything, and still a number


class Budget(NamedTuple):
    """For one decision; each number of choices is taken from the best of those before."""

    first: int = 0  # choices evaluated two throws ahead
    played: int = 0  # of these, choices that compete by rollouts
    games: int = 0  # rollouts in all
    throws: int = 0  # of each rollout, if the game lasts so long; then the value judges
    tries: int = 1  # choices evaluated two throws ahead for each throw of a rollout, where rollouts look ahead
    trust: float = 0.0  # looking ahead weighs as much as so many rollouts
    exact: int = 0  # free cells from which on everything is computed exactly, where that is possible
