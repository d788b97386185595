"""Bots of others are played, matched and simulated from Python; the small programs in examples/library run."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kasta
from kasta.core import Over
from kasta.errors import Illegal, Unavailable, Unreadable

EXAMPLES = Path(__file__).parents[2] / "examples/library"


ILLEGAL = """\
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("kasta", "load"):
        print("ok", flush=True)
    elif word == "go":
        print("do z9", flush=True)
"""


class Speaker:
    """Takes the first legal action, and says it as text."""

    def choose(self, view: kasta.Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002
        return str(legal[0])


class Cheat:
    """Writes into one cell for ever."""

    def choose(self, view: kasta.Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002
        return "a1"


@pytest.mark.parametrize("name", ["knister", "knaster", "yatzy", "maxi"])
def test_a_game_of_bots_ends_and_its_record_reads_back(name: str):
    finished = kasta.play(name, [Speaker(), "greedy"], seed=3)
    assert finished.game.next(finished.table) == Over()
    end = kasta.replay(finished.record)
    assert end.header.seats == ("Speaker", "greedy")
    assert [end.game.total(end.table, seat) for seat in range(2)] == finished.totals
    assert kasta.play(name, [Speaker(), "greedy"], seed=3).record == finished.record
    assert kasta.play(name, [Speaker(), "greedy"], seed=4).record != finished.record


def test_a_bot_that_plays_against_the_rules_is_refused():
    with pytest.raises(Illegal):
        kasta.play("knister", [Cheat()], seed=1)
    with pytest.raises(ValueError, match="2 bots, but 1 names"):
        kasta.play("knister", [Cheat(), Cheat()], names=["Ann"])


def test_a_bot_of_others_is_matched():
    score = kasta.match("yatzy", [Speaker(), "greedy"], games=60, seed=1)
    assert score.names == ("Speaker", "greedy")
    assert score.stronger == 1
    assert score.faults == [0, 0]


def test_a_bot_of_others_is_simulated():
    summary, totals = kasta.simulate("yatzy", bot=Speaker(), games=12, seed=1)
    assert (summary.bot, len(totals)) == ("Speaker", 12)
    assert list(kasta.simulate("yatzy", bot=Speaker(), games=12, seed=1)[1]) == list(totals)
    with pytest.raises(Unreadable, match="At least one game"):
        kasta.simulate("yatzy", games=0)


@pytest.mark.parametrize("program", ["best_choices", "keep_score", "own_average", "own_bot", "tournament"])
def test_small_programs_say_something(program: str, capsys: pytest.CaptureFixture[str]):
    runpy.run_path(str(EXAMPLES / f"{program}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) > 1


def test_a_program_keeps_a_game_that_another_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    runpy.run_path(str(EXAMPLES / "save_game.py"))["main"](tmp_path / "game.jsonl")
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == ["Ann", "Ben"]
    runpy.run_path(str(EXAMPLES / "count_throws.py"))["main"](tmp_path / "game.jsonl")
    faces = [int(line.partition(": ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert len(faces) == 6
    assert min(faces) > 0


def test_a_program_says_how_lucky_a_game_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "game.jsonl"
    file.write_text(kasta.play("yatzy", ["greedy"], seed=1).record, "utf-8")
    runpy.run_path(str(EXAMPLES / "luck_and_errors.py"))["main"](file)
    assert "points, luck" in capsys.readouterr().out


def test_a_program_draws_a_sheet(tmp_path: Path):
    runpy.run_path(str(EXAMPLES / "draw_sheet.py"))["main"](tmp_path / "sheet.svg")
    assert 'width="480"' in (tmp_path / "sheet.svg").read_text("utf-8")


def test_a_program_asks_an_engine(capsys: pytest.CaptureFixture[str]):
    engine = EXAMPLES.parent / "engines/hopeful.py"
    runpy.run_path(str(EXAMPLES / "ask_engine.py"))["main"](f"{sys.executable} {engine}")
    assert [line.partition(" ")[0].strip(":") for line in capsys.readouterr().out.splitlines()] == [
        "hopeful",
        "hopeful",
        "greedy",
    ]


def test_ten_small_programs_stand_there():
    assert len(list(EXAMPLES.glob("*.py"))) == 10


def test_an_engine_values_every_action_and_is_started_again_after_a_fault(tmp_path: Path):
    record = '{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Ann", "Ben"]}\n{"roll": [3, 5]}\n'
    with kasta.Engine(f"{sys.executable} -m kasta engine --bot quick", seconds=60) as ours:
        assert len(ours.analyse(record, seat=1)) == 25
    strange = tmp_path / "strange.py"
    strange.write_text(ILLEGAL, "utf-8")
    with kasta.Engine(f"{sys.executable} {strange}") as engine:
        for _ in range(2):
            with pytest.raises(Unavailable, match="z9"):
                engine.play(record, seat=0)
        with pytest.raises(Unavailable, match="z9"):
            kasta.play("knister", [engine, "greedy"], seed=1)
    with pytest.raises(Illegal, match="seat"):
        engine.play(record)
    with pytest.raises(Unavailable):
        assert kasta.Engine("no-such-program").name
