"""What trains with PyTorch; `make test-sb3` runs this in an environment of its own."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from re import MULTILINE

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import kasta.env
from kasta.env.sb3 import GamesInStep

PAGE = Path(__file__).parents[3] / "docs/rl.md"
GAMES = list(kasta.env.IDS.items())
SHORT = {"STEPS": 150_000, "GAMES": 60}


@pytest.mark.parametrize("name", kasta.env.IDS)
def test_stable_baselines_checker_has_no_complaints(name: str):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name).unwrapped, warn=True)


@pytest.mark.parametrize("name", kasta.env.IDS)
def test_maskable_ppo_trains_on_single_environments_as_they_are(name: str):
    env = make_vec_env(name, n_envs=4, seed=1)
    assert is_masking_supported(env)
    MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=1).learn(512)


@pytest.mark.parametrize(("name", "game"), GAMES)
def test_games_in_step_are_what_stable_baselines_makes_of_single_ones(name: str, game: str):
    count = 4
    mine, theirs = GamesInStep(game, count), make_vec_env(name, n_envs=count)
    mine.seed(3)
    theirs.seed(3)
    seen, expected = mine.reset(), theirs.reset()
    rng = np.random.default_rng(1)
    for _ in range(120):
        assert all((seen[key] == expected[key]).all() for key in expected)
        masks = get_action_masks(mine)
        assert (masks == get_action_masks(theirs)).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        (seen, *found), (expected, *wanted) = mine.step(actions), theirs.step(actions)
        assert (found[0] == wanted[0]).all()
        assert (found[1] == wanted[1]).all()
        for told, told_there in zip(found[2], wanted[2], strict=True):
            assert ("episode" in told) == ("episode" in told_there)
            if "episode" in told:
                assert {**told["episode"], "t": 0} == {**told_there["episode"], "t": 0}
                for key, value in told_there["terminal_observation"].items():
                    assert (told["terminal_observation"][key] == value).all()


def test_the_tutorial_runs_in_short(capsys: pytest.CaptureFixture[str]):
    program = "\n".join(re.findall(r"^```py\n(.*?)^```$", PAGE.read_text("utf-8"), MULTILINE | re.DOTALL))
    short = re.sub(
        r"^(STEPS|GAMES) = (.*)$", lambda found: f"{found[1]} = {SHORT[found[1]]}", program, flags=MULTILINE
    )
    assert short != program
    exec(compile(short, str(PAGE), "exec", dont_inherit=True), {"__name__": "tutorial"})  # noqa: S102 - our own page
    means = dict(re.findall(r"^(\w+) +([\d.]+)$", capsys.readouterr().out, MULTILINE))
    assert set(means) == {"random", "greedy", "trained"}
    assert float(means["trained"]) > float(means["random"])
