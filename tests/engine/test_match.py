"""A match: the same dice for both, the same result for any number of processes, and an end when it is decided."""

from __future__ import annotations

import json
import shlex
import sys
from io import BytesIO
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from kasta import find_game
from kasta.core import Over
from kasta.engine.match import FEWEST, MatchGame, MatchScore, is_decided, play_match
from kasta.errors import Unreadable
from kasta.games import OURS
from kasta.record import Do, Roll, replay, walk
from support.forked import kasta

EXAMPLES = Path(__file__).parents[2] / "examples/engines"
HOPEFUL = shlex.join([sys.executable, str(EXAMPLES / "hopeful.py")])
GATHERING = shlex.join(["perl", str(EXAMPLES / "gathering.pl")])


def played(
    game: str, players: tuple[str, str], games: int, processes: int, *, to_the_end: bool = True
) -> MatchScore:
    match = play_match(find_game(game), players, games=games, seed=5, processes=processes, to_the_end=to_the_end)
    return [score for score, _ in match][-1]


def test_any_number_of_processes_gives_the_same_match():
    one, two = (played("knister", ("anything", "anything"), 200, processes) for processes in (1, 2))
    assert one.games == 200
    assert one.totals == two.totals


def test_an_early_end_is_the_same_too():
    one, two = (played("knister", ("greedy", "anything"), 1000, n, to_the_end=False) for n in (1, 2))
    assert one.totals == two.totals
    assert FEWEST <= one.games < 1000
    assert one.stronger == 0


@pytest.mark.parametrize("game", [game for game in OURS if not find_game(game).hides_picks])
def test_both_get_the_same_dice_where_they_throw_their_own(game: str):
    first: dict[int, list[tuple[int, ...]]] = {0: [], 1: []}  # throws of each turn, by seat
    for _, one in play_match(find_game(game), ("greedy", "greedy"), games=1, processes=1, records=True):
        steps = [moment.step for moment in walk(BytesIO("\n".join(one.record).encode()))]
        for before, step, after in zip(steps, steps[1:], steps[2:], strict=False):
            if isinstance(step, Roll) and not (isinstance(before, Do) and before.text.startswith("keep")):
                assert isinstance(after, Do)
                first[after.seat].append(step.faces)
    assert first[0] == first[1]
    assert len(first[0]) >= 13


def test_an_engine_and_the_bot_that_it_speaks_for_play_alike():
    engine = shlex.join([sys.executable, "-m", "kasta", "engine", "--bot", "greedy"])
    score = played("yatzy15", ("greedy", engine), 2, 1)
    again = played("yatzy15", ("greedy", "greedy"), 2, 1)
    assert score.totals == again.totals


def test_records_of_a_match_can_be_replayed(tmp_path: Path):
    done = kasta(
        "match", GATHERING, "greedy", "--games", "3", "--records", str(tmp_path), "--json", "--processes", "1"
    )
    result = json.loads(done.stdout)
    assert [player["name"] for player in result["players"]] == ["gathering", "greedy"]
    ends = [replay(BytesIO(path.read_bytes())) for path in sorted(tmp_path.iterdir())]
    assert [end.header.seats[0] for end in ends] == ["gathering", "greedy", "gathering"], "they begin in turn"
    assert all(isinstance(end.game.next(end.table), Over) for end in ends)
    totals = [
        dict(zip(end.header.seats, [end.game.total(end.table, s) for s in range(2)], strict=True)) for end in ends
    ]
    assert result["players"][0]["mean"] == pytest.approx(sum(each["gathering"] for each in totals) / 3)


def test_it_says_who_is_stronger_and_by_how_much():
    done = kasta("match", "anything", "greedy", "--games", "200", "--processes", "1")
    assert done.returncode == 0
    assert b"greedy is stronger: decided." in done.stdout
    undecided = kasta("match", "greedy", "greedy", "--games", "10", "--processes", "1")
    assert b"Not decided after 10 of 10 games." in undecided.stdout


def test_equal_players_are_seldom_called_different():
    """Looked at after every ten games; in 400 matches of equals, at most some 5 % go wrong."""
    rng, wrong = Random(3), 0
    for _ in range(400):
        total = squares = 0.0
        for games in range(1, 1001):
            by = rng.gauss(0, 10)
            total, squares = total + by, squares + by * by
            if games % 10 == 0:
                mean = total / games
                error = sqrt((squares / games - mean * mean) / games)
                if is_decided(mean, error, games):
                    wrong += 1
                    break
    assert wrong <= 28, "5 % of 400, and two standard deviations"


def test_an_engine_that_answers_nonsense_never_wins_and_is_not_played_for():
    """It was: the quick player took all its turns, and 'illegal is stronger: decided.'"""
    illegal = shlex.join([sys.executable, str(Path(__file__).with_name("strange.py")), "illegal"])
    done = kasta("match", illegal, "anything", "--games", "60", "--json")
    result = json.loads(done.stdout)
    assert [(player["wins"], player["faults"]) for player in result["players"]] == [(0, 5), (5, 0)]
    assert (result["games"], result["stronger"]) == (5, None), "after five in a row there is no match"
    assert done.stderr.count(b"is lost for illegal: The engine wanted to do 'z9', which is not allowed.") == 5
    told = kasta("match", illegal, "anything", "--games", "6", "--all", "--processes", "1")
    assert b"illegal has not played to the end once: nothing is decided." in told.stdout


def test_who_lost_games_by_faults_is_not_called_stronger_whatever_the_others_brought():
    score = MatchScore()
    for number in range(200):
        fault: tuple[object, ...] = (0, "engine_ended", {}) if number == 70 else ()
        score.take(MatchGame((50 + number % 3, 20), ("strong", "weak"), fault))
    assert score.stronger is None
    assert (score.games, len(score.totals), score.wins) == (200, 199, (199, 1))


def test_a_match_that_is_decided_says_nothing_false_of_engines_that_it_closes():
    done = kasta("match", HOPEFUL, "greedy", "--game", "knister", "--games", "400")
    assert b"is stronger: decided." in done.stdout, done.stdout
    assert b"ended by itself" not in done.stderr


def test_a_match_needs_a_game_and_a_player_that_exists():
    with pytest.raises(Unreadable):
        next(play_match(find_game("knister"), ("greedy", "greedy"), games=0))
    assert kasta("match", "greedy", "greedy", "--processes", "0").returncode == 1
    assert kasta("match", "greedy", "greedy", "--seconds", "0").returncode == 1
