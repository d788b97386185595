"""Several agents at a table, as PettingZoo has them."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from env.random_games import ID, any_legal, stored, totals_of
from kasta import GAMES, find_game
from kasta.env import knaster_v0, knister_v0, yatzy_v0, zoo
from kasta.env.dice_stream import Stream, choice_start
from kasta.games import OURS

supersuit: Any = import_module("supersuit") if sys.version_info < (3, 13) else None
MODULES = {game: import_module(f"kasta.env.{game}_v0") for game in OURS}
IN_TURN = [game for game in OURS if not find_game(game).hides_picks]
SHARED = [pytest.param(module, id=game) for game, module in MODULES.items() if game not in IN_TURN]
EVERY = [pytest.param(module, id=game) for game, module in MODULES.items()]
AGENTS = [1, 2, 5]

# PettingZoo's suite knows by name those environments that may show a mask beside the observation: its own.
with_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)
wrapped = pytest.mark.skipif(
    not supersuit, reason="SuperSuit needs tinyscaler, which has no wheels from Python 3.13 on"
)
finished = pytest.mark.filterwarnings(
    "ignore:Action mask numpy array is all zeros"
)  # of an agent whose game is over


@with_mask
@finished
@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("module", EVERY)
def test_the_suite_for_turns_passes(module: ModuleType, agents: int):
    api_test(module.env(agents), num_cycles=200)
    api_test(module.raw_env(agents), num_cycles=200)


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("module", EVERY)
def test_seeds_decide_all_in_turns(module: ModuleType, agents: int):
    seed_test(lambda: module.env(agents), num_cycles=60)


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("module", SHARED)
def test_the_parallel_suites_pass(module: ModuleType, agents: int):
    parallel_api_test(module.parallel_env(agents), num_cycles=300)
    parallel_seed_test(lambda: module.parallel_env(agents), num_cycles=60)


def play_parallel(env: Any, seed: int) -> dict[str, float]:
    choices, totals = Stream(choice_start(seed)), dict.fromkeys(env.possible_agents, 0.0)
    observations, _ = env.reset(seed=seed)
    while env.agents:
        actions = {agent: any_legal(observations[agent]["action_mask"], choices) for agent in env.agents}
        observations, rewards, *_, infos = env.step(actions)
        totals = {agent: total + rewards[agent] for agent, total in totals.items()}
        assert not any(info["illegal"] for info in infos.values())
    return totals


def play_turns(env: Any, seed: int) -> dict[str, float]:
    choices, totals = Stream(choice_start(seed)), dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        totals[agent] += reward
        env.step(None if over else any_legal(observation["action_mask"], choices))
    return totals


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize("module", SHARED)
def test_rewards_add_up_to_what_the_record_replays_to(module: ModuleType, agents: int):
    env = module.parallel_env(agents)
    for seed in range(5):
        assert list(play_parallel(env, seed).values()) == totals_of(env.record())


@pytest.mark.parametrize("agents", AGENTS)
@pytest.mark.parametrize(("game", "rules"), [(game, rules) for game in IN_TURN for rules in GAMES[game].rule_sets])
def test_rewards_in_turns_add_up_to_what_the_record_replays_to(game: str, rules: str, agents: int):
    env = MODULES[game].raw_env(agents, rules)
    for seed in range(3):
        assert list(play_turns(env, seed).values()) == totals_of(env.record())


@pytest.mark.parametrize(("module", "game"), [(knister_v0, "knister"), (knaster_v0, "knaster")])
def test_a_lone_agent_has_the_game_that_gymnasium_has(module: ModuleType, game: str):
    table, alone = module.parallel_env(1), gymnasium.make(ID[game]).unwrapped
    observations, _ = table.reset(seed=6)
    mine, _ = alone.reset(seed=6)
    while table.agents:
        seen = observations["player_0"]
        assert (seen["observation"] == mine["observation"]).all()
        assert (seen["action_mask"][:-1] == mine["action_mask"]).all()
        action = int(np.flatnonzero(mine["action_mask"])[0])
        observations, rewards, *_ = table.step({"player_0": action})
        mine, reward, *_ = alone.step(action)
        assert rewards["player_0"] == reward


def last_legal(env: Any) -> Any:
    """The last legal action of whose turn it is, or of each agent where all act at once."""
    if hasattr(env, "agent_selection"):
        return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])
    masks = {agent: env.table.mask(seat) for seat, agent in enumerate(env.agents)}
    return {agent: int(max(np.flatnonzero(mask), default=len(mask))) for agent, mask in masks.items()}


@pytest.mark.parametrize("module", EVERY)
def test_environments_survive_being_stored_in_mid_game(module: ModuleType):
    for kind in {"env", "raw_env", "parallel_env"} & set(dir(module)):
        env, copies = getattr(module, kind)(2), list[Any]()
        env.reset(seed=1)
        for number in range(12):
            if number == 6:
                copies = stored(env)
            chosen = last_legal(env)
            for one in (env, *copies):
                one.step(chosen)
        for back in copies:
            assert back.unwrapped.record() == env.unwrapped.record()
            assert (back.state() == env.state()).all()


def test_what_others_do_on_an_open_throw_is_seen_with_the_next():
    env = knister_v0.parallel_env(2)
    columns = len(env.table.coding.sizes)
    env.reset(seed=1)
    observations, *_, infos = env.step({"player_0": 3, "player_1": 25})  # one waits although it must not
    assert infos["player_1"]["illegal"]
    assert observations["player_0"]["observation"][3] > 0
    assert not observations["player_1"]["observation"][columns : columns + 25].any()
    assert observations["player_0"]["action_mask"].tolist() == [0] * 25 + [1]
    observations, *_ = env.step({"player_0": 25, "player_1": 7})
    assert observations["player_1"]["observation"][columns + 3] > 0
    assert observations["player_0"]["observation"][columns + 7] > 0


def test_in_turns_an_illegal_action_leaves_the_turn_where_it_is():
    env = yatzy_v0.raw_env(2)
    env.reset(seed=1)
    wrong = int(np.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    env.step(wrong)
    assert env.agent_selection == "player_0"
    assert env.infos["player_0"]["illegal"]
    assert not env.observe("player_1")["action_mask"].any()


def test_a_table_without_agents_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        knaster_v0.parallel_env(0)


@pytest.mark.parametrize("module", EVERY)
def test_all_sheets_are_shown(module: ModuleType):
    env = module.raw_env(3, render_mode="ansi")
    env.reset(seed=1)
    assert env.render().count("total 0") == 3
    picture = module.raw_env(3, render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().shape[1] % 3 == 0


def as_boxes(module: ModuleType) -> Any:
    return module.parallel_env(3, flat=True)


@finished
@pytest.mark.parametrize("module", EVERY)
def test_flat_observations_pass_the_suites_without_a_word_about_masks(module: ModuleType):
    api_test(module.env(2, flat=True), num_cycles=100)
    if hasattr(module, "parallel_env"):
        parallel_api_test(as_boxes(module), num_cycles=100)


@wrapped
@finished
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of SuperSuit's own modules
@pytest.mark.parametrize("module", EVERY)
def test_the_wrappers_of_supersuit_take_flat_observations_in_turns(module: ModuleType):
    env = module.env(2, flat=True)
    for wrap in (supersuit.pad_observations_v0, supersuit.pad_action_space_v0, supersuit.flatten_v0):
        env = wrap(env)
    scaled = supersuit.normalize_obs_v0(env, env_min=0, env_max=1)
    api_test(supersuit.frame_stack_v1(supersuit.agent_indicator_v0(scaled), stack_size=3), num_cycles=60)


@wrapped
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of SuperSuit's own modules
@pytest.mark.parametrize("module", SHARED)
def test_the_wrappers_of_supersuit_take_flat_observations(module: ModuleType):
    for wrap in (
        partial(supersuit.frame_stack_v1, stack_size=3),
        partial(supersuit.normalize_obs_v0, env_min=0, env_max=1),
        supersuit.agent_indicator_v0,
        supersuit.pad_observations_v0,
        supersuit.pad_action_space_v0,
        supersuit.black_death_v3,
    ):
        parallel_api_test(wrap(as_boxes(module)), num_cycles=60)
    games = supersuit.concat_vec_envs_v1(supersuit.pettingzoo_env_to_vec_env_v1(as_boxes(module)), 2)
    observations, _ = games.reset(seed=1)
    assert observations.shape == (6, *as_boxes(module).observation_space("player_0").shape)


@pytest.mark.parametrize("module", SHARED)
def test_the_state_holds_all_sheets_also_what_others_may_not_see_yet(module: ModuleType):
    env = module.parallel_env(2)
    env.reset(seed=1)
    before = env.state()
    assert env.state_space.contains(before)
    env.table.act(1, 3)
    assert (env.state() != before).any()
    turns = module.env(2)
    turns.reset(seed=1)
    assert (turns.state() == before).all()


def test_people_see_the_sheets_in_the_terminal(capsys: pytest.CaptureFixture[str]):
    env = zoo.env("yatzy", 2, render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out.count("total 0") == 2
    env.step(env.action_space("player_0").n - 1)
    assert "chance" in capsys.readouterr().out
