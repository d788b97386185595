"""Thousands of games in step are the single games, side by side."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import kasta.env
from env.random_games import ID, hunter, stored
from kasta import GAMES
from kasta.env.kernels.play import source_name
from kasta.env.vector import BatchEnv, Chooser

NAMES = list(kasta.env.IDS)
ALL = [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]


def same(one: Any, other: Any) -> None:
    """Equal to the last key and type, as far as Gymnasium has a type for it."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            same(one[key], other[key])
    elif one.dtype == object:
        for mine, theirs in zip(one, other, strict=True):
            assert (mine is None) == (theirs is None)
            if mine is not None:
                same(mine, theirs)
    else:
        assert one.dtype == other.dtype
        assert (one == other).all()


def single(game: str, rules: str, count: int, mode: AutoresetMode) -> SyncVectorEnv:
    make = [lambda: gymnasium.make(ID[game], rules=rules).unwrapped] * count
    return SyncVectorEnv(make, autoreset_mode=mode)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(("game", "rules"), ALL)
def test_the_same_seeds_give_the_same_games_as_gymnasiums_own_vector(game: str, rules: str, mode: AutoresetMode):
    count = 6
    mine, theirs = BatchEnv(game, count, rules, autoreset_mode=mode), single(game, rules, count, mode)
    found: tuple[Any, ...] = mine.reset(seed=11)
    expected: tuple[Any, ...] = theirs.reset(seed=11)
    same(found[0], expected[0])
    same(found[1], expected[1])
    assert mine.observation_space == theirs.observation_space
    assert mine.action_space == theirs.action_space
    chooser, rng = Chooser(count, seed=5), np.random.default_rng(1)
    for _ in range(110 if game == "knaster" else 90):
        actions = chooser.choose(found[0]["action_mask"]).copy()
        wild = rng.random(count) < 0.03  # now and then anything, legal or not
        actions[wild] = rng.integers(len(mine.coding.actions), size=wild.sum())
        found, expected = mine.step(actions), theirs.step(actions)
        for mine_now, theirs_now in zip(found, expected, strict=True):
            same(mine_now, theirs_now)


@pytest.mark.parametrize("rules", GAMES["yatzy"].rule_sets)
def test_jokers_are_the_same_too(rules: str):
    count, jokers = 30, 0
    theirs: list[Any] = [gymnasium.make(ID["yatzy"], rules=rules).unwrapped for _ in range(count)]
    mine = BatchEnv("yatzy", count, rules)
    for seed, env in enumerate(theirs):
        env.reset(seed=seed)
    observation, _ = mine.reset(seed=0)
    over = False
    alive = np.ones(count, bool)
    while not over:
        actions = np.array(
            [hunter(env.action_masks(), env) if on else 0 for env, on in zip(theirs, alive, strict=True)]
        )
        observation, rewards, terminated, _, _ = mine.step(actions)
        for i in np.flatnonzero(alive):
            expected, reward, ended, _, _ = theirs[i].step(actions[i])
            same(expected, {key: value[i] for key, value in observation.items()})
            assert (reward, ended) == (rewards[i], terminated[i])
            jokers += ended and expected["observation"][-1]
        alive &= ~terminated
        over = not alive.any()
    assert jokers or rules == "plain"


def test_gymnasium_makes_the_batched_environment():
    env = gymnasium.make_vec(ID["knister"], num_envs=3, rules="sheet")
    assert isinstance(env.unwrapped, BatchEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("game", GAMES)
def test_seeds_may_be_a_list_and_only_some_games_may_be_reset(game: str):
    env = BatchEnv(game, 3, autoreset_mode="Disabled")
    first, _ = env.reset(seed=[4, 5, 6])
    again, _ = env.reset(seed=[6, 6, 4])
    same({key: value[[2, 2, 0]] for key, value in first.items()}, again)
    env.step(Chooser(3).choose(again["action_mask"]))
    some, info = env.reset(seed=[4, None, 6], options={"reset_mask": np.array([True, False, True])})
    same({key: value[[0, 2]] for key, value in some.items()}, {key: value[[0, 2]] for key, value in first.items()})
    assert info["_action_mask"].tolist() == [True, False, True]


def test_without_autoreset_a_finished_game_must_be_reset():
    env = BatchEnv("knister", 2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    for cell in range(25):
        *_, terminated, _, _ = env.step(np.array([cell, cell]))
    assert terminated.all()
    with pytest.raises(gymnasium.error.InvalidAction, match="over"):
        env.step(np.array([0, 0]))
    env.reset()
    env.step(np.array([0, 0]))


@pytest.mark.parametrize("wrong", [[0], [0, 25], [0, -1]])
def test_what_are_no_actions_is_refused(wrong: list[int]):
    env = BatchEnv("knister", 2)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(np.array(wrong))


def test_what_is_returned_is_the_callers_to_keep():
    env = BatchEnv("knister", 2)
    kept, told = env.reset(seed=1)
    before = {key: value.copy() for key, value in {**kept, **told}.items()}
    for cell in range(3):
        env.step(np.array([cell, cell]))
    assert all((before[key] == value).all() for key, value in {**kept, **told}.items())


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_all_games_can_be_looked_at(mode: str):
    env: Any = BatchEnv("yatzy", 2, render_mode=mode)
    alone: Any = gymnasium.make(ID["yatzy"], render_mode=mode)
    env.reset(seed=8)
    alone.reset(seed=9)
    assert np.array_equal(env.render()[1], alone.render())


@pytest.mark.parametrize("game", GAMES)
def test_batches_survive_being_stored_in_mid_game(game: str):
    env, chooser = BatchEnv(game, 3), Chooser(3)
    observation, _ = env.reset(seed=1)
    for _ in range(20):
        observation, *_ = env.step(chooser.choose(observation["action_mask"]))
    copies = stored(env)
    for _ in range(40):
        actions = chooser.choose(observation["action_mask"])
        observation, *_ = env.step(actions)
        for back in copies:
            same(back.step(actions)[0], observation)


def test_kernels_of_other_sources_are_other_kernels(tmp_path: Path):
    module = ModuleType("kernels")
    module.__file__ = str(tmp_path / "kernels.py")
    names = set()
    for source in ("one", "other"):
        (tmp_path / "kernels.py").write_text(source)
        names.add(source_name(module))
    assert len(names) == 2


def test_without_a_seed_games_differ():
    env = BatchEnv("yatzy", 50)
    observation, _ = env.reset()
    assert len(np.unique(observation["observation"], axis=0)) > 10
