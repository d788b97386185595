"""A seat belongs to the device that took it: nobody else acts for it, or sees its open pick."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from support.visitors import Phone, Program

FORMS: dict[str, dict[str, Any]] = {
    "play": {"turn": 1, "seat": 0, "step": 0, "do": "c3"},
    "take-back": {"turn": 1, "seat": 0, "step": 1},
    "command": {"turn": 1, "seat": 0, "step": 0, "do": "c3"},
    "correct": {"turn": 1, "faces": "66"},
    "rename": {"seat": 0, "name": "Eve"},
    "leave": {"seat": 0},
    "replace": {"seat": 0, "bot": "1"},
    "stand-in": {"seat": 0},
    "extend": {"turn": 1, "seat": 0},
    "lock": {"open": ""},
    "settings": {"pace": "30"},
    "seat-link": {"seat": 0},
    "first": {"seat": 1},
    "host": {},
    "bot": {},
    "sit": {"name": "Late"},
    "end": {},
    "code": {},
    "accept": {"seat": 0, "digits": "10"},
    "move": {"secret": "0.99999999999.AAAAAAAAAAAAAAAAAAAAAAAA"},
    "rematch": {},
    "roll": {"turn": 1},
}
WISHES: dict[str, dict[str, Any]] = {
    "play": {"turn": 1, "seat": 0, "step": 0, "do": "c3"},
    "take-back": {"turn": 1, "seat": 0, "step": 1},
    "correct": {"turn": 1, "faces": [6, 6]},
    "rename": {"seat": 0, "name": "Eve"},
    "leave": {"seat": 0},
    "replace": {"seat": 0, "bot": "greedy"},
    "stand-in": {"seat": 0},
    "extend": {"turn": 1, "seat": 0},
    "settings": {"pace": 5},
    "host": {},
    "seats": {"name": "Late"},
    "close": {},
    "rematch": {},
    "roll": {"turn": 1},
}


@pytest.fixture
def played(phone: Callable[[], Phone]) -> tuple[str, Phone, Phone, Phone]:
    """Anna hosts and Tim plays, the first throw lies there; Eve has only the link."""
    anna, tim, eve = phone(), phone(), phone()
    table = anna.open("Anna")
    tim.sit(table, "Tim")
    anna.roll(table)
    return table, anna, tim, eve


@pytest.mark.parametrize("action", FORMS)
def test_no_form_acts_for_another_seat(action: str, played: tuple[str, Phone, Phone, Phone]):
    table, anna, *others = played
    before = anna.state(table)
    for other in others:
        answer = other.post(f"/t/{table}/{action}", **FORMS[action])
        assert answer.status_code in {400, 404, 409, 422}, answer.text
    assert anna.state(table) == before


@pytest.mark.parametrize("action", WISHES)
def test_no_api_call_acts_for_another_seat(
    action: str, played: tuple[str, Phone, Phone, Phone], program: Callable[[], Program]
):
    table, anna, tim, _ = played
    before = anna.state(table)
    for token in (tim.token, None):
        other = program()
        if token:
            other.hold(token)
        answer = other.post(f"/tables/{table}/{action}", WISHES[action])
        assert answer.status_code in {400, 404, 409, 422}, answer.text
    assert anna.state(table) == before


def test_a_seat_may_not_throw_for_one_that_is_there(played: tuple[str, Phone, Phone, Phone]):
    table, anna, tim, eve = played
    for who, seat in ((anna, 0), (tim, 1)):
        assert who.post(f"/t/{table}/play", turn=1, seat=seat, step=0, do="a1").status_code == 303
    assert anna.state(table)["roller"] == 1
    for who in (anna, eve):
        assert who.post(f"/t/{table}/roll", turn=1).status_code == 422
    assert tim.post(f"/t/{table}/roll", turn=1).status_code == 303


def test_a_token_of_another_table_is_a_stranger_here(program: Callable[[], Program]):
    here, there = program(), program()
    table = here.open()
    here.sit(table, "Anna")
    other = there.open()
    there.sit(other, "Tim")
    assert there.post(f"/tables/{table}/roll", {"turn": 0}).json()["error"]["code"] == "host_begins"
    assert there.state(table)["host"] is False
    assert [seat["mine"] for seat in there.state(table)["seats"]] == [False]


def test_an_open_pick_is_seen_nowhere_but_at_its_own_device(played: tuple[str, Phone, Phone, Phone]):
    table, anna, tim, eve = played
    assert anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="c3").status_code == 303
    assert anna.get(f"/t/{table}").text.count("c3: free") == 1  # Tim's
    for other in (tim, eve):
        sheet = next(seat["sheet"] for seat in other.state(table)["seats"] if seat["seat"] == 0)
        assert not any(character.isdigit() for character in sheet)
        for page in ("", "/parts"):
            shown = other.get(f"/t/{table}{page}").text
            assert shown.count("c3: ") == shown.count("c3: free") > 0
        assert not any(event.get("do") for event in events(other, table))
    assert any(event.get("do") == "c3" for event in events(anna, table))


def test_a_present_players_seat_is_neither_taken_nor_read_by_the_host(
    phone: Callable[[], Phone], played: tuple[str, Phone, Phone, Phone], program: Callable[[], Program]
):
    """Not from a second device, not by a link, and not by a bot: on the page, by form and by the API."""
    table, host, tim, _ = played
    tablet, client = phone(), program()
    client.hold(host.token)
    assert tim.post(f"/t/{table}/play", turn=1, seat=1, step=0, do="c3").status_code == 303
    with tim.http.stream("GET", f"/t/{table}/stream"):
        before = tim.state(table)
        assert "I am Tim" not in tablet.get(f"/t/{table}").text
        assert tablet.post(f"/t/{table}/claim", seat=1).status_code == 422
        for digits in range(10, 100):
            assert host.post(f"/t/{table}/accept", seat=1, digits=digits).status_code == 422
        for action, fields in {"replace": {"bot": "1"}, "seat-link": {}, "stand-in": {}}.items():
            assert host.post(f"/t/{table}/{action}", seat=1, **fields).status_code == 422, action
        for action, wish in {"replace": {"bot": "greedy"}, "stand-in": {}}.items():
            refused = client.post(f"/tables/{table}/{action}", {"seat": 1, **wish})
            assert refused.json()["error"]["code"] == "not_away", action
        may = next(seat["may"] for seat in client.state(table)["seats"] if seat["seat"] == 1)
        assert not {"move", "accept", "claim", "give_to_bot", "stand_in"}.intersection(may)
        assert tim.state(table) == before


def test_a_bots_open_pick_is_seen_by_nobody_not_even_by_the_host_who_seated_it(phone: Callable[[], Phone]):
    host, tim = phone(), phone()
    table = host.open("Anna")
    tim.sit(table, "Tim")
    assert host.post(f"/t/{table}/bot").status_code == 303
    host.roll(table)
    while host.state(table)["owing"] > 2:  # the people
        time.sleep(0.05)
    for who in (host, tim):
        (bot,) = [seat for seat in who.state(table)["seats"] if seat["bot"]]
        assert not bot["mine"]
        assert not any(character.isdigit() for character in bot["sheet"])
        assert {event["do"] for event in events(who, table) if event["kind"] == "acted"} == {""}


def test_a_correction_does_not_show_the_picks_that_it_returns(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", dice="own")
    tim.sit(table, "Tim")
    anna.roll(table, faces="12")
    anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="c3")
    assert anna.post(f"/t/{table}/correct", turn=1, faces="34").status_code == 303
    assert not any(event.get("do") for event in events(tim, table))


def events(who: Phone, table: str) -> list[dict[str, Any]]:
    """What the API's stream has told so far."""
    last, found = who.state(table)["seq"], []
    with who.http.stream("GET", f"/api/tables/{table}/stream") as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                found.append(json.loads(line[6:]))
                if len(found) == last:
                    return found
    raise AssertionError("the stream ended")
