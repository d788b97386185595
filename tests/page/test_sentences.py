"""What a page refuses it says as people would: with names, in their language, without notation."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kasta.edge.http import PARTS
from kasta.games import find_game
from kasta.i18n import LANGUAGES, words
from kasta.messages import MESSAGES
from kasta.tables.names import BOTS, bot_name, folded
from support.visitors import Phone, Program

BY_SCRIPT = {"accept": PARTS}
NOTATION = re.compile(r"keep|fill|_|Allowed|Seat|\bseat\b")
FOR_PROGRAMMERS = {"no_such_seat", "unknown_step"}  # of records and of the API, where seats are counted from 0


def refused(phone: Phone, path: str, **fields: object) -> str:
    answer = phone.http.post(path, data=fields, headers=BY_SCRIPT)
    assert answer.status_code >= 400
    return answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_move_is_told_without_notation(phone: Callable[[], Phone], language: str):
    anna = phone()
    table = anna.open("Anna", game="yatzy")
    anna.roll(table)
    anna.http.headers["accept-language"] = language
    said = refused(anna, f"/t/{table}/play", turn=1, seat=0, step=0, do="keep")
    assert said == words(language).say("Keep at least one die.")
    assert not NOTATION.search(said)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Tim plays on another device."),
        ("sv", "Tim spelar på en annan enhet."),
        ("nb", "Tim spiller på en annen enhet."),
        ("de", "Tim spielt an einem anderen Gerät."),
        ("fr", "Tim joue sur un autre appareil."),
    ],
)
def test_a_player_is_called_by_name(phone: Callable[[], Phone], language: str, sentence: str):
    anna, tim = phone(), phone()
    table = anna.open("Anna")
    tim.sit(table, "Tim")
    anna.roll(table)
    anna.http.headers["accept-language"] = language
    assert refused(anna, f"/t/{table}/play", turn=1, seat=1, step=0, do="c3") == sentence


def test_whose_turn_it_is_is_told_by_name(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", "Tim", game="yatzy")
    anna.roll(table)
    assert refused(anna, f"/t/{table}/play", turn=1, seat=1, step=0, do="fill ones") == "It is Anna's turn."


def test_whoever_is_not_the_host_waits_for_the_first_throw(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna")
    tim.sit(table, "Tim")
    assert refused(tim, f"/t/{table}/roll", turn=0) == "Wait for the host to begin."


def test_where_the_host_throws_nobody_else_is_told_to(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", game="yatzy", thrower="host")
    tim.sit(table, "Tim")
    anna.roll(table)
    anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="fill ones")
    for each, sentence in ((anna, "Your turn to throw"), (tim, "The host throws")):
        page = each.get(f"/t/{table}").text
        assert f"<strong>{sentence}</strong>" in page
        assert "It is Tim&#39;s turn." in page


def test_a_form_that_was_tampered_with_is_refused_without_its_machine_words(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    assert refused(anna, f"/t/{table}/roll", turn="one") == "That did not work."


def test_programs_are_told_what_is_legal(program: Callable[[], Program]):
    anna = program()
    table = anna.open("yatzy")
    anna.sit(table, "Anna")
    anna.post(f"/tables/{table}/roll", {"turn": 0})
    error = anna.post(f"/tables/{table}/play", {"turn": 1, "seat": 0, "step": 0, "do": "keep"}).json()["error"]
    assert error["message"] == "Keep at least one die."
    assert "fill full_house" in error["params"]["legal"]


@pytest.mark.parametrize("code", sorted(set(MESSAGES) - FOR_PROGRAMMERS))
def test_no_sentence_has_a_blank_for_notation_or_a_seats_number(code: str):
    assert not re.search(r"\{(legal|seat|settings|step|turn|line_name|table)\b", MESSAGES[code])


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Player 1"), ("sv", "Spelare 1"), ("nb", "Spiller 1"), ("de", "Spieler 1"), ("fr", "Joueur 1")],
)
def test_whoever_plays_without_a_name_is_player_1(phone: Callable[[], Phone], language: str, name: str):
    anna = phone()
    anna.http.headers["accept-language"] = language
    table = anna.open(alone="1")
    assert [seat["name"] for seat in anna.state(table)["seats"]] == [name]


def test_bots_have_names_that_every_language_reads(phone: Callable[[], Phone]):
    anna = phone()
    anna.http.headers["accept-language"] = "sv"
    table = anna.open("Pixel", bots="2")
    anna.post(f"/t/{table}/bot")
    assert [seat["name"] for seat in anna.state(table)["seats"]] == ["Pixel", *BOTS[1:4]]


def test_there_is_always_another_name_for_a_bot():
    taken: set[str] = set()
    for _ in range(5 * len(BOTS)):
        name = bot_name(taken)
        assert folded(name) not in taken
        taken.add(folded(name))


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", "Sarah, Tim and Bo have"),
        ("sv", "Sarah, Tim och Bo har"),
        ("nb", "Sarah, Tim og Bo har"),
        ("de", "Sarah, Tim und Bo haben"),
        ("fr", "Sarah, Tim et Bo ont"),
    ],
)
def test_several_names_are_said_together_as_people_do(language: str, names: str):
    said = find_game("knaster").traits.last_throw(words(language), ["Sarah", "Tim", "Bo"])
    assert said.startswith(names)
