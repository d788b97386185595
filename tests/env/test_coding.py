"""Sheets and actions as numbers, and back."""

from __future__ import annotations

import numpy as np
import pytest

from env.random_games import any_legal
from kasta import GAMES, Over, Throw
from kasta.env.coding import find_coding
from kasta.env.dice_stream import Stream, choice_start, dice_start
from kasta.errors import Unreadable

ALL = [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]


@pytest.mark.parametrize(("game", "rules"), ALL)
def test_every_sheet_and_legal_action_has_numbers_that_lead_back(game: str, rules: str):
    coding = find_coding(game, rules)
    solo, dice, choices = coding.solo, Stream(dice_start(1)), Stream(choice_start(1))
    for _ in range(20):
        sheet = solo.start()
        while not isinstance(expected := solo.next(sheet), Over):
            if isinstance(expected, Throw):
                sheet = solo.throw(sheet, dice.throw(expected.dice))
            row, mask = coding.row(sheet), coding.mask(solo.legal(sheet))
            assert coding.sheet(row) == sheet
            assert (row < coding.sizes).all()
            assert {coding.actions[i] for i in np.flatnonzero(mask)} == set(solo.legal(sheet))
            sheet = solo.act(sheet, coding.actions[any_legal(mask, choices)])


@pytest.mark.parametrize(("game", "rules"), ALL)
def test_actions_are_named_as_in_records_and_columns_have_names(game: str, rules: str):
    coding = find_coding(game, rules)
    assert [coding.solo.read_action(str(action)) for action in coding.actions] == list(coding.actions)
    assert len(set(coding.actions)) == len(coding.actions)
    assert len(set(coding.names)) == len(coding.names) == len(coding.sizes)


@pytest.mark.parametrize(
    ("game", "actions", "columns"),
    [
        ("knister", 25, 26),
        ("knaster", 111, 66),
        ("yatzy", 223, 21),
        ("yatzy15", 225, 22),
        ("maxi", 482, 28),
    ],
)
def test_spaces_are_as_documented(game: str, actions: int, columns: int):
    coding = find_coding(game)
    assert (len(coding.actions), len(coding.sizes)) == (actions, columns)


def test_an_unknown_game_is_refused_by_name():
    with pytest.raises(Unreadable, match="chess"):
        find_coding("chess")
