"""The command as people use it: a process, its output and its exit code."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kasta import GAMES, __version__
from kasta.games import OURS
from support.forked import kasta

KASTA = Path(sys.executable).parent / "kasta"

TIM = """\
 .  .  .  .  3
 4  9  4  4  9
 .  .  7  .  .
 .  6  .  .  .
 5  .  .  .  .
"""
HEADER = '{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Sarah", "Tim"]}\n'


def test_alone_it_says_what_it_can_do_and_what_to_try_first():
    done = kasta()
    assert done.returncode == 0
    assert b"Try this first: kasta rules knister" in done.stdout


def test_it_says_which_version_it_is():
    assert subprocess.check_output([KASTA, "--version"], text=True) == f"kasta {__version__}\n"


def test_shells_are_told_how_to_complete_it():
    command = (
        f"{shlex.quote(str(KASTA))} --show-completion; exit $?"  # it looks which shell has started it: that stays
    )
    assert b"_KASTA_COMPLETE" in subprocess.check_output(["bash", "-c", command])


def test_score_knister_says_hand_and_points_of_every_line():
    done = kasta("score", "knister", "-", "--json", given=TIM)
    result = json.loads(done.stdout)
    assert result["game"] == "knister"
    assert [line["line"] for line in result["lines"]] == list("12345abcde\\/")
    assert result["lines"][1] == {"line": "2", "hand": "full_house", "points": 8}
    assert result["lines"][2] == {"line": "3", "hand": None, "points": 0}
    assert result["lines"][10] == {"line": "\\", "hand": None, "points": 0}
    assert result["lines"][11] == {"line": "/", "hand": "straight_with_7", "points": 16}
    assert result["total"] == sum(line["points"] for line in result["lines"])


def test_score_knaster_counts_circles_and_complete_lines():
    sheet = "(5) (6) (7) (8) (9)\n2 2 3 3 4\n. . . . .\n. . . . .\n. . . . .\n"
    result = json.loads(kasta("score", "knaster", "--json", given=sheet).stdout)
    assert result["lines"][0] == {"line": "1", "hand": "straight", "points": 9, "complete": True}
    assert result["lines"][1] == {"line": "2", "hand": "two_pairs", "points": 0, "complete": True}
    assert result["lines"][2] == {"line": "3", "hand": None, "points": 0, "complete": False}
    assert (result["circles"], result["total"]) == (5, 14)


def test_score_yatzy_of_five_dice_says_what_each_box_would_pay():
    result = json.loads(kasta("score", "yatzy", "--json", given="2 2 5 5 5").stdout)
    pays = {box["box"]: box["points"] for box in result["boxes"]}
    assert set(result) == {"game", "boxes"}
    assert (pays["fives"], pays["full_house"], pays["chance"], pays["yatzy"]) == (15, 25, 19, 0)


def test_score_yatzy_of_a_sheet_adds_bonus_and_jokers():
    sheet = "fours 12\nfives 25\nsixes 30\nyatzy 50\njokers 1\n"
    result = json.loads(kasta("score", "yatzy", "--json", given=sheet).stdout)
    assert (result["upper"], result["bonus"], result["jokers"], result["total"]) == (67, 35, 1, 252)


def test_score_yatzy_of_a_sheet_with_dice_names_only_the_boxes_that_are_open():
    result = json.loads(kasta("score", "yatzy", "--json", given="fours 20\nyatzy 50\n4 4 4 4 4\n").stdout)
    pays = {box["box"]: box["points"] for box in result["boxes"]}
    assert pays == {
        "three_of_a_kind": 20,
        "four_of_a_kind": 20,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
        "chance": 20,
    }


@pytest.mark.parametrize(
    ("game", "sheet", "code", "line"),
    [
        ("knister", "1 2 3 4 5\n" * 5, "unknown_number", 1),
        ("knister", "2 2 2 2 2\n" * 4, "wrong_number_of_rows", 5),
        ("knister", "2 2 2 2\n" * 5, "wrong_number_of_cells", 1),
        ("knister", "(2) . . . .\n" + ". . . . .\n" * 4, "no_circles_here", None),
        ("knaster", "(. . . . .\n" + ". . . . .\n" * 4, "unknown_number", 1),
        ("knaster", "", "wrong_number_of_rows", 1),
        ("yatzy", "1 2 3 4\n", "wrong_number_of_dice", 1),
        ("yatzy", "1 2 3 4 7\n", "no_such_face", 1),
        ("yatzy", "ones 3\nones 3\n", "box_twice", 2),
        ("yatzy", "full_house 24\n", "impossible_points", 1),
        ("yatzy", "ones 3\njokers 1\n", "too_many_jokers", None),
        ("yatzy", "ones \u0663\n", "unknown_box", 1),
        ("poker", "", "unknown_game", None),
        ("knister", b"\xff\xfe", "not_utf8", None),
        ("knister", "2 " * 5000, "file_too_long", None),
    ],
)
def test_score_refuses_what_is_no_sheet(game: str, sheet: str | bytes, code: str, line: int | None):
    done = kasta("score", game, "-", "--json", given=sheet)
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert (error["kind"], error["code"], error["line"]) == ("unreadable", code, line)
    assert error["message"]
    assert done.stderr == b""


def test_replay_gives_totals_and_places_of_a_finished_game():
    steps = [
        step
        for row in range(1, 6)
        for column in "abcde"
        for step in (
            {"roll": [3, 4]},
            {"seat": 1, "do": f"{column}{row}"},
            {"seat": 0, "do": f"{column}{row}"},
        )
    ]
    record = HEADER + "".join(json.dumps(step) + "\n" for step in steps)
    result = json.loads(kasta("replay", "-", "--json", given=record).stdout)
    assert result == {
        "game": "knister",
        "rules": "sheet",
        "over": True,
        "seats": [{"name": "Sarah", "total": 140, "place": 1}, {"name": "Tim", "total": 140, "place": 1}],
    }
    assert b"over\n  1.   140  Sarah\n" in kasta("replay", "-", given=record).stdout


def test_who_has_left_has_no_place_in_a_replay():
    steps: list[dict[str, Any]] = [
        {"roll": [3, 4]},
        {"seat": 1, "do": "a1"},
        {"seat": 0, "do": "a1"},
        {"leave": 0},
    ]
    for cell in [f"{column}{row}" for row in range(1, 6) for column in "abcde"][1:]:
        steps += [{"roll": [3, 4]}, {"seat": 1, "do": cell}]
    record = HEADER + "".join(json.dumps(step) + "\n" for step in steps)
    seats = json.loads(kasta("replay", "-", "--json", given=record).stdout)["seats"]
    assert seats == [{"name": "Sarah", "total": 0, "place": None}, {"name": "Tim", "total": 140, "place": 1}]
    assert b"  1.   140  Tim\n         0  Sarah\n" in kasta("replay", "-", given=record).stdout


def test_replay_of_a_record_that_stops_in_the_middle_is_a_game_not_over():
    done = kasta("replay", "-", "--json", given=HEADER + '{"roll": [1, 2]}\n{"seat": 1, "do": "a1"}')
    assert done.returncode == 0
    assert json.loads(done.stdout)["over"] is False
    assert json.loads(done.stdout)["seats"][0] == {"name": "Sarah", "total": 0, "place": None}


def test_replay_names_the_first_bad_line_with_code_and_reason():
    record = HEADER + '{"roll": [1, 2]}\n{"seat": 1, "do": "a1"}\n{"seat": 1, "do": "b1"}\n{"roll": [9]}\n'
    done = kasta("replay", "-", "--json", given=record)
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error == {
        "kind": "illegal",
        "code": "already_acted",
        "line": 4,
        "message": "Seat 1 has picked on this throw already; still to pick: 1.",
    }
    done = kasta("replay", "-", given=record)
    assert done.stdout == b""
    assert done.stderr.startswith(b"line 4: Seat 1 has picked")


def test_replay_alone_says_what_the_sheet_calls_the_total():
    steps = [f'{{"roll": [1, 1]}}\n{{"seat": 0, "do": "{c}{r}"}}\n' for r in range(1, 6) for c in "abcde"]
    done = kasta("replay", "-", given=HEADER.replace(', "Tim"', "") + "".join(steps))
    assert b"Playing alone, that is outstanding." in done.stdout


def test_names_cannot_move_the_cursor_or_turn_the_text():
    header = json.dumps({"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["\x1b[2JEve\u202e"]})
    done = kasta("replay", "-", given=header)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert "\u202e" not in done.stdout.decode()


def test_json_is_escaped_where_it_could_move_the_cursor_or_turn_the_text():
    name = "\x9b2JEve\x7f\u202e\U000e0041é\xa0"
    header = json.dumps({"kasta": 1, "game": "knister", "rules": "sheet", "seats": [name]})
    done = kasta("replay", "-", "--json", given=header)
    assert all(each.isprintable() for each in done.stdout.decode().rstrip("\n"))
    assert json.loads(done.stdout)["seats"][0]["name"] == name
    assert "é" in done.stdout.decode()


@pytest.mark.parametrize(
    "rubbish", [b"\0" * 100_000_000, b"\n" * 1_000_000 + b"x", b"[" * 3_000_000, b'{"a":' * 800_000 + b"\n"]
)
def test_rubbish_is_refused_without_a_traceback(rubbish: bytes):
    done = kasta("replay", "-", "--json", given=rubbish)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["kind"] == "unreadable"
    assert b"Traceback" not in done.stderr


def test_a_hundred_megabytes_of_rubbish_stay_out_of_memory(tmp_path: Path):
    rubbish = tmp_path / "rubbish"
    with rubbish.open("wb") as file:
        file.truncate(100_000_000)
    command = "ulimit -v 400000; exec " + shlex.join([str(KASTA), "replay", str(rubbish)])
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"line 1: The line is longer than 4 MB. (unreadable: line_too_long)\n"


@pytest.mark.parametrize("args", [["replay", "nowhere.jsonl"], ["replay", "."], ["replay", ""]])
def test_a_file_that_cannot_be_opened_is_said_in_one_line(args: list[str]):
    done = kasta(*args)
    assert done.returncode == 1
    assert b"cannot_open" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_closed_pipe_is_no_error():
    command = f"{shlex.quote(str(KASTA))} rules yatzy | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False)
    assert done.stdout == b"Yatzy, 13 boxes\n"
    assert done.stderr == b""


def test_output_survives_a_terminal_that_knows_only_ascii():
    header = json.dumps({"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Åsa"]}, ensure_ascii=False)
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([KASTA, "replay", "-"], input=header.encode(), env=env, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"sa\n" in done.stdout


@pytest.mark.parametrize("game", OURS)
def test_rules_are_told(game: str):
    done = kasta("rules", game)
    assert done.stdout.decode().startswith(f"{GAMES[game].title}\n═══")


def test_rules_in_a_language_not_there_yet_say_which_are():
    done = kasta("rules", "knister", "--lang", "fi")
    assert done.returncode == 1
    assert b"it knows de, en, fr, nb, sv" in done.stderr


def test_the_version_is_told_without_typer():
    code = "import sys; from kasta.cli import main\ntry: main()\nfinally: print('typer' in sys.modules)"
    told = subprocess.check_output([sys.executable, "-c", code, "--version"], text=True).splitlines()
    assert told == [f"kasta {__version__}", "False"]


@pytest.mark.parametrize("closed", [">&-", "> /dev/full"])
def test_output_that_goes_nowhere_is_no_traceback(closed: str):
    command = f"{shlex.quote(sys.executable)} -m kasta rules yatzy {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.returncode == (0 if closed == ">&-" else 1)
    assert done.stderr == ("" if closed == ">&-" else "kasta: No space left on device\n")
