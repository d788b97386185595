"""Every bot chooses what is legal, and from the best to the weakest each gives away more."""

from __future__ import annotations

from random import Random

import pytest

from kasta.bots.base import Anything, Greedy, Sight, find_bot, look
from kasta.bots.by_value import ByValue
from kasta.bots.yatzy import BOTS
from kasta.errors import Unreadable
from kasta.games import GAMES, find_game
from kasta.games.traits import AnyGame
from kasta.games.yatzy import Yatzy
from kasta.lab.simulate import play_all, play_once
from kasta.solve.yatzy.solution import Solution
from kasta.solve.yatzy.win import winner_of


@pytest.mark.parametrize("name", BOTS.by_name)
def test_every_bot_plays_to_the_end_with_others(name: str):
    totals = play_once(find_game("yatzy"), [find_bot(name, find_game("yatzy")), Greedy()], Random(1))
    assert len(totals) == 2


@pytest.mark.parametrize("name", BOTS.by_name)
def test_the_same_chance_gives_the_same_game(name: str):
    game, bots = find_game("yatzy"), [find_bot(name, find_game("yatzy")), Anything()]
    assert play_once(game, bots, Random(2)) == play_once(game, bots, Random(2))


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_that_needs_no_values_plays_every_game(game: str):
    assert len(play_all(find_game(game), Anything(), 2, 3).totals) == 2


def test_a_higher_temperature_gives_more_away(sheet_rules: Solution):
    game = find_game("yatzy")
    lost = [given_away(game, sheet_rules, ByValue(temperature)) for temperature in (0, 0.5, 1, 2, 5)]
    assert lost[0] == 0
    assert lost == sorted(lost)


def given_away(game: AnyGame, solution: Solution, bot: ByValue) -> float:
    """What a bot gives away on the same throws as any other."""
    rng, lost = Random(4), 0.0
    for _ in range(150):
        sheet = Yatzy().throw(Yatzy().start(), tuple(rng.choices(range(1, 7), k=5)))
        table = game.throw(game.start(1), sheet.dice)
        chosen = bot.choose(look(game, table, 0), game.legal(table, 0), Random(5))
        options = solution.options(sheet)
        lost += options[0].value - next(option.value for option in options if option.action == chosen)
    return lost


def test_the_best_bot_plays_for_the_place_with_others_and_for_the_total_alone():
    """28 points are much for a chance, and not enough against 29."""
    game = find_game("yatzy")
    begun = "ones 3\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes 18\nthree_of_a_kind 20\nfour_of_a_kind 0\n"
    begun += "full_house 25\nsmall_straight 30\nlarge_straight 40\nyatzy 0\n"
    mine = game.solo.throw(game.solo.read_sheet(begun), (6, 6, 6, 5, 5))
    ahead = game.solo.read_sheet(begun + "chance 29\n")
    best, legal = find_bot("best", game), game.solo.legal(mine)
    assert str(best.choose(Sight(game, mine, (ahead,)), legal, Random(1))) == "keep 6 6 6"
    assert str(best.choose(Sight(game, mine), legal, Random(1))) == "fill chance"


def test_at_a_crowded_table_those_count_who_may_win():
    game = find_game("yatzy")
    solo = game.solo
    low, high = (solo.read_sheet(f"sixes {points}\nchance {points}\n") for points in (6, 24))
    winner, mine = winner_of(game), solo.read_sheet("sixes 18\nchance 22\n")
    assert winner.value(mine, [low] * 20 + [high] * 8) == winner.value(mine, [high] * 8)


@pytest.mark.parametrize("name", ["yatzy", "knister", "knaster"])
def test_a_bot_sees_the_sheets_of_others_but_nothing_that_they_do_on_a_shared_throw(name: str):
    game = find_game(name)
    table = game.throw(game.start(3), (1,) * (5 if name == "yatzy" else 2))
    seen = look(game, table, 0).others
    assert len(seen) == 2
    if game.hides_picks:
        assert look(game, game.act(table, 1, "c3"), 0).others == seen
        everybody = game.act(game.act(game.act(table, 1, "c3"), 0, "a1"), 2, "b2")
        after = look(game, game.throw(everybody, (1, 2)), 0).others
        assert [game.solo.write_sheet(sheet).count("2") for sheet in after] == [1, 1]


def test_at_a_table_of_thousands_a_bot_looks_at_nobodys_sheet():
    game = find_game("knaster")
    table = game.throw(game.start(1000), (1, 1))
    sight = look(game, table, 0)
    assert (sight.others, sight.others_lack) == ((), 25)


def test_an_unknown_bot_is_refused():
    with pytest.raises(Unreadable, match="no bot 'x'"):
        find_bot("x", find_game("yatzy"))
