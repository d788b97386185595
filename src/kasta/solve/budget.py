"""How much a searching player looks at, counted so that a seed gives the same game on every machine."""

from __future__ import annotations

from typing import NamedTuple

from kasta.solve.lean import part, routine
from kasta.solve.lines import Floats, Ints

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


@routine
def sort(worth: Floats, order: Ints, count: int) -> None:
    """The best first, those of equal worth in their own order."""
    for i in range(1, count):
        choice, j = order[i], i
        while j > 0 and worth[order[j - 1]] < worth[choice]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = choice


@routine
def level(worth: Floats, order: Ints, count: int) -> None:
    """Tell none that dropped out higher than those that stayed: fewer games say less."""
    for i in range(1, count):
        worth[order[i]] = min(worth[order[i]], worth[order[i - 1]])


@part
def rounds(choices: int) -> int:
    """How often half of the choices can drop out until one is left."""
    count = 0
    while choices > 1:
        choices = (choices + 1) // 2
        count += 1
    return count
