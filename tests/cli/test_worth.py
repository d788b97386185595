"""solve, advise, review and simulate on the command line."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from kasta.cli import advise, quiz, review, simulate, solve
from kasta.cli.output.plotting import histogram, plot
from kasta.coach.reasons.reason import reason
from kasta.coach.review import review as reviews
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.i18n import LANGUAGES, words
from kasta.record import walk
from support.bot_games import play

pytestmark = pytest.mark.usefixtures("own_solutions")

app = typer.Typer(pretty_exceptions_enable=False)
for command in (solve.solve, advise.advise, review.review, quiz.quiz, simulate.simulate):
    app.command()(command)


SEAT = ["name", "total", "expected", "luck", "lost", "early", "drift", "error_rate", "class", "moves"]
MOVE = ["line", "round", "roll", "do", "best", "lost", "error", "luck", "mark"]


def run(*words: object, typed: str = "") -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], input=typed)
    if result.exception:
        raise result.exception
    return result.stdout


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(play("sheet", ["weak", "weak"], 21, most=81).read())
    return path


def test_solve_tells_value_spread_time_and_states():
    told = json.loads(run("solve", "yatzy", "--json"))
    assert list(told) == ["rules", "value", "sd", "seconds", "states"]
    assert told["value"] == pytest.approx(254.1524613784)
    assert "254.1524613784 points" in run("solve", "yatzy")


def test_solve_tells_the_chance_of_every_total_if_asked():
    told = json.loads(run("solve", "yatzy", "--totals", "--json"))
    assert sum(told["totals"].values()) == pytest.approx(1)
    assert "50 % of its games end with at most 247." in run("solve", "yatzy", "--totals")


def test_advise_ranks_every_action(record: Path):
    told = json.loads(run("advise", "yatzy", record, "--json"))
    assert list(told) == ["seat", "actions"]
    assert list(told["actions"][0]) == ["do", "value", "error"]
    assert told["actions"][0]["do"] in run("advise", "yatzy", record).splitlines()[1]


@pytest.mark.parametrize("words", [["--reach", 250], ["--win"]], ids=str)
def test_advise_for_a_total_or_a_win_gives_chances(record: Path, words: list[object]):
    told = json.loads(run("advise", "yatzy", record, *words, "--json"))
    assert all(0 <= action["value"] <= 1 for action in told["actions"])
    assert "%" in run("advise", "yatzy", record, *words)


def test_nobody_wins_alone(tmp_path: Path):
    path = tmp_path / "alone.jsonl"
    path.write_bytes(play("sheet", ["weak"], 21, most=1).read())
    with pytest.raises(KastaError) as error:
        run("advise", "yatzy", path, "--win")
    assert error.value.code == "nobody_to_beat"


def test_review_splits_every_seat(record: Path):
    told = json.loads(run("review", record, "--json"))
    assert [list(seat) for seat in told["seats"]] == [SEAT, SEAT]
    assert list(told["seats"][0]["moves"][0]) == MOVE
    assert run("review", record, "--seat", 1).startswith("weak 1: ")
    shown = run("review", record)
    assert shown.count("given away in an open decision") == 2
    assert shown.count("the total to be expected, round by round:") == 2
    moves = told["seats"][0]["moves"]
    dearest = max(moves, key=lambda move: move["lost"])
    assert f"{dearest['do']} instead of {dearest['best']}: {-dearest['lost']:.2f}" in shown
    told_why = shown.partition(f"{dearest['do']} instead of {dearest['best']}")[2].splitlines()[1]
    with record.open("rb") as file:
        why = [(move.sheet, move.do, move.best) for move in reviews(walk(file))[0].moves if move.lost]
    reasons = {reason(find_game("yatzy"), *each, words("en")) for each in why}
    assert told_why.strip() in reasons - {""}, shown
    assert run("review", record, "--seat", 0, "--all").count("\nround ") == len(moves)


def test_reviews_questions_advice_and_simulations_speak_the_language_of_the_terminal(
    record: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LANG", "sv_SE.UTF-8")
    shown = run("review", record, "--seat", 0)
    for some in (
        "poäng hittills, ",
        " väntat ",
        " bortskänkt",
        "per öppet val: ",
        "omgång",
        " i stället för ",
        "val till med",
    ):
        assert some in shown
    assert not re.search(r"\b(points|instead|round|luck|given|total)\b|\d\.\d", shown)
    asked = run("quiz", record, "--seat", 0, typed="keep 1\nq\n")
    assert "Fråga 1 av" in asked
    assert "0 av 1 rätt." in asked
    assert "väntad summa" in run("advise", record)
    assert "10 spel från frö 0" in run("simulate", "yatzy", "--games", 10, "--bot", "greedy")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_as_a_page_needs_nothing_else(record: Path, tmp_path: Path, language: str):
    out = tmp_path / "review.html"
    assert not run("review", record, "--seat", 0, "--html", out, "--lang", language)
    page = out.read_text("utf-8")
    assert f'<html lang="{language}">' in page
    assert "prefers-color-scheme:dark" in page
    assert not re.search(r"<script|<link|<img|url\(|https?://(?!www\.w3\.org)", page)
    assert page.count("<article>") == len(json.loads(run("quiz", record, "--seat", 0, "--json"))["questions"])
    parser = HTMLParser()
    parser.feed(page)
    with pytest.raises(KastaError) as error:
        run("review", record, "--html", tmp_path / "nowhere" / "review.html")
    assert error.value.code == "cannot_write"


def test_a_folder_of_records_is_reviewed_record_by_record_and_player_by_player(record: Path, tmp_path: Path):
    folder, pages = tmp_path / "evenings", tmp_path / "pages"
    (folder / "first").mkdir(parents=True)
    for name in ("one.jsonl", "first/two.jsonl"):
        (folder / name).write_bytes(record.read_bytes())
    kept = tmp_path / "kept"
    many = ("review", folder, "--processes", 1, "--resume", kept)
    told = json.loads(run(*many, "--json"))["records"]
    assert [one["file"] for one in told] == ["first/two.jsonl", "one.jsonl"]
    assert told[0]["seats"] == json.loads(run("review", record, "--json"))["seats"]
    shown = run(*many).splitlines()
    assert [line.partition("; ")[0].partition(".jsonl: ")[2] for line in shown[:4]] == 2 * [
        f"{seat['name']} {seat['total']:.2f}" for seat in told[0]["seats"]
    ]
    assert [line.partition(": ")[0] for line in shown[4:]] == 2 * ["yatzy, sheet, 2 games"]
    assert not run("review", folder, "--processes", 1, "--html", pages, "--json").count("<html")
    assert (pages / "first/two.html").read_text("utf-8").startswith("<!doctype html>")


def test_a_record_that_cannot_be_read_does_not_keep_others_from_being_reviewed(record: Path):
    (record.parent / "a.jsonl").write_text("nothing\n")
    done = CliRunner().invoke(app, ["review", str(record.parent), "--processes", "1"])
    assert done.exit_code == 1
    assert done.stdout.startswith("a.jsonl:1: The line is not JSON")
    assert done.stdout.count("game.jsonl: ") == 2


def test_a_folder_without_records_is_refused(tmp_path: Path):
    with pytest.raises(KastaError) as error:
        run("review", tmp_path)
    assert error.value.code == "no_records"


def test_what_is_simulated_goes_on_from_what_was_kept(tmp_path: Path):
    kept = tmp_path / "kept"
    words = ("simulate", "knister", "--bot", "anything", "--games", 30, "--processes", 1, "--resume", kept)
    told = run(*words)
    lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == 4
    kept.write_text("".join(lines[:2]))
    assert run(*words) == told
    assert kept.read_text().splitlines(keepends=True)[:2] == lines[:2]
    assert run(*words[:-2]) == told


def test_a_plot_has_a_dot_for_every_value_and_is_never_wide():
    rows = list(plot([float(10 * (number % 4)) for number in range(1, 43)]))
    assert "".join(rows).count("*") == 42
    assert max(map(len, rows)) < 80
    assert rows[0].startswith("    30.0 |")
    assert rows[-1].split() == ["1", *(str(number) for number in range(5, 43, 5))]
    assert len(list(plot([7.0, 7.0]))) == 3


def test_on_a_screen_a_plot_is_made_of_blocks():
    *rows, axis, numbers = plot([200.0, 250.0, 225.0], blocks=True)
    assert len(rows) == 9
    assert rows[0] == "   250.0 |   ███"
    assert rows[-1] == "   200.0 |█████████"
    assert axis == "         +---------"
    assert numbers.split() == ["1"]


def test_totals_are_drawn_as_wide_as_the_screen_or_told_range_by_range(monkeypatch: pytest.MonkeyPatch):
    chances = dict.fromkeys(range(100, 400), 1 / 300) | {900: 1e-6}
    for columns in (40, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        *rows, _, numbers = histogram(chances, blocks=True)
        assert max(map(len, rows)) <= columns
        assert all(row.endswith("█") for row in rows)
        assert numbers.split()[0] == "100"
    told = list(histogram(chances, blocks=False))
    assert told[0] == "   100 - 119   6.7 %  " + "#" * 40
    assert len(told) == 15
    assert sum(float(line.split()[3]) for line in told) == pytest.approx(100, abs=1)
    assert list(histogram({5: 1.0}, blocks=False)) == ["           5 100.0 %  " + "#" * 40]
    assert not list(histogram({}))


def test_the_quiz_asks_again_and_takes_every_good_answer(record: Path):
    told = json.loads(run("quiz", record, "--seat", 0, "--json"))["questions"]
    best = "\n".join(question["actions"][0]["do"] for question in told)
    assert told
    assert all(question["lost"] >= question["tolerance"] for question in told)
    assert f"{len(told)} of {len(told)} right." in run("quiz", record, "--seat", 0, typed=best)
    did = "\n".join(question["did"] for question in told)
    shown = run("quiz", record, "--seat", 0, typed=did)
    assert f"0 of {len(told)} right." in shown
    assert told[0]["reason"] in shown


def test_the_quiz_bears_rubbish_skips_and_the_end_of_the_input(record: Path):
    shown = run("quiz", record, "--seat", 0, typed="fly\nfill nothing\n?\n\nq\n")
    assert shown.count("is not an action") == 2
    assert "keep" in shown
    assert "Best is" in shown
    assert shown.endswith("0 of 0 right.\n")
    assert run("quiz", record, "--seat", 0).endswith("0 of 0 right.\n")


def test_who_gives_nothing_away_is_asked_nothing(tmp_path: Path):
    path = tmp_path / "best.jsonl"
    path.write_bytes(play("sheet", ["best"], 4).read())
    assert "You made no mistake" in run("quiz", path)


def test_advise_needs_no_name_of_the_game(record: Path):
    assert run("advise", record) == run("advise", "yatzy", record)


def test_simulate_summarises():
    told = json.loads(run("simulate", "yatzy", "--games", 500, "--seed", 3, "--json"))
    assert list(told) == ["game", "bot", "games", "seed", "mean", "se", "sd", "percentiles"]
    assert told["mean"] == pytest.approx(254, abs=12)
    assert "500 games from seed 3" in run("simulate", "yatzy", "--games", 500, "--seed", 3)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["solve", "knister"], "not_solved"),
        (["solve", "yatzy", "--rules", "x"], "unknown_rules"),
        (["advise", "yatzy", "nowhere"], "cannot_open"),
        (["review", "nowhere"], "cannot_open"),
        (["simulate", "yatzy", "--bot", "x"], "unknown_bot"),
        (["simulate", "yatzy", "--games", "0"], "no_games"),
        (["simulate", "knister", "--bot", "winner"], "unknown_bot"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_told(words: list[str], code: str):
    with pytest.raises(KastaError) as error:
        run(*words)
    assert error.value.code == code


def test_a_record_of_another_game_is_refused(record: Path):
    with pytest.raises(KastaError) as error:
        run("advise", "knister", record)
    assert error.value.code == "other_game"
    with pytest.raises(KastaError) as error:
        run("review", record, "--seat", 7)
    assert error.value.code == "no_such_seat"
