"""Played games agree with what is known exactly of them."""

from __future__ import annotations

import numpy as np
import pytest

from kasta.bots.base import find_bot
from kasta.games import find_game
from kasta.lab import simulate as simulation
from kasta.lab.simulate import play_all, simulate
from kasta.solve.yatzy.distribution import Distribution, distribution
from kasta.solve.yatzy.solution import Solution

GAMES = 400_000


@pytest.fixture(scope="session")
def totals(sheet_rules: Solution) -> np.ndarray:
    return sheet_rules.totals(GAMES, 1)


@pytest.fixture(scope="session")
def exact(sheet_rules: Solution) -> Distribution:
    return distribution(sheet_rules)


def test_the_mean_of_many_games_is_the_exact_value(sheet_rules: Solution, totals: np.ndarray):
    assert abs(totals.mean() - sheet_rules.start) < 3 * sheet_rules.sd / GAMES**0.5
    assert totals.std() == pytest.approx(sheet_rules.sd, rel=0.01)


def test_the_exact_distribution_has_mean_and_spread_of_the_solution(sheet_rules: Solution, exact: Distribution):
    assert exact.chances.sum() == pytest.approx(1, abs=1e-12)
    assert exact.chances.min() >= 0
    assert exact.mean == pytest.approx(sheet_rules.start, abs=1e-9)
    assert exact.sd == pytest.approx(sheet_rules.sd, abs=1e-7)


def test_the_highest_total_that_there_is_has_a_chance(exact: Distribution):
    assert exact.first + len(exact.chances) - 1 == 1575
    assert 0 < exact.chances[-1] < 1e-18


def test_totals_of_played_games_are_distributed_as_they_must_be(totals: np.ndarray, exact: Distribution):
    """Chi-square over all totals that are expected 50 times or more, the others as one."""
    counts = np.bincount(totals, minlength=len(exact.chances))
    expected = exact.chances * GAMES
    often = expected >= 50
    observed = np.append(counts[often], counts[~often].sum())
    wanted = np.append(expected[often], expected[~often].sum())
    statistic, free = ((observed - wanted) ** 2 / wanted).sum(), len(wanted) - 1
    assert free > 200
    assert abs(statistic - free) < 4 * (2 * free) ** 0.5


def test_a_seed_gives_the_same_games_whatever_their_number(sheet_rules: Solution, totals: np.ndarray):
    assert (sheet_rules.totals(1000, 1) == totals[:1000]).all()
    assert (sheet_rules.totals(1000, 2) != totals[:1000]).any()


def test_games_played_one_by_one_by_the_rules_score_alike(sheet_rules: Solution):
    played, _ = play_all(find_game("yatzy"), find_bot("best", find_game("yatzy")), 60, 3)
    assert abs(np.mean(played) - sheet_rules.start) < 3 * sheet_rules.sd / 60**0.5


def test_any_number_of_processes_gives_the_same_games():
    """Tests of jobs do it with other work; here luck is computed, too, and comes back with all its digits."""
    one, two = (simulate("knister", "sheet", "child", games=24, seed=5, processes=count) for count in (1, 2))
    assert one == two
    assert len(one[1]) == 24


@pytest.mark.parametrize(("game", "bot"), [("knister", "quick"), ("knister", "child"), ("yatzy", "best")])
def test_fewer_games_are_the_first_of_more(monkeypatch: pytest.MonkeyPatch, game: str, bot: str):
    monkeypatch.setattr(simulation, "TOGETHER", 4)
    monkeypatch.setattr(simulation, "ONE_BY_ONE", 4)
    more = simulate(game, "sheet", bot, games=11, seed=6)[1]
    for games in (1, 4, 6, 8):
        assert simulate(game, "sheet", bot, games=games, seed=6)[1] == more[:games]
    assert more[:3] != more[4:7] != more[8:]


def test_a_summary_says_how_sure_it_is():
    summary, totals = simulate("yatzy", "sheet", "best", games=2000, seed=4)
    assert summary.mean == pytest.approx(np.mean(totals))
    assert summary.se == pytest.approx(summary.sd / 2000**0.5)
    assert summary.percentiles["50"] == np.sort(totals)[999]


def test_chances_from_a_sheet_add_up_and_fit_the_value(sheet_rules: Solution):
    game = sheet_rules.space.game
    sheet = game.read_sheet(
        "ones 3\ntwos 6\nsixes 18\nyatzy 50\njokers 1\nchance 20\nfull_house 25\nfours 8\nthrees 9\n"
    )
    found = distribution(sheet_rules, sheet)
    assert found.first == game.total(sheet)
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(sheet_rules.value(sheet), abs=1e-9)
