"""Choices that compete: all play the same number of games in a round, then half of them drop out, or more."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from kasta.solve.grid.geometry import Floats, Ints
from kasta.solve.lean import part, routine

CLEARLY, ENOUGH = 3.0, 30  # standard errors behind the best, after so many games


class Race(NamedTuple):
    """Arrays by choice; `worth`, `games`, `sums` and `squares` are the answer."""

    worth: Floats  # expected final total
    prior: Floats  # expected before any game was played
    games: Ints  # how many were played
    sums: Floats  # of how much more they came to than expected before
    squares: Floats  # of the same
    order: Ints  # the choices, best first


def new_race(choices: int) -> Race:
    worth, prior, sums, squares = np.zeros((4, choices))
    return Race(worth, prior, np.zeros(choices, np.int64), sums, squares, np.arange(choices))


def spread(race: Race, choice: int) -> float:
    """The standard deviation of a choice's games."""
    games = int(race.games[choice])
    return sqrt(max(race.squares[choice] / games - (race.sums[choice] / games) ** 2, 0.0)) if games else 0.0


@routine
def sort(worth: Floats, order: Ints, count: int) -> None:
    """The best first, those of equal worth in their own order."""
    for i in range(1, count):
        choice, j = order[i], i
        while j > 0 and worth[order[j - 1]] < worth[choice]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = choice


@part
def enter(race: Race, choice: int, worth: float) -> None:
    race.worth[choice], race.games[choice], race.sums[choice], race.squares[choice] = worth, 0, 0.0, 0.0


@part
def start(race: Race) -> None:
    for choice in range(len(race.worth)):
        race.prior[choice] = race.worth[choice]


@part
def rounds(choices: int) -> int:
    """How often half of the choices can drop out until one is left."""
    count = 0
    while choices > 1:
        choices = (choices + 1) // 2
        count += 1
    return count


@part
def record(race: Race, choice: int, surprise: float) -> None:
    """A game was played: it came to so much more than expected."""
    race.games[choice] += 1
    race.sums[choice] += surprise
    race.squares[choice] += surprise**2


@routine
def drop_out(race: Race, alive: int, trust: float) -> int:
    """Rank the first choices after a round; how many stay."""
    for i in range(alive):
        choice = race.order[i]
        race.worth[choice] = race.prior[choice] + race.sums[choice] / (race.games[choice] + trust)
    sort(race.worth, race.order, alive)
    alive = (alive + 1) // 2
    while alive > 1 and is_clearly_worse(race, race.order[alive - 1], race.order[0]):
        alive -= 1
    return alive


@part
def is_clearly_worse(race: Race, choice: int, best: int) -> bool:
    """Whether it is so far behind that more games would hardly change that."""
    if race.games[choice] < ENOUGH:
        return False
    variance = 0.0
    for each in (choice, best):
        games = race.games[each]
        variance += (race.squares[each] / games - (race.sums[each] / games) ** 2) / games
    return bool(race.worth[best] - race.worth[choice] > CLEARLY * sqrt(variance))


@routine
def level(race: Race, count: int) -> None:
    """Tell none that dropped out higher than those that stayed: fewer games say less."""
    for i in range(1, count):
        race.worth[race.order[i]] = min(race.worth[race.order[i]], race.worth[race.order[i - 1]])
