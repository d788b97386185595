"""Playing to win takes risks that the expected total does not."""

from __future__ import annotations

import pytest

from kasta.games.block import BlockGame, Fill, Sheet
from kasta.solve.yatzy.solution import Solution
from kasta.solve.yatzy.target import reaching
from kasta.solve.yatzy.win import Winner

UPPER = "ones 3\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes 18\n"
FILLED = UPPER + "four_of_a_kind 0\nfull_house 25\nsmall_straight 30\n"
ONLY_YATZY_FREE = FILLED + "large_straight 40\nchance 22\nthree_of_a_kind 20\n"


def sheet(game: BlockGame, text: str) -> Sheet:
    return game.read_sheet(text)


def test_whoever_needs_a_yatzy_goes_for_it(sheet_rules: Solution):
    """With 3 3 3 4 5 the large straight or three of a kind is worth more, but only the Yatzy wins."""
    game = sheet_rules.space.game
    mine = sheet(game, FILLED + "large_straight 0\nchance 22\nthree_of_a_kind 20\n")
    thrown = game.throw(mine, (3, 3, 4, 5, 6))
    other = sheet(game, FILLED + "large_straight 40\nchance 30\nthree_of_a_kind 20\nyatzy 0\n")
    assert game.total(other) - game.total(mine) in range(1, 50)
    best = Winner(sheet_rules).options(thrown, [other])[0]
    assert str(best.action) == "keep 3 3"
    wanted = game.total(other) + 1
    assert best.value == pytest.approx(reaching(sheet_rules.space, thrown, wanted).value(thrown), abs=1e-12)


def test_a_sure_win_and_a_lost_game_are_told_apart_by_the_expected_total(sheet_rules: Solution):
    game = sheet_rules.space.game
    thrown = game.throw(sheet(game, ONLY_YATZY_FREE), (3, 3, 4, 5, 6))
    behind = Sheet((0,) * 13)
    options = Winner(sheet_rules).options(thrown, [behind])
    assert {option.value for option in options} == {1.0}
    assert options[0].action == sheet_rules.options(thrown)[0].action


def test_an_equal_total_counts_half(sheet_rules: Solution):
    game = sheet_rules.space.game
    mine = sheet(game, ONLY_YATZY_FREE)
    thrown = Sheet(mine.boxes, dice=(1, 2, 2, 4, 6), throws=3)
    rival = sheet(game, ONLY_YATZY_FREE + "yatzy 0\n")
    assert [option.value for option in Winner(sheet_rules).options(thrown, [rival])] == [0.5]
    assert [option.value for option in Winner(sheet_rules).options(thrown, [rival, rival])] == [0.5]


def test_alone_at_the_table_the_total_counts(sheet_rules: Solution):
    game = sheet_rules.space.game
    thrown = game.throw(game.start(), (1, 3, 3, 4, 6))
    assert Winner(sheet_rules).options(thrown, []) == sheet_rules.options(thrown)


def test_equal_sheets_have_equal_chances_from_afar_and_from_near(sheet_rules: Solution):
    """Whoever throws first knows less: before the first throw of a turn it is about one half."""
    game = sheet_rules.space.game
    for text in ("", FILLED):
        mine = sheet(game, text)
        assert Winner(sheet_rules).value(mine, [mine]) == pytest.approx(0.5, abs=0.03)


def test_more_than_one_opponent_is_harder_to_beat(sheet_rules: Solution):
    game = sheet_rules.space.game
    mine = sheet(game, FILLED)
    one, two = (Winner(sheet_rules).value(mine, [mine] * count) for count in (1, 2))
    assert 0.25 < two < one


def test_the_chance_of_a_total_is_at_least_that_of_the_expectation_player(sheet_rules: Solution):
    from kasta.solve.yatzy.distribution import distribution

    game = sheet_rules.space.game
    mine = sheet(game, FILLED)
    found = distribution(sheet_rules, mine)
    for wanted in (150, 200, 220, 260, 400):
        best = reaching(sheet_rules.space, mine, wanted).begin()
        assert best >= found.at_least(wanted) - 1e-12
        assert best <= 1 + 1e-12


def test_what_is_reached_already_is_certain(sheet_rules: Solution):
    game = sheet_rules.space.game
    thrown = game.throw(sheet(game, FILLED), (1, 2, 3, 4, 6))
    turn = reaching(sheet_rules.space, thrown, 100)
    assert turn.value(thrown) == pytest.approx(1)
    assert dict(zip(*turn.options(thrown), strict=True))[Fill("yatzy")] == pytest.approx(1)
