"""What is asked of an engine is all that it needs to know, and our own engine answers as the bot would."""

from __future__ import annotations

from random import Random

import pytest

from kasta import GAMES, find_bot, find_game
from kasta.bots.base import look
from kasta.core import FACES, Over, Throw
from kasta.engine.position import Position, Turns
from kasta.engine.protocol import EngineQuestion, read_question, write_question
from kasta.engine.speak import speak
from kasta.errors import Unreadable
from kasta.games import OURS
from kasta.record import Do, Roll
from support.play import played

RULE_SETS = [(game, rules) for game in OURS for rules in GAMES[game].rule_sets]


def heard(lines: list[str], bot: str | None = "greedy") -> list[str]:
    said: list[str] = []
    speak(lines, said.append, bot)
    return said


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_a_position_as_text_is_the_sheet_that_a_bot_would_see(game: str, rules: str):
    found, rng = find_game(game, rules), Random(game + rules)
    turns = Turns(found, found.start(2), range(2))
    asked = 0
    while not isinstance(expected := found.next(turns.table), Over):
        if isinstance(expected, Throw):
            turns.take(Roll(tuple(rng.choices(FACES, k=expected.dice))))
            continue
        seat = next(filter(expected.is_due, range(2)))
        read = read_question(write_question(EngineQuestion(turns.position(seat), seed=asked))).position
        sight = look(found, turns.table, seat)
        assert (read.sheet, read.sight.others_lack) == (sight.sheet, sight.others_lack)
        assert [*map(found.solo.write_sheet, read.others)] == [*map(found.solo.write_sheet, sight.others)]
        assert list(read.legal) == list(found.legal(turns.table, seat))
        turns.take(Do(seat, str(rng.choice(read.legal))))
        asked += 1
    assert asked >= 26


def test_the_last_throw_is_said_so_that_passing_is_legal():
    knaster = find_game("knaster")
    sheet = played(knaster.solo, "2 3 4 5 6\n" * 4 + "2 3 4 5 .")
    lines = list(write_question(EngineQuestion(Position(knaster, sheet, ((1, 1),), last=True))))
    assert "last" in lines
    assert "legal -" in lines
    assert read_question(lines).position.sheet.last


def test_what_is_asked_reads_as_the_page_shows_it():
    yatzy = find_game("yatzy")
    before = yatzy.solo.read_sheet("ones 3\njokers 0\n")
    position = Position(yatzy, before, ((3, 3, 5, 6, 6), "keep 3 3", (1, 2, 4)), others=(yatzy.solo.start(),))
    lines = list(write_question(EngineQuestion(position, seed=7, milliseconds=2000, wants_values=True)))
    assert [line for line in lines if not line.startswith("legal ")] == [
        "game yatzy sheet",
        "sheet ones 3",
        "sheet jokers 0",
        "other 1",
        "other 1 jokers 0",
        "roll 3 3 5 6 6",
        "do keep 3 3",
        "roll 1 2 4",
        "seed 7",
        "go 2000 values",
    ]
    assert "legal keep 3 3 4" in lines


def test_our_engine_introduces_itself_loads_and_ends_when_told():
    assert heard(["kasta 1\n", "load knister sheet\n", "quit\n", "kasta 1\n"]) == [
        "name kasta greedy",
        "values",
        "ok",
        "ok",
    ]


def test_our_engine_draws_lots_by_the_seed_alone():
    knister = find_game("knister")
    position = Position(knister, knister.solo.start(), ((3, 4),))
    for seed in range(5):
        bot = find_bot("greedy", knister).choose(position.sight, position.legal, Random(seed))
        assert heard(list(write_question(EngineQuestion(position, seed=seed)))) == [f"do {bot}"]


@pytest.mark.parametrize(
    "lines",
    [
        ["load chess sheet"],
        ["load yatzy other"],
        ["go 1000"],
        ["game knister sheet", "go 1000"],
        ["game yatzy sheet", "roll 1 2 3 4 9", "go 1000"],
        ["game yatzy sheet", "roll 1 2 three", "go 1000"],
        ["game yatzy sheet", "go 1000"],
        ["game yatzy sheet", "roll 1 2 3 4 5", "do fill ones", "go 1000"],
        ["game yatzy sheet", "roll 1 2 3 4 5", "seed minus", "go 1000"],
    ],
)
def test_our_engine_says_what_is_wrong_with_a_question_and_goes_on(lines: list[str]):
    said = heard([*lines, "kasta 1"])
    assert said[0].startswith("error ")
    assert said[-1] == "ok"


def test_words_that_are_not_known_are_passed_over():
    yatzy = find_game("yatzy")
    lines = list(write_question(EngineQuestion(Position(yatzy, yatzy.solo.start(), ((1, 2, 3, 4, 5),)))))
    assert heard([lines[0], "colour red", *lines[1:]]) == heard(lines)
    with pytest.raises(Unreadable):
        read_question(["colour red"])
