"""The games for OpenSpiel."""

from __future__ import annotations

import importlib
import os
import pickle
import unittest
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from env.random_games import totals_of
from kasta import GAMES
from kasta.env.bounds import find_bounds
from kasta.errors import Illegal
from kasta.games.grid import Grid

pyspiel = importlib.import_module("pyspiel") if os.environ.get("CI") else pytest.importorskip("pyspiel")

import kasta.env.spiel  # noqa: E402, F401 - registers the games

PLAYERS = [1, 2, 3]


def load(game: str, players: int = 1, rules: str = "sheet") -> Any:
    return pyspiel.load_game(f"kasta_{game}", {"players": players, "rules": rules})


@pytest.mark.parametrize("game", GAMES)
def test_openspiels_random_simulations_pass(game: str):
    pyspiel.random_sim_test(load(game, players=2), 2, True, False)  # noqa: FBT003 - serialise, but do not print


def openspiels_own(kind: str) -> list[unittest.TestCase]:
    suite = importlib.import_module("open_spiel.python.tests.games_sim_test").GamesSimTest
    return [suite(name) for name in dir(suite) if name.startswith(f"test_{kind}") and "kasta_" in name]


@pytest.mark.filterwarnings("ignore")  # of OpenSpiel's own modules
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("game_sim", len(GAMES)),
        ("multiplayer_game_2p", len(GAMES)),
        pytest.param("multiplayer_game", len(GAMES) * 5, marks=pytest.mark.prove),  # 2 to 6 players
    ],
)
def test_openspiels_own_game_tests_pass(kind: str, count: int):
    tests = openspiels_own(kind)
    assert len(tests) == count
    assert unittest.TextTestRunner().run(unittest.TestSuite(tests)).wasSuccessful()


def play(state: Any, rng: np.random.Generator) -> list[float]:
    """A whole game; the sum of the rewards at every decision and at the end."""
    gained = np.zeros(state.num_players())
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(numbers, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            gained += state.rewards()
    return [float(total) for total in gained]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(
    ("game", "rules"), [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]
)
def test_returns_are_what_the_record_replays_to(game: str, rules: str, players: int):
    state = load(game, players, rules).new_initial_state()
    assert play(state, np.random.default_rng(1)) == state.returns() == totals_of(state.record())


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("knister", 11),
        ("knaster", 11),
        ("yatzy", 252),
        ("yatzy15", 252),
        ("maxi", 462),
    ],
)
def test_chance_has_few_outcomes_that_add_up(game: str, most: int):
    loaded = load(game)
    assert loaded.max_chance_outcomes() == most
    rng, state, seen = np.random.default_rng(2), loaded.new_initial_state(), set()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            seen.add(len(outcomes))
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            assert len({state.action_to_string(number) for number, _ in outcomes}) == len(outcomes)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert max(seen) == most


def test_a_seven_is_the_likeliest_sum_and_five_equal_the_rarest_throw():
    knister, yatzy = (load(game).new_initial_state().chance_outcomes() for game in ("knister", "yatzy"))
    assert max(chance for _, chance in knister) == knister[5][1] == pytest.approx(6 / 36)
    assert min(chance for _, chance in yatzy) == yatzy[0][1] == pytest.approx(1 / 7776)


def follow(state: Any, throws: Any, actions: Any) -> Any:
    """Play with these throws and actions, by name."""
    throws, actions = iter(throws), iter(actions)
    while not state.is_terminal():
        wanted = next(throws if state.is_chance_node() else actions)
        (number,) = [n for n in state.legal_actions() if state.action_to_string(n) == wanted]
        state.apply_action(number)
    return state


def throw_of(number: int) -> str:
    low = max(1, number - 6)
    return f"{low} {number - low}"


