"""Who knows what choices are worth: a solution, if there is a file of it, or the estimate that comes with us."""

from __future__ import annotations

from kasta.games.traits import AnyGame
from kasta.solve.yatzy.estimate import Estimate, found_estimate
from kasta.solve.yatzy.solution import Solution, block, found_solution, solution
from kasta.values import Progress, quietly


def valuer_of(game: AnyGame, progress: Progress = quietly) -> Solution | Estimate:
    """The best there is at once; only a game without any file is solved now, which is a small one then."""
    rules = block(game)
    return found_solution(rules) or found_estimate(rules) or solution(rules, progress)
