"""Yatzy with 15 boxes and Maxi: solved by the same code, and estimated where they are too large."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import make_estimates
import numpy as np
import pytest
from make_estimates import in_matrix, low_rank, solve_saving

from kasta.bots.base import Greedy, bots_of, find_bot
from kasta.core import Pick
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.block import BlockGame, Sheet
from kasta.games.maxi import RULE_SETS as MAXI, Maxi
from kasta.games.traits import find_valuer
from kasta.games.yatzy import Yatzy
from kasta.games.yatzy15 import RULE_SETS as YATZY15, Yatzy15
from kasta.lab.simulate import play_once, simulate
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import SHIPPED
from kasta.solve.yatzy import arrays, estimate as estimates, state_space
from kasta.solve.yatzy.distribution import distribution
from kasta.solve.yatzy.estimate import Estimate, found_estimate
from kasta.solve.yatzy.kernels.variance import TIE
from kasta.solve.yatzy.sample import GAMES_OF_ACTION
from kasta.solve.yatzy.solution import Solution, name, solution, solve
from kasta.solve.yatzy.solution_file import load
from kasta.solve.yatzy.solver import solve_squares, solve_values
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.target import options_of
from kasta.solve.yatzy.turn import TurnValuer
from kasta.solve.yatzy.win import Winner
from solve.expectimax import expectimax

TINY: list[BlockGame] = [
    Yatzy15(dice=3, throws=2, boxes=("ones", "one_pair", "yatzy"), upper_goal=3),
    Yatzy15(loose=True, dice=4, throws=2, boxes=("two_pairs", "sixes"), upper_goal=18),
    Maxi(dice=3, throws=2, boxes=("twos", "threes", "three_of_a_kind"), upper_goal=12),
    Maxi(dice=4, throws=2, boxes=("two_pairs", "maxi_yatzy")),
]
SAVING = [
    Maxi(dice=3, throws=2, boxes=("twos", "one_pair"), upper_goal=4, saves=True),
    Maxi(dice=2, throws=3, boxes=("sixes", "chance"), upper_goal=10, saves=True),
]
THREE_SAVING = Maxi(dice=3, throws=2, boxes=("twos", "one_pair", "maxi_yatzy"), upper_goal=4, saves=True)


@cache
def by_the_rules(game: BlockGame) -> dict[Sheet, float]:
    """What every position is worth."""
    seen: dict[Sheet, float] = {}
    expectimax(game, game.total, seen)(game.start())
    return seen


def agree(valuer: TurnValuer, game: BlockGame) -> None:
    """In every position there is, values and options are those of the rules."""
    seen = by_the_rules(game)
    for number, (sheet, worth) in enumerate(seen.items()):
        assert abs(valuer.value(sheet) - worth) < 1e-4
        if number % 10 == 0 and isinstance(game.next(sheet), Pick):
            options = valuer.options(sheet)
            assert {option.action for option in options} == set(game.legal(sheet))
            assert all(abs(option.value - seen[game.act(sheet, option.action)]) < 1e-4 for option in options)


@pytest.mark.parametrize("every_total", [0, 13])
@pytest.mark.parametrize("game", TINY, ids=lambda game: "-".join(game.boxes))
def test_tiny_games_have_the_values_that_the_rules_give_them(
    game: BlockGame, every_total: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(arrays, "EVERY_TOTAL", every_total)
    found = solve(StateSpace(game), tmp_path / "tiny")
    agree(found, game)
    assert found.start == pytest.approx(by_the_rules(game)[game.start()], abs=1e-12)


@dataclass(frozen=True)
class WithSaved(TurnValuer):
    """All values of a game with saved throws."""

    values: np.ndarray

    @property
    def spread(self) -> float:
        raise NotImplementedError  # nobody asks here

    def rest(self, states: Ints, saved: int = 0) -> Floats:
        rest: Floats = self.values[saved, states].astype(np.float64)
        return rest


@pytest.mark.parametrize(
    "game", [*SAVING, pytest.param(THREE_SAVING, marks=pytest.mark.prove)], ids=lambda game: "-".join(game.boxes)
)
def test_saved_throws_are_solved_too(game: BlockGame):
    space = StateSpace(game)
    agree(WithSaved(space, solve_saving(space, (game.throws - 1) * len(game.boxes))), game)


def test_more_saved_throws_than_are_looked_at_are_lost():
    game = SAVING[0]
    values = [solve_saving(StateSpace(game), saved)[0, 0] for saved in range(4)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(solution_without_saving(game), abs=1e-4)


def solution_without_saving(game: BlockGame) -> float:
    plain = Maxi(dice=game.dice, throws=game.throws, boxes=game.boxes, upper_goal=game.upper_goal)
    return by_the_rules(plain)[plain.start()]


@pytest.mark.parametrize("game", [TINY[2], SAVING[0]], ids=["plain", "saving"])
def test_an_estimate_of_full_rank_is_exact(game: BlockGame):
    space = StateSpace(game)
    most = (game.throws - 1) * len(game.boxes) if game.saves else 0
    exact = solve_saving(space, most) if game.saves else solve_values(space).array[None]
    factors = low_rank(np.stack([in_matrix(space, values) for values in exact]), 50)
    agree(Estimate(space, np.eye(len(exact), dtype=np.float32), factors, factors, {"error": 0.0}), game)


def test_the_whole_tool_makes_an_estimate_of_a_game_with_saved_throws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(make_estimates, "SHIPPED", tmp_path)
    game = SAVING[0]
    make_estimates.make_estimate(game, (game.throws - 1) * len(game.boxes))
    estimate = estimates.load(tmp_path / f"{name(game)}.estimate", StateSpace(game))
    assert estimate.error < 0.01
    assert estimate.about["value"] == pytest.approx(by_the_rules(game)[game.start()], abs=1e-4)
    for sheet, worth in by_the_rules(game).items():
        assert estimate.value(sheet) == pytest.approx(worth, abs=0.05)


def test_of_equal_choices_the_one_is_taken_that_spreads_more_or_less():
    game = Yatzy15(dice=2, throws=2, boxes=("ones", "chance", "yatzy"), upper_goal=4)
    space, found = StateSpace(game), []
    values = solve_values(space).array
    for tie, little in ((TIE, 1e-7), (-TIE, -1e-7)):
        utility = lambda sheet, little=little: game.total(sheet) + little * game.total(sheet) ** 2  # noqa: E731
        wanted = expectimax(game, utility, {})(game.start())
        found.append(solve_squares(space, values, tie=tie).array[0])
        assert found[-1] == pytest.approx((wanted - values[0]) / little, abs=1e-5)
    assert found[0] > found[1] + 0.001


def test_fifteen_boxes_have_their_known_value():
    """248.44 is published."""
    solved = solution(Yatzy15())
    assert solved.start == pytest.approx(248.4399893779, abs=1e-9)
    assert solved.sd == pytest.approx(38.4964, abs=5e-5)
    assert solved.states == 958_974


@pytest.mark.parametrize("game", [Yatzy(), Yatzy15()], ids=["yatzy", "yatzy15"])
def test_the_values_that_come_with_kasta_are_those_that_solving_gives(game: BlockGame):
    space = StateSpace(game)
    shipped = load(SHIPPED / f"{name(game)}.values", space.fingerprint)
    assert np.array_equal(shipped.array, solve_values(space).array)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("game", "value", "least", "most"),
    [
        (Yatzy(), 254.1524613784, 59.8158, 59.8161),
        (YATZY15["sheet"], 248.4399893779, 38.4964, 38.4964),
        (YATZY15["loose"], 248.6748826884, 38.5812, 38.5812),
    ],
)
def test_the_spread_depends_on_ties_as_we_say(game: BlockGame, value: float, least: float, most: float):
    space = StateSpace(game)
    values = solve_values(space).array
    assert values[0] == pytest.approx(value, abs=1e-9)
    for tie, sd in ((-TIE, least), (TIE, most)):
        variance = solve_squares(space, values, tie=tie).array[0] - values[0] ** 2
        assert variance**0.5 == pytest.approx(sd, abs=5e-5)
    assert solution(game).sd == pytest.approx(most, abs=5e-5)


def chi_square(solved: Solution, games: int) -> float:
    """How many standard deviations played games are off the exact distribution."""
    exact = distribution(solved)
    counts = np.bincount(solved.totals(games, 1), minlength=len(exact.chances))
    expected = exact.chances * games
    often = expected >= 50
    observed = np.append(counts[often], counts[~often].sum())
    wanted = np.append(expected[often], expected[~often].sum())
    statistic, free = ((observed - wanted) ** 2 / wanted).sum(), len(wanted) - 1
    return float((statistic - free) / (2 * free) ** 0.5)


def test_played_games_are_distributed_as_they_must_be(tmp_path: Path):
    few = Yatzy15(boxes=("twos", "sixes", "two_pairs", "full_house", "chance"), upper_goal=20)
    solved = solve(StateSpace(few), tmp_path / "few")
    exact = distribution(solved)
    assert exact.mean == pytest.approx(solved.start, abs=1e-9)
    assert exact.sd == pytest.approx(solved.sd, abs=1e-7)
    assert abs(chi_square(solved, 200_000)) < 4


@pytest.mark.prove
@pytest.mark.parametrize("game", [Yatzy(), *YATZY15.values()], ids=["yatzy", "sheet", "loose"])
def test_a_million_games_are_distributed_as_they_must_be(game: BlockGame):
    solved = solution(game)
    exact = distribution(solved)
    assert exact.mean == pytest.approx(solved.start, abs=1e-9)
    assert exact.sd == pytest.approx(solved.sd, abs=1e-7)
    assert abs(chi_square(solved, 1_000_000)) < 4


class Stopped(Exception):  # noqa: N818 - somebody pressed Ctrl+C
    pass


def stop_at(most: int, done: int, _of: int) -> None:
    if done > most:
        raise Stopped


def test_who_stops_solving_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(state_space, "LARGE", 0)
    space, home = StateSpace(TINY[2]), tmp_path / "a"
    whole = solve(space, tmp_path / "b").values
    with pytest.raises(Stopped):
        solve(space, home, partial(stop_at, 3))
    assert (tmp_path / "a.values.part").exists()
    told: list[int] = []
    resumed = solve(space, home, lambda done, _of: told.append(done))
    assert told[0] > 3
    assert np.array_equal(resumed.values, whole)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a.values", "b.values"]


@pytest.mark.parametrize("damage", ["array", "note"])
def test_half_a_solution_that_is_damaged_is_not_used(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(state_space, "LARGE", 0)
    space, home = StateSpace(TINY[2]), tmp_path / "a"
    with pytest.raises(Stopped):
        solve(space, home, partial(stop_at, 3))
    path = tmp_path / ("a.values.part" if damage == "array" else "a.values.part.json")
    path.write_bytes(b"x" * path.stat().st_size)
    told: list[int] = []
    assert np.array_equal(
        solve(space, home, lambda done, _of: told.append(done)).values, solve_values(space).array
    )
    assert told[0] <= 3


@pytest.mark.parametrize("rules", MAXI)
def test_estimates_come_with_kasta_and_are_small(rules: str):
    path = SHIPPED / f"maxi-{rules}.estimate"
    assert path.stat().st_size < 5_000_000
    valuer = find_valuer(find_game("maxi", rules))
    assert isinstance(valuer, Estimate)
    assert 0 < valuer.error < 0.1
    thrown = valuer.space.game.throw(valuer.space.game.start(), (1, 2, 2, 4, 6, 6))
    assert valuer.options(thrown)[0].error == valuer.error


def found(rules: str) -> Estimate:
    estimate = found_estimate(MAXI[rules])
    assert estimate is not None
    return estimate


@pytest.mark.parametrize("rules", MAXI)
def test_an_estimate_expects_at_the_start_what_the_best_player_does(rules: str):
    estimate = found(rules)
    assert estimate.value(estimate.space.game.start()) == pytest.approx(estimate.about["value"], abs=0.1)


@pytest.mark.parametrize("rules", MAXI)
def test_an_estimate_is_right_about_the_last_turn(rules: str):
    """What the last box is worth follows from the rules alone: only the turn before must be known."""
    estimate, rng, game = found(rules), Random(3), MAXI[rules]
    for _ in range(20):
        boxes = [rng.choice(sorted(game.attainable[box])) for box in game.boxes]
        last = rng.randrange(len(boxes))
        saved = rng.randrange(5) if game.saves else 0
        sheet = Sheet(tuple(None if box == last else points for box, points in enumerate(boxes)), saved=saved)
        turn = estimate.turn(estimate.space.position(sheet))
        exact = estimate.space.counted(sheet) + turn.begin(saved)
        assert estimate.value(sheet) == pytest.approx(exact, abs=1.0)


@pytest.mark.parametrize("rules", MAXI)
def test_games_by_an_estimate_score_as_it_expects(rules: str):
    estimate, games = found(rules), 200
    totals = estimate.totals(games, 2)
    assert abs(totals.mean() - estimate.about["value"]) < 4 * totals.std() / games**0.5
    assert (estimate.totals(50, 2) == totals[:50]).all()


def test_a_simulation_of_maxi_plays_the_first_of_more_games():
    some, more = (simulate("maxi", "sheet", "best", games=games, seed=4)[1] for games in (3, 5))
    assert list(some) == list(more)[:3]


def test_chances_of_a_total_are_those_of_played_games_with_their_error():
    game = find_game("maxi", "finnish")
    boxes = tuple(None if box in {"chance", "sixes"} else 0 for box in MAXI["finnish"].boxes)
    sheet = game.solo.throw(Sheet(boxes), (1, 2, 3, 6, 6, 6))
    for option in options_of(game, sheet, 30):
        assert 0 <= option.value <= 1
        assert option.error == pytest.approx((option.value * (1 - option.value) / GAMES_OF_ACTION) ** 0.5)
    assert options_of(game, sheet, 0)[-1].value == 1
    assert options_of(game, sheet, 400)[0].value == 0


def test_a_damaged_estimate_is_refused(tmp_path: Path):
    whole = (SHIPPED / "maxi-finnish.estimate").read_bytes()
    (tmp_path / "damaged").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(Unreadable, match="is damaged"):
        estimates.load(tmp_path / "damaged", found("finnish").space)
    with pytest.raises(Unreadable, match="other rules"):
        estimates.load(SHIPPED / "maxi-finnish.estimate", found("no_saving").space)


def test_the_game_with_saved_throws_is_not_solved():
    with pytest.raises(Unreadable, match="not solved"):
        solution(MAXI["sheet"])


@pytest.mark.parametrize("bot", ["best", "strong", "weak", "winner"])
@pytest.mark.parametrize("game", ["yatzy15", "maxi"])
def test_every_bot_plays_to_the_end(game: str, bot: str):
    table = find_game(game)
    assert bot in bots_of(table).by_name
    assert len(play_once(table, [find_bot(bot, table), Greedy()], Random(1))) == 2


def test_who_is_far_ahead_in_maxi_is_nearly_certain_to_win():
    estimate = found("sheet")
    ahead = Sheet(tuple(None if i == 19 else 20 for i in range(20)))
    behind = Sheet((0,) * 20)
    assert Winner(estimate).value(ahead, [behind]) > 0.999
    assert Winner(estimate).value(Sheet((None, *(0,) * 19)), [Sheet((20,) * 20)]) < 0.001


ADVISE = """
import re, sys
from pathlib import Path
from kasta.games import find_game
from kasta.games.traits import find_valuer
game = find_game(*{game!r})
sheet = game.solo.throw(game.solo.start(), (1, 2, 2, 4, 6, 6)[: game.solo.dice])
assert find_valuer(game).options(sheet)
assert "numba" not in sys.modules
print(int(re.search("VmHWM: *([0-9]+)", Path("/proc/self/status").read_text().replace("\\t", " "))[1]) / 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a process")
@pytest.mark.parametrize("game", ["yatzy", "yatzy15", "maxi"])
def test_advice_needs_no_compiler_and_little_memory(game: str):
    code = ADVISE.format(game=(game, "sheet"))
    assert float(subprocess.check_output([sys.executable, "-c", code], text=True)) < 80


@pytest.mark.prove
@pytest.mark.parametrize(
    ("rules", "states", "value", "sd"),
    [("finnish", 36_864_000, 383.305, 56.2095), ("no_saving", 33_472_512, 394.5575, 76.7472)],
)
def test_maxi_has_its_known_value(rules: str, states: int, value: float, sd: float, tmp_path: Path):
    """383.305 is published; so is a spread of 56.19, of 200,000 played games: 0.2 standard errors less."""
    space = StateSpace(MAXI[rules])
    assert space.size == states
    solved = solve(space, tmp_path / rules)
    assert solved.start == pytest.approx(value, abs=0.0005)
    assert solved.sd == pytest.approx(sd, abs=0.005)
    assert all(path.stat().st_size < 300_000_000 for path in tmp_path.iterdir())
    estimate, rng = found(rules), np.random.default_rng(1)
    some = rng.integers(0, states, 100_000)
    off = estimate.rest(some) - solved.values[some]
    assert np.sqrt(np.mean(off**2)) == pytest.approx(estimate.error, rel=0.1)
    totals = solved.totals(20_000, 1)
    assert abs(totals.mean() - solved.start) < 4 * solved.sd / 20_000**0.5