@pytest.mark.parametrize(("numbers", "total"), [((2, 3, 4, 5, 6), 168), ((2, 3, 4, 5, 7), 0)])
def test_knister_reaches_its_bounds(numbers: tuple[int, ...], total: int):
    cells = Grid().cells
    written = [numbers[(cell % 5 + 2 * (cell // 5)) % 5] for cell in cells]
    state = follow(load("knister").new_initial_state(), map(throw_of, written), map(str, cells))
    assert state.returns() == [total]
    assert total in find_bounds("knister")[:2]
    assert len(state.history()) == 25 + load("knister").max_game_length()


def test_knaster_reaches_its_lower_bound():
    numbers, cells = (2, 3, 4, 5, 7), Grid().cells
    written = [numbers[(cell % 5 + 2 * (cell // 5)) % 5] for cell in cells]
    state = load("knaster").new_initial_state()
    follow(state, map(throw_of, [*written, 2]), [*map(str, cells), "-"])
    assert state.returns() == [find_bounds("knaster").least] == [0]


def test_knaster_reaches_its_upper_bound_and_its_greatest_length():
    numbers, cells = (2, 3, 4, 5, 7), Grid().cells
    written = [numbers[(cell % 5 + 2 * (cell // 5)) % 5] for cell in cells]
    throws = map(throw_of, [*written[:-1], *written[:-1], written[-1], written[-1]])
    actions = [*map(str, cells[:-1]), *(f"({cell})" for cell in cells[:-1]), "e5", "(e5)"]
    state = follow(load("knaster").new_initial_state(), throws, actions)
    assert state.returns() == [find_bounds("knaster").most] == [115]
    assert (
        sum(player < 0 for player, _ in full_history(state)) == load("knaster").max_chance_nodes_in_history() == 50
    )


def full_history(state: Any) -> list[tuple[int, int]]:
    return [(item.player, item.action) for item in state.full_history()]


def test_a_sheet_of_knaster_can_take_every_action_that_its_bound_allows():
    """All but e5 written and circled without a hand; there a 6 to the 2, 3, 4 and 5, its circle, and a pass."""
    numbers, cells = (2, 3, 7, 4, 5), Grid().cells
    written = [numbers[(cell % 5 + 2 * (cell // 5)) % 5] for cell in cells]
    throws = map(throw_of, [*written[:-1], *written[:-1], 6, 12])
    actions = [*map(str, cells[:-1]), *(f"({cell})" for cell in cells[:-1]), "e5", "5(e5)", "-"]
    state = follow(load("knaster").new_initial_state(), throws, actions)
    assert sum(player >= 0 for player, _ in full_history(state)) == load("knaster").max_game_length() == 51


@pytest.mark.parametrize(
    ("rules", "most"),
    [("sheet", 1575), ("official", 1575), ("free_joker", 1575), ("bonus_only", 1480), ("plain", 375)],
)
def test_yatzy_has_true_bounds(rules: str, most: int):
    game = load("yatzy", 2, rules)
    assert (game.min_utility(), game.max_utility()) == (5, most)
    assert game.max_game_length() == 2 * 39


@pytest.mark.parametrize(
    ("game", "rules", "bounds"),
    [
        ("yatzy15", "sheet", (5, 374)),
        ("yatzy15", "loose", (5, 378)),
        ("maxi", "sheet", (6, 649)),
        ("maxi", "no_saving", (6, 649)),
        ("maxi", "finnish", (6, 599)),
    ],
)
def test_further_blocks_have_true_bounds(game: str, rules: str, bounds: tuple[int, int]):
    loaded = load(game, 2, rules)
    assert (loaded.min_utility(), loaded.max_utility()) == bounds
    solo = GAMES[game].rule_sets[rules]
    assert loaded.max_game_length() == 2 * solo.throws * len(solo.boxes)


@pytest.mark.parametrize("game", ["knister", "knaster"])
def test_no_observer_tells_what_others_did_on_an_open_throw(game: str):
    state = load(game, 2).new_initial_state()
    state.apply_action(3)

    def told() -> list[Any]:
        shown = state.observation_tensor(1), state.observation_string(1)
        return [*shown, state.information_state_tensor(1), state.information_state_string(1)]

    before, own = told(), state.observation_tensor(0)
    state.apply_action(7)
    assert state.current_player() == 1
    assert told() == before
    assert state.observation_tensor(0) != own
    state.apply_action(0)
    state.apply_action(4)
    assert state.observation_string(1) != before[1]
    assert "0 c2" in state.information_state_string(1)


def test_the_tensor_is_the_player_and_the_sheets_the_own_one_first():
    state = load("yatzy", 2).new_initial_state()
    state.apply_action(0)  # five ones
    columns = (len(state.observation_tensor(0)) - 2) // 2
    first, second = (np.array(state.observation_tensor(player)) for player in (0, 1))
    assert first[:2].tolist() == [1, 0]
    assert second[:2].tolist() == [0, 1]
    assert (first[2 : 2 + columns] == second[2 + columns :]).all()
    assert first[2 + 13] == 5


def test_the_information_state_is_the_player_and_all_steps():
    state = load("knister", 2).new_initial_state()
    for action in (3, 7, 0, 4):
        state.apply_action(action)
    tensor = state.information_state_tensor(1)
    assert len(tensor) == 2 + 2 * (25 + 2 * 25)
    assert tensor[:12] == [0, 1, 1, 4, 2, 8, 3, 1, 1, 5, 0, 0]


@pytest.mark.parametrize("game", GAMES)
def test_information_states_as_numbers_and_in_words_tell_the_same_apart(game: str):
    loaded, words = load(game, 2), dict[tuple[float, ...], str]()
    for _ in range(2):  # the second time all of them come again
        rng, state = np.random.default_rng(6), loaded.new_initial_state()
        while not state.is_terminal():
            for player in range(2):
                numbers, text = (
                    tuple(state.information_state_tensor(player)),
                    state.information_state_string(player),
                )
                assert words.setdefault(numbers, text) == text
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(set(words.values())) == len(words)


@pytest.mark.parametrize("game", GAMES)
def test_terminal_rewards_are_paid_at_the_end_only(game: str):
    loaded = pyspiel.load_game(f"kasta_{game}(players=2,terminal_rewards=True)")
    assert pickle.loads(pickle.dumps(loaded)).get_type().reward_model == loaded.get_type().reward_model  # noqa: S301
    pyspiel.random_sim_test(loaded, 1, True, False)  # noqa: FBT003 - serialise, but do not print
    late, now = loaded.new_initial_state(), load(game, 2).new_initial_state()
    rng = np.random.default_rng(5)
    while not late.is_terminal():
        assert late.returns() == late.rewards() == [0, 0]
        action = int(rng.choice(late.legal_actions()))
        late.apply_action(action)
        now.apply_action(action)
    assert late.returns() == late.rewards() == now.returns()


@pytest.mark.filterwarnings("ignore")  # of OpenSpiel's own modules
@pytest.mark.parametrize("language", ["python", "c++"])
@pytest.mark.parametrize("game", GAMES)
def test_openspiels_tree_search_plays_whole_games(game: str, language: str):
    loaded = pyspiel.load_game(f"kasta_{game}(terminal_rewards=True)")
    choose = tree_search(loaded, language)
    rng, state = np.random.default_rng(2), loaded.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(numbers, p=chances)))
        else:
            state.apply_action(choose(state))
    assert state.returns()[0] == state.rewards()[0]


def tree_search(game: Any, language: str) -> Callable[[Any], int]:
    """OpenSpiel's own, as cheap as it comes: two looks ahead."""
    if language == "python":
        mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
        random = np.random.RandomState(7)  # what it asks for
        looks = mcts.MCTSBot(game, 2.0, 2, mcts.RandomRolloutEvaluator(1, random), random_state=random)
        return lambda state: int(looks.step(state))
    looker = pyspiel.RandomRolloutEvaluator(1, 7)
    bot = pyspiel.MCTSBot(game, looker, 2.0, 2, 100, False, 7, False)  # noqa: FBT003 - not solved, nothing told
    return lambda state: int(
        bot.mcts_search(state).best_child().action
    )  # its step() crashes with every game in Python


@pytest.mark.parametrize("game", GAMES)
def test_states_survive_being_stored(game: str):
    rng, state = np.random.default_rng(3), load(game, 2).new_initial_state()
    for _ in range(30):
        state.apply_action(int(rng.choice(state.legal_actions())))
    for back in (pickle.loads(pickle.dumps(state)), state.clone()):  # noqa: S301 - our own
        assert str(back) == str(state)
        assert back.legal_actions() == state.legal_actions()
        assert play(back, np.random.default_rng(4))


def test_a_game_has_at_least_one_player():
    with pytest.raises(Illegal, match="at least one seat"):
        pyspiel.load_game("kasta_yatzy(players=0)")
