"""The values of the full game, known from other programs and from print, are one more check."""

from __future__ import annotations

import numpy as np
import pytest

from kasta.games.yatzy import RULE_SETS, Yatzy
from kasta.solve.yatzy.solution import Solution, solution

KNOWN = {
    "sheet": (254.1524613784, 59.8161),
    "sheet_rethrow": (254.4848458817, 59.7159),
    "official": (254.5877287345, 59.6079),
    "free_joker": (254.5896094820, 59.6117),
    "bonus_only": (253.9702411898, None),
    "plain": (245.8707745141, 39.8208),
}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_rule_set_has_its_known_value(rules: str):
    value, sd = KNOWN[rules]
    solved = solution(Yatzy(RULE_SETS[rules]))
    assert solved.start == pytest.approx(value, abs=1e-9)
    assert sd is None or solved.sd == pytest.approx(sd, abs=5e-5)


def test_all_states_that_can_be_are_solved_and_no_others(sheet_rules: Solution):
    assert sheet_rules.states == 536_320
    assert np.isfinite(sheet_rules.values).sum() == 536_320 + len(sheet_rules.space.full)


def test_whether_the_yatzy_box_holds_points_is_not_asked_where_it_makes_no_difference():
    assert solution(Yatzy(RULE_SETS["plain"])).states == 357_568


def test_a_throw_is_worth_what_it_is_on_average(sheet_rules: Solution):
    space = sheet_rules.space
    start = space.game.start()
    values = [sheet_rules.value(space.game.throw(start, dice)) for dice in space.throws]
    assert np.dot(values, space.arrays.dice.chance[: len(values)]) == pytest.approx(sheet_rules.start, abs=1e-9)
