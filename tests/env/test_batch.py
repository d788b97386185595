"""The batch simulator plays by the rules."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from env.random_games import ID, totals_of
from kasta import GAMES
from kasta.env.batch import actions_of, simulate


@pytest.mark.parametrize("games", [10, pytest.param(100, marks=pytest.mark.prove)])
@pytest.mark.parametrize(
    ("game", "rules"), [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]
)
def test_every_simulated_game_replays_to_its_total(game: str, rules: str, games: int):
    env: Any = gymnasium.make(ID[game], rules=rules).unwrapped
    totals = simulate(game, games, seed=7, rules=rules)
    for seed, total in enumerate(totals, 7):
        told, actions = actions_of(game, seed, rules)
        env.reset(seed=seed)
        for action in actions:
            *_, over, _, info = env.step(action)
            assert not info["illegal"]
        assert over
        assert [total] == [told] == totals_of(env.record())


def test_a_simulated_player_takes_every_legal_cell_as_often():
    first = [int(actions_of("knister", seed)[1][0]) for seed in range(2_500)]
    counts = np.bincount(first, minlength=25)
    assert ((counts - 100) ** 2 / 100).sum() < 51.2  # one in a thousand, for 24 degrees of freedom


def test_seeds_count_up_from_game_to_game():
    assert simulate("knaster", 5, seed=3)[2:].tolist() == simulate("knaster", 3, seed=5).tolist()
