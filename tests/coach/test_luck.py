"""Luck is luck, whoever plays: 0 on average. What it leaves unexplained, drift, is small for everybody."""

from __future__ import annotations

from collections import Counter
from functools import cache
from io import BytesIO
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from players.luck import AlwaysFirst, first_seat, plus_minus

from kasta.bots.base import Bot, find_bot
from kasta.coach.review import SeatReview, review
from kasta.core import FACES, Throw
from kasta.games import find_game
from kasta.games.traits import find_reviewer, find_valuer
from kasta.record import Roll, walk
from support.bot_games import in_a_line, out_of_a_line, record
from support.fixtures.golden import Golden

GRID = ["anything", "first", "child", "casual", "seasoned", "quick", "best"]
BLOCK = ["anything", "first", "weak", "middling", "strong", "best"]
ESTIMATED = {"knister": GRID, "knaster": GRID, "maxi": BLOCK}
EXACT = {"yatzy": BLOCK, "yatzy15": BLOCK}
SLOW = ["knister", "knaster"]  # here `best` takes seconds for a game, and its first games are kept
FEW = 10  # games; `make prove` plays as many as it takes to be sure
MANY = 200
GOOD, WEAK = 1.5, 3.0  # points of drift that casual players and better may have, and weaker ones
USUAL_PACE = 3.0  # points that others may take or bring who fill their sheets about as fast as foreseen
SEES_TOO_LITTLE = {
    ("knaster", "best"): 4.0
}  # it calls some choices errors that are none (bench/results-reviews.md)

TABLES = {  # who sits beside the player that is reviewed: the fullest sheet among them ends the game for all
    2: ["quick"],
    4: ["child", "casual", "seasoned"],
    8: ["anything", "first", "child", "casual", "seasoned", "quick", "quick"],
}
DEAR = [("knaster", player) for player in ("first", "child", "casual", "seasoned")]  # seconds of work for each

every_player = pytest.mark.parametrize(
    ("name", "player"),
    [
        pytest.param(name, player, marks=pytest.mark.prove if (name, player) in DEAR else ())
        for name, each in (ESTIMATED | EXACT).items()
        for player in each
    ],
)


@cache
def played(name: str, player: str, seed: int) -> bytes:
    """A record of a game of a player alone."""
    return record(name, "sheet", {player: who(player, name)}, seed).getvalue()


def who(player: str, name: str) -> Bot:
    return AlwaysFirst() if player == "first" else find_bot(player, find_game(name))


def first_of(name: str, player: str, games: int) -> list[bytes]:
    return [played(name, player, seed) for seed in range(games)]


def keeps(name: str) -> Path:
    """Where the first games of `best` are kept, a game a line."""
    return Path(__file__).parent / f"best-{name}.txt"


def kept(name: str) -> list[bytes]:
    lines = keeps(name).read_text("utf-8").splitlines()
    return [out_of_a_line(line, name, "sheet", "best").getvalue() for line in lines]


def reviewed(records: list[bytes]) -> list[SeatReview]:
    return [one for source in records for one in review(walk(BytesIO(source)))]


def figures(name: str, player: str, reviews: list[SeatReview]) -> str:
    """The means of so many games, with their standard errors."""
    parts = ("total", "luck", "lost", "early", "drift")
    told = ", ".join(f"{part} {plus_minus([getattr(one, part) for one in reviews])}" for part in parts)
    return f"{name}, {player}, {len(reviews)} games: {told}"


def is_within(values: list[float], most: float) -> bool:
    """Whether the mean is at most so far from 0, within three standard errors."""
    return bool(abs(np.mean(values)) < most + 3 * np.std(values, ddof=1) / len(values) ** 0.5)


def most_drift(name: str, player: str) -> float:
    usual = WEAK if player in {"anything", "first", "child"} else GOOD
    return 1e-9 if name in EXACT else SEES_TOO_LITTLE.get((name, player), usual)


@every_player
def test_nobody_is_lucky_on_average_and_drift_is_small(name: str, player: str):
    """Ten games show gross faults only: three standard errors of luck are about half a point a move, and those of
    drift some points a game. `make prove` plays 200.
    """
    is_kept = name in SLOW and player == "best"
    reviews = reviewed(kept(name) if is_kept else first_of(name, player, FEW))
    assert len(reviews) == FEW
    assert is_within([move.luck for one in reviews for move in one.moves if move.luck], 0)
    assert is_within([one.drift for one in reviews], most_drift(name, player))
    valuer = find_valuer(find_game(name))
    for one in reviews:
        assert all(valuer.options(move.sheet) == move.options for move in one.moves), "advice says the same"
        assert one.worth == one.course[-1] == one.total
        assert one.early == 0, "nobody else was there"
        assert one.lost == pytest.approx(sum(move.lost for move in one.moves))
        assert one.luck == pytest.approx(sum(move.luck for move in one.moves))
        assert name not in EXACT or one.drift == pytest.approx(0, abs=1e-9)


