"""On games small enough the solver equals an expectimax over the rules, in every position there is."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from kasta.core import Pick
from kasta.games.yatzy import RULE_SETS, Sheet, Yatzy
from kasta.solve.yatzy.distribution import distribution
from kasta.solve.yatzy.solution import Solution, solve
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.target import reaching
from kasta.solve.yatzy.win import Winner
from solve.expectimax import expectimax

WITH_JOKERS = [
    ("ones", "yatzy", "full_house"),
    ("sixes", "yatzy", "ones"),
    ("three_of_a_kind", "yatzy", "small_straight"),
]
BOXES = [*WITH_JOKERS, ("twos", "threes", "chance")]


def tiny(rules: str, boxes: tuple[str, ...], throws: int) -> Yatzy:
    return Yatzy(RULE_SETS[rules], dice=3, throws=throws, boxes=boxes, upper_goal=5)


def solved(game: Yatzy, folder: Path) -> Solution:
    return solve(StateSpace(game), folder / "tiny")


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("boxes", WITH_JOKERS, ids="-".join)
def test_every_position_has_the_value_that_the_rules_give_it(rules: str, boxes: tuple[str, ...], tmp_path: Path):
    game = tiny(rules, boxes, throws=2)
    solution, seen = solved(game, tmp_path), dict[Sheet, float]()
    start = expectimax(game, game.total, seen)(game.start())
    assert solution.start == pytest.approx(start, abs=1e-12)
    for number, (sheet, worth) in enumerate(seen.items()):
        assert abs(solution.value(sheet) - worth) < 1e-12
        if number % 10 == 0 and isinstance(game.next(sheet), Pick):
            options = solution.options(sheet)
            assert {option.action for option in options} == set(game.legal(sheet))
            assert all(abs(option.value - seen[game.act(sheet, option.action)]) < 1e-12 for option in options)


@pytest.mark.parametrize("boxes", BOXES, ids="-".join)
def test_a_third_throw_is_solved_as_well(boxes: tuple[str, ...], tmp_path: Path):
    game = tiny("sheet", boxes, throws=3)
    assert solved(game, tmp_path).start == pytest.approx(expectimax(game, game.total, {})(game.start()), abs=1e-12)


def _reached(game: Yatzy, wanted: int, sheet: Sheet) -> float:
    return float(game.total(sheet) >= wanted)


def _won(game: Yatzy, against: int, sheet: Sheet) -> float:
    return float(np.sign(game.total(sheet) - against) + 1) / 2


@pytest.mark.parametrize("boxes", BOXES, ids="-".join)
def test_the_best_chance_of_a_total_is_the_one_that_the_rules_give(boxes: tuple[str, ...], tmp_path: Path):
    game = tiny("sheet", boxes, throws=2)
    space = solved(game, tmp_path).space
    for wanted in (15, 130):
        seen: dict[Sheet, float] = {}
        worth = expectimax(game, partial(_reached, game, wanted), seen)
        assert reaching(space, game.start(), wanted).begin() == pytest.approx(worth(game.start()), abs=1e-12)
        for sheet in list(seen)[:: len(seen) // 20]:
            if None in sheet.boxes:
                assert reaching(space, sheet, wanted).value(sheet) == pytest.approx(seen[sheet], abs=1e-12)


@pytest.mark.parametrize("boxes", BOXES, ids="-".join)
def test_the_distribution_has_the_mean_and_spread_of_the_solution(boxes: tuple[str, ...], tmp_path: Path):
    solution = solved(tiny("official", boxes, throws=3), tmp_path)
    found = distribution(solution)
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(solution.start, abs=1e-10)
    assert found.sd == pytest.approx(solution.sd, abs=1e-9)


def test_the_last_player_wins_as_often_as_the_rules_allow(tmp_path: Path):
    game = tiny("sheet", BOXES[0], throws=3)
    winner = Winner(solved(game, tmp_path))
    for total in (0, 26, 51, 60):
        other = Sheet((0, total, 0))
        seen: dict[Sheet, float] = {}
        expected = expectimax(game, partial(_won, game, total), seen)(game.start())
        assert winner.value(game.start(), [other]) == pytest.approx(expected, abs=1e-12)
        thrown = game.throw(game.start(), (1, 1, 5))
        for option in winner.options(thrown, [other]):
            assert option.value == pytest.approx(seen[game.act(thrown, option.action)], abs=1e-12)
