"""Sequential halving (Karnin, Koren and Somekh, 2013): which choice is best, by rollouts.

All choices that are left get the same number of rollouts in a round, with common random numbers; then the worse
half is eliminated, and whatever else is clearly worse.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from kasta.solve.jit import lean_inline, lean_part
from kasta.solve.types import Floats, Ints

NEVER = -1e300  # worth less than anything, and still a number
CLEARLY, ENOUGH = 3.0, 30  # standard errors behind the best, after so many rollouts


class Budget(NamedTuple):
    """How much a searching bot looks at for one decision, counted so that a seed gives the same game everywhere.

    Each number of choices is taken from the best of those before.
    """

    first: int = 0  # choices evaluated two throws ahead
    played: int = 0  # of these, choices that compete by rollouts
    games: int = 0  # rollouts in all
    throws: int = 0  # of each rollout, if the game lasts so long; then the value judges
    tries: int = 1  # choices evaluated two throws ahead for each throw of a rollout, where rollouts look ahead
    trust: float = 0.0  # looking ahead weighs as much as so many rollouts
    exact: int = 0  # free cells from which on everything is computed exactly, where that is possible


class Halving(NamedTuple):
    """The state of one competition, arrays by choice; `worth`, `games`, `sums` and `squares` are the answer."""

    worth: Floats  # expected final total
    prior: Floats  # expected before any rollout
    games: Ints  # how many rollouts
    sums: Floats  # of how much more they came to than expected before
    squares: Floats  # of the same
    order: Ints  # the choices, best first


def new_halving(choices: int) -> Halving:
    worth, prior, sums, squares = np.zeros((4, choices))
    return Halving(worth, prior, np.zeros(choices, np.int64), sums, squares, np.arange(choices))


def standard_deviation(halving: Halving, choice: int) -> float:
    """Of a choice's rollouts."""
    games = int(halving.games[choice])
    return sqrt(max(halving.squares[choice] / games - (halving.sums[choice] / games) ** 2, 0.0)) if games else 0.0


@lean_part
def sort(worth: Floats, order: Ints, count: int) -> None:
    """The best first, those of equal worth in their own order."""
    for i in range(1, count):
        choice, j = order[i], i
        while j > 0 and worth[order[j - 1]] < worth[choice]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = choice


@lean_inline
def enter(halving: Halving, choice: int, worth: float) -> None:
    halving.worth[choice] = worth
    halving.games[choice] = 0
    halving.sums[choice] = halving.squares[choice] = 0.0


@lean_inline
def start(halving: Halving, choices: int, budget: Budget) -> tuple[int, int]:
    """How many of the choices compete, and how many rollouts a round has; what they are worth is their prior."""
    for choice in range(len(halving.worth)):
        halving.prior[choice] = halving.worth[choice]
    alive = min(choices, budget.first, budget.played)
    left, rounds = alive, 0
    while left > 1:
        left = (left + 1) // 2
        rounds += 1
    return alive, budget.games // max(1, rounds)


@lean_inline
def record(halving: Halving, choice: int, surprise: float) -> None:
    """One rollout came to so much more than the prior."""
    halving.games[choice] += 1
    halving.sums[choice] += surprise
    halving.squares[choice] += surprise**2


@lean_part
def eliminate(halving: Halving, alive: int, trust: float) -> int:
    """Rank the first choices after a round, eliminate the worse half; how many are left.

    A choice's worth is its prior and the mean of its rollouts, the prior counted like `trust` rollouts.
    """
    for i in range(alive):
        choice = halving.order[i]
        halving.worth[choice] = halving.prior[choice] + halving.sums[choice] / (halving.games[choice] + trust)
    sort(halving.worth, halving.order, alive)
    alive = (alive + 1) // 2
    while alive > 1 and is_clearly_worse(halving, halving.order[alive - 1], halving.order[0]):
        alive -= 1
    return alive


@lean_inline
def is_clearly_worse(halving: Halving, choice: int, best: int) -> bool:
    """Whether it is so far behind that more rollouts would hardly change that."""
    if halving.games[choice] < ENOUGH:
        return False
    variance = 0.0
    for each in (choice, best):
        games = halving.games[each]
        variance += (halving.squares[each] / games - (halving.sums[each] / games) ** 2) / games
    return bool(halving.worth[best] - halving.worth[choice] > CLEARLY * sqrt(variance))


@lean_part
def cap_eliminated(halving: Halving, count: int) -> None:
    """Rank no eliminated choice above one that stayed longer: fewer rollouts say less."""
    for i in range(1, count):
        halving.worth[halving.order[i]] = min(halving.worth[halving.order[i]], halving.worth[halving.order[i - 1]])
