"""The coach speaks where the table says so, to whoever decides, and the record tells it."""

from __future__ import annotations

from io import BytesIO

import pytest

from kasta.record import read_header, replay, write_header, write_record
from kasta.tables import review_rights
from kasta.tables.commands import AskHint, Close, Configure
from kasta.tables.events import Settings
from kasta.tables.records import record
from kasta.tables.rights import rights, seat_rights
from kasta.tables.setting_rights import MOST_HELPED
from support.play import refused
from support.room import HOST, Room


def hint(room: Room, seat: int, by: str) -> None:
    room.do(AskHint(by, room.table.turn, seat))


@pytest.mark.parametrize("coach", ["off", "after"])
def test_only_a_table_with_a_live_coach_gives_hints(coach: str):
    room = Room("Anna", coach=coach)
    room.roll(3, 4)
    assert not seat_rights(room.table, "anna", 0).hint
    with refused("no_hints"):
        hint(room, 0, "anna")


def test_a_table_without_a_coach_has_no_reviews():
    room = Room("Anna", coach="off")
    room.roll(3, 4)
    room.do(Close(HOST, "00" * 32))
    refusal = review_rights.see(room.table, "anna", 0)
    assert refusal is not None
    assert refusal.code == "no_coach"


def test_a_hint_is_for_ones_own_open_decision():
    room = Room("Anna", "Tim", coach="live")
    with refused("nothing_to_decide"):
        hint(room, 0, "anna")
    room.roll(3, 4)
    assert seat_rights(room.table, "anna", 0).hint
    for by in ("tim", HOST, "stranger"):
        assert not seat_rights(room.table, by, 0).hint
        with refused("not_your_seat"):
            hint(room, 0, by)
    room.play(0, "c3")
    with refused("nothing_to_decide"):
        hint(room, 0, "anna")


def test_a_hint_is_given_once_and_for_the_throw_that_lies_there():
    room = Room("Anna", coach="live")
    room.roll(3, 4)
    with refused("stale"):
        room.do(AskHint("anna", 0, 0))
    hint(room, 0, "anna")
    with refused("nothing_changes"):
        hint(room, 0, "anna")


def test_as_many_as_a_page_lists_get_hints():
    room = Room(*(f"P{number}" for number in range(30)), coach="live")
    room.roll(3, 4)
    hint(room, 0, "p0")


def test_a_hall_gets_no_hints():
    room = Room(*(f"P{number}" for number in range(MOST_HELPED + 1)), coach="live")
    room.roll(3, 4)
    with refused("no_hints"):
        hint(room, 0, "p0")


def test_the_record_tells_who_was_coached():
    room = Room("Anna", "Tim", "Liv", coach="live", first=1)
    room.roll(3, 4)
    header, _ = record(room.log)
    assert "coached" not in write_header(header)
    hint(room, 0, "anna")
    header, steps = record(room.log)
    assert header.seats == ("Tim", "Liv", "Anna")
    assert header.coached == (2,)
    written = "\n".join(write_record(header, steps))
    assert replay(BytesIO(written.encode())).header == header


@pytest.mark.parametrize("coached", [3, ["Anna"], [1], [-1], [True]])
def test_whoever_was_coached_sits_at_the_table(coached: object):
    with refused("wrong_type"):
        read_header({"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Anna"], "coached": coached})


def test_the_coach_changes_during_the_game_only_where_all_play_at_one_device():
    alone, together = Room("Anna", game="yatzy"), Room("Anna", "Tim", game="yatzy")
    for room in (alone, together):
        assert "coach" in rights(room.table, HOST).configure
        room.roll(1, 2, 3, 4, 6)
    assert "coach" in rights(alone.table, HOST).configure
    alone.do(Configure(HOST, Settings(coach="live")))
    hint(alone, 0, "anna")
    with refused("set_before_start"):
        together.do(Configure(HOST, Settings(coach="live")))
