"""How much a searching player looks at, counted so that a seed gives the same game on every machine."""

from __future__ import annotations

from typing import NamedTuple

NEVER = -1e300  # worth less than anything, and still a number


class Budget(NamedTuple):
    """For one decision; each number of choices is taken from the best of those before."""

    first: int = 0  # choices looked at two throws ahead
    played: int = 0  # of these, choices tried by playing on
    games: int = 0  # in all
    throws: int = 0  # played in each game, if it lasts so long; then the value judges
    tries: int = 1  # Knister: choices looked at two throws ahead, for each of these throws
    trust: float = 0.0  # looking ahead weighs as much as so many games
    exact: int = 0  # free cells from which on everything is reckoned
