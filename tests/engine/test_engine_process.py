"""Real programs that crash, hang or talk nonsense: they lose their turn, and nothing else."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kasta import find_game
from kasta.engine.check import check_engine
from kasta.engine.match import play_one
from kasta.engine.player import GIVEN_UP, BotPlayer, EnginePlayer, StoodInFor
from kasta.engine.position import Position
from kasta.engine.process import HELLO_SECONDS, EngineProcess
from kasta.errors import Unavailable
from support.forked import kasta

KNISTER = find_game("knister")
POSITION = Position(KNISTER, KNISTER.solo.start(), ((3, 4),))
STRANGE = Path(__file__).with_name("strange.py")
EXAMPLES = Path(__file__).parents[2] / "examples/engines"
OURS = shlex.join([sys.executable, "-m", "kasta", "engine"])
HOPEFUL = shlex.join([sys.executable, str(EXAMPLES / "hopeful.py")])
GATHERING = shlex.join(["perl", str(EXAMPLES / "gathering.pl")])
FAULTS = {
    "crash": "engine_ended",
    "hang": "engine_late",
    "garbage": "engine_garbled",
    "illegal": "engine_illegal",
    "flood": "engine_garbled",
    "endless": "engine_garbled",
    "nan": "engine_garbled",
    "refuse": "engine_refused",
}


def strange_command(how: str) -> str:
    return shlex.join([sys.executable, str(STRANGE), how])


def strange(how: str, seconds: float) -> EngineProcess:
    return EngineProcess(strange_command(how), seconds)


@pytest.mark.parametrize(("how", "code"), FAULTS.items())
def test_every_fault_is_named_and_the_engine_is_asked_again_afterwards(how: str, code: str):
    with strange(how, 0.1 if how == "hang" else 60) as engine:
        for _ in range(1 if how == "hang" else 2):
            with pytest.raises(Unavailable) as caught:
                engine.ask(POSITION)
            assert caught.value.code == code


@pytest.mark.parametrize("command", ["/no/such/program", "'"])
def test_what_cannot_be_started_is_told_at_once(command: str):
    done = kasta("match", "greedy", command, "--games", "1")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


def test_a_game_ends_where_an_engine_crashes():
    player = EnginePlayer(strange("crash", 60))
    played = play_one(KNISTER, (BotPlayer("greedy", KNISTER), player), 0, seed=1)
    assert played.fault == (1, "engine_ended", {})
    assert str(played.reason) == "The engine has ended by itself."


def test_an_engine_that_was_closed_is_not_started_again_nor_said_to_have_ended():
    """A match that is decided closes its engines while games are under way."""
    player = EnginePlayer(strange("moody", 60))
    assert player.choose(POSITION, 0) in POSITION.legal
    player.close()
    with pytest.raises(Unavailable):
        player.choose(POSITION, 0)
    assert player._engine._process is None  # noqa: SLF001 - nothing else shows it


def test_faults_that_are_not_in_a_row_do_not_end_an_engine_s_game():
    told = list[str]()
    engine = strange("moody", 60)
    player = StoodInFor(engine, KNISTER, told.append)
    player._quick = BotPlayer("greedy", KNISTER)._bot  # noqa: SLF001 - nothing to be compiled
    for seed in range(2 * GIVEN_UP + 2):
        assert player.choose(POSITION, seed) in POSITION.legal
    engine.close()
    assert player.faults == len(told) == GIVEN_UP + 1
    assert "The engine refuses: not now The quick player takes its turn." in told[0]
    assert not player.has_failed


WITHOUT_NUMBA = f"""
import sys; sys.modules["numba"] = None
from kasta import find_game
from kasta.engine.player import GIVEN_UP, StoodInFor
from kasta.engine.position import Position
from kasta.engine.process import EngineProcess
knister = find_game("knister")
position = Position(knister, knister.solo.start(), ((3, 4),))
with EngineProcess({strange_command("crash")!r}) as engine:
    player = StoodInFor(engine, knister, print)
    for seed in range(GIVEN_UP):
        assert player.choose(position, seed) in position.legal
    print("failed", player.has_failed)
"""


def test_where_the_quick_player_is_not_installed_a_simple_one_takes_the_turns_of_an_engine_that_fails():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, check=False, timeout=120, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("failed True\n")


def test_a_program_that_does_not_say_who_it_is_is_waited_for_some_seconds_and_told():
    """It took two minutes, in silence."""
    told = list[str]()
    engine = EngineProcess("sleep 100", hello_seconds=1.2, tell=told.append)
    with pytest.raises(Unavailable) as caught:
        engine.start()
    assert caught.value.code == "engine_silent"
    assert told == ["Waiting for sleep 100 to say who it is, at most 1 s ..."]
    assert HELLO_SECONDS <= 10
    [started, *others] = check_engine(engine, KNISTER, 1)
    assert (started.good, [each.good for each in others]) == (False, [None] * 3)


def test_a_misspelt_bot_is_told_which_bots_there_are():
    done = kasta("match", "qick", "quick")
    assert done.returncode == 1
    assert b"'qick' is neither a bot (best, strong, quick," in done.stderr


def test_an_engine_that_does_not_end_is_killed():
    engine = strange("deaf", 60)
    engine.load(KNISTER)
    assert not engine.end(0.1)


def test_the_command_checks_an_engine_and_says_what_is_wrong():
    done = kasta("engine-check", strange_command("illegal"), "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["good"]) == (1, False)
    bad = [check for check in result["checks"] if not check["good"]]
    assert [check["what"] for check in bad if check["good"] is False] == [
        "answers 50 positions, legally and in time"
    ]
    untried = [check["what"] for check in bad if check["good"] is None]
    assert untried == ["gives the same answer to the same question", "ends when told so"]
    assert "'z9'" in bad[0]["why"]


@pytest.mark.parametrize(
    ("command", "game"),
    [*((HOPEFUL, game) for game in ("knister", "knaster", "yatzy", "maxi")), (GATHERING, "knaster")],
)
def test_the_examples_pass_the_check(command: str, game: str):
    done = kasta("engine-check", command, "--game", game)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(b"good") == 4


def test_our_own_engine_passes_the_check_with_values():
    done = kasta("engine-check", OURS, "--game", "yatzy", "--positions", "10")
    assert done.returncode == 0, done.stdout
    assert b"good: values every action" in done.stdout


def test_an_engine_coaches_as_our_own_coach_does(tmp_path: Path):
    record = tmp_path / "game.jsonl"
    record.write_text(
        '{"kasta": 1, "game": "yatzy", "rules": "sheet", "seats": ["Sarah", "Tim"]}\n'
        '{"roll": [1, 2, 3, 4, 6]}\n{"seat": 0, "do": "fill chance"}\n'
        '{"roll": [3, 3, 5, 6, 6]}\n{"seat": 1, "do": "keep 3 3"}\n{"roll": [1, 2, 4]}\n'
    )
    own = kasta("advise", str(record), "--json")
    theirs = kasta("advise", str(record), "--json", "--engine", OURS)
    assert json.loads(theirs.stdout) == json.loads(own.stdout)
    silent = kasta("advise", str(record), "--engine", HOPEFUL)
    assert b"does not say what actions are worth" in silent.stderr