def sheets_before_throws(name: str, player: str) -> list[Any]:
    """Of a game: the first, some in between and the last on which dice fell."""
    game = find_game(name)
    moments = list(walk(BytesIO(played(name, player, 0))))
    rolled = [before for before, after in pairwise(moments) if isinstance(after.step, Roll)]
    return [game.sheet(rolled[len(rolled) * part // 4 - (part == 4)].table, 0) for part in range(5)]


@pytest.mark.parametrize("player", ["first", "casual"])
@pytest.mark.parametrize("name", ESTIMATED | EXACT)
def test_all_throws_together_bring_no_luck_to_any_sheet(name: str, player: str):
    """Exactly, which games that were played show to within half a point a throw only."""
    game = find_game(name)
    valuer, solo = find_reviewer(game), game.solo
    for sheet in sheets_before_throws(name, player if name in SLOW or player == "first" else "middling"):
        expected = solo.next(sheet)
        assert isinstance(expected, Throw)
        mean, dice = 0.0, expected.dice
        for faces in combinations_with_replacement(FACES, dice):
            ways = factorial(dice) // prod(map(factorial, Counter(faces).values()))
            mean += valuer.value(solo.throw(sheet, faces)) * ways / 6**dice
        assert valuer.mean(sheet) == pytest.approx(mean, abs=1e-6)


@pytest.mark.prove
@every_player
def test_nobody_is_lucky_in_many_games_and_drift_is_small(name: str, player: str):
    reviews = reviewed(first_of(name, player, MANY))
    print(figures(name, player, reviews))  # `-rP` shows them: the table of bench/results-reviews.md
    assert is_within([one.luck for one in reviews], 0)
    assert abs(np.mean([one.drift for one in reviews])) < most_drift(name, player)


def at_table(player: str, seats: int, games: int) -> list[SeatReview]:
    """What games of Knaster were to a player, with others at the table."""
    valuer = find_reviewer(find_game("knaster"))
    players = {f"{seat} {each}": who(each, "knaster") for seat, each in enumerate([player, *TABLES[seats]])}
    records = (record("knaster", "sheet", players, seed) for seed in range(games))
    return [first_seat(list(walk(source)), valuer) for source in records]


@pytest.mark.parametrize(("player", "seats"), [("child", 2), ("quick", 8)])
def test_luck_errors_and_drift_mean_the_same_where_others_end_the_game(player: str, seats: int):
    """In Knaster: how fast the others fill their sheets is a part of its own, and no change of mind."""
    reviews = at_table(player, seats, FEW // 2)
    assert is_within([move.luck for one in reviews for move in one.moves if move.luck], 0)
    assert is_within([one.drift for one in reviews], most_drift("knaster", player))
    assert all(one.early for one in reviews), "the others were never quite as fast as usual"
    for one in reviews:
        assert one.worth == one.total
        assert one.expected + one.luck - one.lost + one.early + one.drift == pytest.approx(one.total)


@pytest.mark.prove
@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("player", GRID)
def test_others_at_the_table_change_neither_luck_nor_drift_in_many_games(player: str, seats: int):
    reviews = at_table(player, seats, MANY)
    print(figures(f"knaster, {seats} seats", player, reviews))
    assert is_within([one.luck for one in reviews], 0)
    assert abs(np.mean([one.drift for one in reviews])) < most_drift("knaster", player)
    if "anything" not in (player, *TABLES[seats]):
        assert is_within([one.early for one in reviews], USUAL_PACE)


@pytest.mark.prove
@pytest.mark.parametrize("name", SLOW)
def test_the_games_kept_of_best_are_those_that_it_plays(name: str, golden: Golden):
    games = first_of(name, "best", FEW)
    golden(keeps(name), "".join(in_a_line(BytesIO(source)) + "\n" for source in games))
    assert kept(name) == games


@pytest.mark.parametrize("name", SLOW)
def test_a_review_expects_what_the_best_bot_makes(name: str):
    made = {"knister": 71.98, "knaster": 104.7}[name]
    game = find_game(name)
    assert find_reviewer(game).value(game.solo.start()) == pytest.approx(made, abs=0.3)


@pytest.mark.parametrize("name", EXACT)
def test_a_solved_game_is_reviewed_by_its_solution(name: str):
    game = find_game(name)
    assert find_reviewer(game) is find_valuer(game)
