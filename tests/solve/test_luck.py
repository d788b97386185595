"""Luck is luck, whoever plays: 0 on average. What it leaves unexplained, drift, is small for everybody."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from games import record
from luck import AlwaysFirst, plus_minus

from kasta.analysis.review import SeatReview, review
from kasta.bots.base import find_bot
from kasta.games import find_game
from kasta.games.traits import find_reviewer, find_valuer
from kasta.record import walk

GRID_GAMES = ["knister", "knaster"]
PLAYERS = ["anything", "first", "child", "casual", "seasoned", "quick"]
FEW = {"knister": 5, "knaster": 3}  # games; `make prove` plays as many as it takes to be sure
MANY = 200
GOOD, WEAK = 1.5, 3.0  # points of drift that casual players and better may have, and weaker ones
SEES_TOO_LITTLE = {("knaster", "best"): 10.0}  # it calls some choices errors that are none (docs/luck.md)


@cache
def reviewed(name: str, player: str, games: int) -> list[SeatReview]:
    """Games of a player alone."""
    bot = AlwaysFirst() if player == "first" else find_bot(player, find_game(name))
    return [review(walk(record(name, "sheet", {player: bot}, seed)))[0] for seed in range(games)]


def figures(name: str, player: str, reviews: list[SeatReview]) -> str:
    """The means of so many games, with their standard errors."""
    parts = ("total", "luck", "lost", "drift")
    told = ", ".join(f"{part} {plus_minus([getattr(one, part) for one in reviews])}" for part in parts)
    return f"{name}, {player}, {len(reviews)} games: {told}"


def is_within(values: list[float], most: float) -> bool:
    """Whether the mean is at most so far from 0, within three standard errors."""
    return bool(abs(np.mean(values)) < most + 3 * np.std(values, ddof=1) / len(values) ** 0.5)


def drifts_little(name: str, player: str, reviews: list[SeatReview]) -> bool:
    usual = GOOD if player in {"casual", "seasoned", "quick", "best"} else WEAK
    return is_within([one.drift for one in reviews], SEES_TOO_LITTLE.get((name, player), usual))


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", GRID_GAMES)
def test_nobody_is_lucky_on_average_and_drift_is_small(name: str, player: str):
    reviews = reviewed(name, player, FEW[name])
    assert is_within([move.luck for one in reviews for move in one.moves if move.luck], 0)
    assert drifts_little(name, player, reviews)
    for one in reviews:
        assert one.expected + one.luck - one.lost + one.drift == pytest.approx(one.total, abs=1e-9)


@pytest.mark.prove
@pytest.mark.parametrize("player", [*PLAYERS, "best"])
@pytest.mark.parametrize("name", GRID_GAMES)
def test_nobody_is_lucky_in_many_games_and_drift_is_small(name: str, player: str):
    reviews = reviewed(name, player, MANY)
    print(figures(name, player, reviews))  # `-rP` shows them: the table of docs/luck.md
    assert is_within([one.luck for one in reviews], 0)
    assert drifts_little(name, player, reviews)


@pytest.mark.parametrize("name", GRID_GAMES)
def test_a_review_expects_what_the_best_bot_makes(name: str):
    made = {"knister": 71.98, "knaster": 104.7}[name]
    game = find_game(name)
    assert find_reviewer(game).value(game.solo.start()) == pytest.approx(made, abs=0.3)


def test_a_solved_game_is_reviewed_by_its_solution():
    yatzy = find_game("yatzy")
    assert find_reviewer(yatzy) is find_valuer(yatzy)
