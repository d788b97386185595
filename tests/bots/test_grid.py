"""Bots of the grid games are legal, repeatable and as strong as they say; advice and review add up."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest

from kasta.bots.base import bots_of, find_bot
from kasta.bots.grid import Wavering, estimates_of
from kasta.coach.advice import advise
from kasta.coach.review import review
from kasta.core import Throw
from kasta.games import find_game
from kasta.lab.simulate import play_once, simulate
from kasta.record import replay, walk
from support.bot_games import ALL, record

GRID_GAMES = ["knister", "knaster"]
NAMES = list(bots_of(find_game("knister")).by_name)


def played(name: str, bot: str, seed: int, most: int = ALL) -> BytesIO:
    """A game of one seat, or its first so many lines."""
    return record(name, "sheet", {"Sarah": find_bot(bot, find_game(name))}, seed, most)


@pytest.mark.parametrize("name", GRID_GAMES)
@pytest.mark.parametrize("bot", [name for name in NAMES if name not in {"strong", "best"}])  # pinned below
def test_every_bot_plays_games_to_the_end_and_again_from_the_same_seed(name: str, bot: str):
    game = find_game(name)
    bots = [find_bot(bot, game), find_bot("quick", game)]
    totals = play_once(game, bots, Random(1))
    assert totals == play_once(game, bots, Random(1))
    assert all(total >= 0 for total in totals)


PINNED = {
    "knister": {"quick": [85, 66, 31, 79, 54, 74, 43, 76], "strong": [82], "best": [69]},
    "knaster": {"quick": [93, 103, 87, 98, 115, 88, 115, 115], "strong": [102], "best": [115]},
}


@pytest.mark.parametrize("bot", ["quick", "strong", "best"])
@pytest.mark.parametrize("name", GRID_GAMES)
def test_a_seed_gives_the_same_games_on_every_machine(name: str, bot: str):
    expected = PINNED[name][bot]
    assert list(simulate(name, "sheet", bot, games=len(expected), seed=1)[1]) == expected


@pytest.mark.parametrize("name", GRID_GAMES)
def test_the_quick_bot_is_strong(name: str):
    summary, _ = simulate(name, "sheet", "quick", games=4000, seed=1)
    assert summary.mean + 3 * summary.se > {"knister": 70.0, "knaster": 100.0}[name]
    assert summary == simulate(name, "sheet", "quick", games=4000, seed=1)[0]


@pytest.mark.parametrize("name", GRID_GAMES)
def test_levels_are_in_order_and_score_what_they_say(name: str):
    bots = bots_of(find_game(name)).by_name
    means = [bot.mean for bot in bots.values() if isinstance(bot, Wavering)]
    assert means == sorted(means, reverse=True)
    easiest, bot = list(bots.items())[-1]
    assert isinstance(bot, Wavering)
    summary, _ = simulate(name, "sheet", easiest, games=50, seed=1)
    assert abs(summary.mean - bot.mean) < 4 * summary.se


@pytest.mark.parametrize("name", GRID_GAMES)
def test_advice_ranks_all_that_is_legal_and_carries_errors(name: str):
    for most in (1, 9, 21):
        moment = replay(played(name, "quick", 3, most))
        if isinstance(moment.game.next(moment.table), Throw):
            continue
        advice = advise(moment)
        assert {o.action for o in advice.options} == set(moment.game.legal(moment.table, 0))
        assert [o.value for o in advice.options] == sorted((o.value for o in advice.options), reverse=True)
        assert all(0 < option.error < 5 for option in advice.options)


def test_the_last_cells_of_knister_are_exact():
    moment = replay(played("knister", "quick", 3, 39))
    advice = advise(moment)
    assert all(option.error == 0 for option in advice.options)


@pytest.mark.parametrize("name", GRID_GAMES)
def test_a_review_splits_the_total_into_expectation_luck_and_loss(name: str):
    [found] = review(walk(played(name, "casual", 5)))
    assert found.lost == pytest.approx(sum(move.lost for move in found.moves), abs=1e-9)
    assert found.luck == pytest.approx(sum(move.luck for move in found.moves), abs=1e-9)
    assert found.worth == found.total, "drift is what is left of it"
    assert found.lost > 0


@pytest.mark.parametrize("name", GRID_GAMES)
def test_totals_less_luck_have_the_same_mean_and_spread_less(name: str):
    totals, luck = estimates_of(find_game(name)).play(1500, 4, with_luck=True)
    less = totals - luck
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert less.std() < 0.5 * totals.std()
