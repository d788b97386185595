"""One player, as Gymnasium has it."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import kasta.env
from env.random_games import ID, any_legal, hunter, play, stored, totals_of
from kasta import GAMES
from kasta.env.dice_stream import Stream

NAMES = list(kasta.env.IDS)
MODES = [None, "ansi", "rgb_array"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_has_no_complaints(name: str, mode: str | None):
    check_env(gymnasium.make(name, render_mode=mode).unwrapped)  # a warning would be an error here


@pytest.mark.parametrize("name", NAMES)
def test_the_checked_and_wrapped_environment_plays_whole_games(name: str):
    env: Any = gymnasium.make(name)
    assert play(env, 4) == totals_of(env.unwrapped.record())[0]


@pytest.mark.parametrize(
    ("game", "rules"), [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]
)
def test_rewards_add_up_to_what_the_record_replays_to(game: str, rules: str):
    env: Any = gymnasium.make(ID[game], rules=rules).unwrapped
    for seed in range(15):
        assert [play(env, seed)] == totals_of(env.record())


def test_upper_bonus_and_jokers_are_rewarded_when_they_are_certain():
    env: Any = gymnasium.make(ID["yatzy"]).unwrapped
    jokers = 0
    for seed in range(60):
        assert [play(env, seed, hunter)] == totals_of(env.record())
        jokers += env.sheet.jokers
    assert jokers


@pytest.mark.parametrize("name", NAMES)
def test_an_action_that_is_not_legal_changes_nothing_and_is_told(name: str):
    env: Any = gymnasium.make(name).unwrapped
    before, info = env.reset(seed=1)
    while info["action_mask"].all():  # the first throw of Knister allows everything
        before, *_, info = env.step(0)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, told = env.step(wrong)
    assert (reward, terminated, truncated) == (0, False, False)
    assert told["illegal"]
    assert not info["illegal"]
    assert all((before[key] == after[key]).all() for key in before)


def test_a_number_that_is_no_action_is_refused():
    env: Any = gymnasium.make(ID["knister"]).unwrapped
    env.reset(seed=1)
    for number in (-1, 25):
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(number)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_begins_its_dice_anew_and_no_seed_goes_on_with_them(name: str):
    env: Any = gymnasium.make(name).unwrapped
    first, second = (env.reset(seed=3)[0]["observation"], env.reset()[0]["observation"])
    assert (env.reset(seed=3)[0]["observation"] == first).all()
    assert (env.reset()[0]["observation"] == second).all()
    assert any((env.reset()[0]["observation"] != first).any() for _ in range(5))


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_is_in_the_observation_in_the_info_and_in_action_masks(name: str):
    env: Any = gymnasium.make(name).unwrapped
    observation, info = env.reset(seed=2)
    for _ in range(10):
        mask = observation["action_mask"]
        assert (mask == info["action_mask"]).all()
        assert (mask == env.action_masks()).all()
        assert mask.any()
        observation, *_, info = env.step(any_legal(mask, Stream(1)))


def test_rendering_as_text_shows_sheet_throw_and_total():
    env: Any = gymnasium.make(ID["knister"], render_mode="ansi").unwrapped
    env.reset(seed=1)
    env.step(0)
    number = env.sheet
    text = env.render()
    assert text.split()[0] == str(number.numbers[0])
    assert f"thrown {number.sum}" in text
    assert text.endswith("total 0\n")


def test_people_see_every_step_in_the_terminal(capsys: pytest.CaptureFixture[str]):
    env = gymnasium.make(ID["knister"], render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert capsys.readouterr().out.count("total 0") == 2


@pytest.mark.parametrize("name", NAMES)
def test_flat_observations_are_the_same_numbers_alone_and_in_step(name: str):
    check_env(gymnasium.make(name, flat=True).unwrapped, skip_render_check=True)
    plain, flat = gymnasium.make(name), gymnasium.make(name, flat=True)
    shown, _ = plain.reset(seed=3)
    row, info = flat.reset(seed=3)
    assert (row == shown["observation"]).all()
    assert (info["action_mask"] == shown["action_mask"]).all()
    rows, _ = gymnasium.make_vec(name, num_envs=2, flat=True).reset(seed=3)
    assert (rows[0] == row).all()
    assert rows.dtype == row.dtype


@pytest.mark.parametrize("name", NAMES)
def test_pictures_change_with_the_game(name: str):
    env: Any = gymnasium.make(name, render_mode="rgb_array").unwrapped
    env.reset(seed=1)
    before = env.render()
    env.step(int(np.flatnonzero(env.action_masks())[-1]))
    after = env.render()
    assert before.dtype == np.uint8
    assert before.shape == after.shape
    assert before.shape[2] == 3
    assert (before != after).any()


@pytest.mark.parametrize("name", NAMES)
def test_environments_survive_being_stored_in_mid_game(name: str):
    env: Any = gymnasium.make(name)
    play(env, 4)
    env.reset()
    for _ in range(8):
        env.step(any_legal(env.unwrapped.action_masks(), Stream(1)))
    for back in stored(env):
        over = False
        while not over:
            *_, over, _, _ = back.step(any_legal(back.unwrapped.action_masks(), Stream(2)))
        begun = env.unwrapped.record()
        assert back.unwrapped.record()[: len(begun)] == begun
        assert totals_of(back.unwrapped.record())
    ends = [back.reset()[0]["observation"].tolist() for back in stored(env)]
    assert ends[0] == ends[1] == env.reset()[0]["observation"].tolist()


def test_an_entry_point_tells_where_the_games_register():
    (found,) = [point for point in entry_points(group="gymnasium.envs") if point.name == "kasta"]
    found.load()()
    assert set(NAMES) <= set(gymnasium.registry)


def test_gymnasium_finds_the_games_by_module_without_an_import():
    space: Any = gymnasium.make("kasta.env:kasta/Yatzy-v0").action_space
    assert space.n == 223
