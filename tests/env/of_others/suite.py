"""What a game of others must be able to do; `test_of_others` runs this where the package `stairs` is installed."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import kasta.env

NOT_LOADED = "stairs" not in sys.modules  # when the games had been registered

from kasta import GAMES  # noqa: E402
from kasta.env import zoo  # noqa: E402
from kasta.env.coding import find_coding  # noqa: E402
from kasta.env.vector import BatchEnv  # noqa: E402
from kasta.errors import Unreadable  # noqa: E402

NAMES = {"stairs": "kasta/Stairs-v0", "by_turns": "kasta/By_turns-v0"}

# PettingZoo's suite knows by name those environments that may show a mask beside the observation: its own.
with_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


def test_registering_finds_names_and_loads_no_game():
    assert NOT_LOADED
    assert kasta.env.IDS["kasta/Stairs-v0"] == "stairs"
    assert set(NAMES.values()) < set(gymnasium.registry)


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
@pytest.mark.parametrize("game", NAMES)
def test_gymnasiums_checker_has_no_complaints(game: str, mode: str | None):
    check_env(gymnasium.make(NAMES[game], render_mode=mode).unwrapped)


@pytest.mark.parametrize("rules", GAMES["stairs"].rule_sets)
def test_every_rule_set_is_played_to_the_end_and_can_be_watched(rules: str):
    env: Any = gymnasium.make(NAMES["stairs"], rules=rules, render_mode="ansi").unwrapped
    observation, _ = env.reset(seed=1)
    assert env.render() == f"{' '.join('.' * env.solo.size)}\nthrown {observation['observation'][-1]}\ntotal 0\n"
    total, over = 0.0, False
    while not over:
        assert env.coding.sheet(observation["observation"]) == env.sheet
        observation, reward, over, _, info = env.step(int(np.flatnonzero(observation["action_mask"])[0]))
        total += reward
    assert total == info["total"]
    assert "over\n" in env.render()
    assert f'"rules": "{rules}"' in env.record()[0]


def test_without_a_name_the_first_rule_set_is_meant():
    assert find_coding("stairs").rules == "six"
    assert find_coding("stairs").names == (*(f"boxes {i}" for i in range(6)), "die")


def test_a_vector_of_a_game_without_kernels_is_gymnasiums_own():
    games = gymnasium.make_vec(NAMES["stairs"], num_envs=3, rules="three", autoreset_mode="SameStep")
    assert isinstance(games.unwrapped, SyncVectorEnv)
    assert games.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    games.reset(seed=1)
    for box in range(3):
        *_, over, _, _ = games.step(np.full(3, box))
    assert over.all()


def test_a_batch_of_a_game_without_kernels_is_refused():
    with pytest.raises(Unreadable, match="stairs has no kernels"):
        BatchEnv("stairs", 3)
    assert not {f"kasta.env.kernels.{game}" for game in GAMES} & set(sys.modules)


@with_mask
@pytest.mark.parametrize("game", NAMES)
def test_the_suites_for_turns_pass(game: str):
    api_test(zoo.env(game, agents=3), num_cycles=100)
    seed_test(lambda: zoo.env(game), num_cycles=20)


def test_the_parallel_suites_pass_where_one_throw_serves_all():
    parallel_api_test(zoo.parallel_env("stairs", agents=3), num_cycles=100)
    parallel_seed_test(lambda: zoo.parallel_env("stairs"), num_cycles=20)
    with pytest.raises(ValueError, match="in turns"):
        zoo.parallel_env("by_turns")


@pytest.mark.parametrize("game", NAMES)
def test_environments_survive_being_stored(game: str):
    environments: list[Any] = [gymnasium.make(NAMES[game]), zoo.env(game), zoo.raw_env(game)]
    for env in environments:
        env.reset(seed=1)
        assert pickle.loads(pickle.dumps(env)).unwrapped.record() == env.unwrapped.record()  # noqa: S301 - our own


@pytest.mark.parametrize("make", [zoo.env, lambda game: gymnasium.make(f"kasta/{game.capitalize()}-v0")])
def test_a_game_that_says_nothing_about_numbers_is_refused(make: Any):
    with pytest.raises(Unreadable, match="trained for bare"):
        make("bare")


@pytest.mark.parametrize("game", NAMES)
def test_openspiels_random_simulations_pass(game: str):
    pyspiel = pytest.importorskip("pyspiel")
    import kasta.env.spiel

    assert set(kasta.env.spiel.TYPES) == {*NAMES, *GAMES} - {"bare"}
    loaded = pyspiel.load_game(f"kasta_{game}(players=2)")
    assert loaded.max_chance_outcomes() == 6
    pyspiel.random_sim_test(loaded, 2, True, False)  # noqa: FBT003 - serialise, but do not print
