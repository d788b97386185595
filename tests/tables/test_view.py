"""What each viewer sees, and above all what not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from kasta.core import Over
from kasta.tables.commands import Close, Leave, Replace, Sit
from kasta.tables.events import Acted
from kasta.tables.state import Place, Table
from kasta.tables.view import MOST_LISTED, TableView, notice, view
from support.room import HOST, SECRET, Room


def numbers(seen: TableView, seat: int) -> list[int]:
    found = {each.seat: each for each in (*seen.mine, *seen.others)}[seat]
    return [number for number in found.sheet.numbers if number]


def test_an_open_pick_is_seen_by_its_own_device_only():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    room.play(0, "c3")
    assert numbers(view(room.table, "anna"), 0) == [8]
    for other in ("tim", HOST, "stranger", ""):
        assert numbers(view(room.table, other), 0) == []
        assert view(room.table, other).owing == 1


def test_picks_become_visible_with_the_next_throw():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    room.play(0, "c3")
    room.play(1, "a1")
    assert numbers(view(room.table, "tim"), 0) == []
    room.roll(1, 1)
    assert numbers(view(room.table, "tim"), 0) == [8]


def test_everything_is_visible_at_the_end():
    room = finished()
    seen = view(room.table, "stranger")
    assert seen.next == Over()
    assert [each.total for each in seen.others] == [140, 140]
    assert [each.place for each in seen.others] == [1, 1]


def test_who_left_has_no_place():
    room = Room("Anna", "Tim", "Linus")
    room.roll(3, 4)
    room.do(Leave("linus", 2))
    play_out(room, 2)
    assert [(each.name, each.place) for each in view(room.table, "x").others] == [
        ("Anna", 1),
        ("Tim", 1),
        ("Linus", None),
    ]


def test_points_are_shown_at_the_end_where_that_is_set():
    room = Room("Anna", points="end")
    for column in "abcde":
        room.roll(3, 4)
        room.play(0, f"{column}1")
    assert view(room.table, "anna").mine[0].total is None
    play_out(room, 1)
    assert view(room.table, "anna").mine[0].total == 140


def test_yatzy_is_played_in_the_open():
    room = Room("Anna", "Tim", game="yatzy")
    room.roll(1, 2, 3, 4, 5)
    assert view(room.table, "tim").others[0].sheet.dice == (1, 2, 3, 4, 5)


def test_one_device_sees_all_of_its_seats():
    room = Room("Anna", "anna's brother")
    room.roll(3, 5)
    assert [each.seat for each in view(room.table, "anna").mine] == [0]


def test_a_crowd_is_counted_not_listed():
    room = Room(*(f"Player {number}" for number in range(MOST_LISTED + 1)))
    seen = view(room.table, "player 3")
    assert (len(seen.mine), len(seen.others), seen.seats) == (1, 0, MOST_LISTED + 1)


class Unlisted(dict[int, Place]):
    """Places of which each can be looked up, but not all."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("all places were looked through")

    items = values = keys = __iter__  # type: ignore[assignment]


def test_what_one_of_a_crowd_sees_and_may_do_is_found_without_looking_through_all():
    room = Room(*(f"Name{number}" for number in range(MOST_LISTED + 4)))
    room.roll(3, 5)
    unlisted = replace(room.table, places=Unlisted(room.table.places))  # type: ignore[arg-type]
    for device in ("name3", "stranger"):
        assert view(unlisted, device).may == view(room.table, device).may


def test_the_host_of_a_crowd_sees_who_came_last_and_who_is_missing():
    room = Room(*(f"Player {number}" for number in range(MOST_LISTED + 2)))

    def listed(device: str) -> list[int]:
        return [each.seat for each in view(room.table, device).others]

    assert listed(HOST) == list(range(2, MOST_LISTED + 2))
    room.roll(3, 5)
    assert listed(HOST) == [], "all are missing: too many to name"
    room.play(0, "a1")
    room.play(7, "a1")
    assert listed(HOST) == [*range(1, 7), *range(8, MOST_LISTED + 2)]
    assert listed("player 3") == []


def test_others_hear_only_that_a_seat_has_acted():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    acted = room.play(0, "c3")
    assert isinstance(acted, Acted)
    assert notice(room.table, acted, "anna") == acted
    assert notice(room.table, acted, "tim") == Acted(1, 0, 0, "")
    room.play(1, "a1")
    room.roll(1, 1)
    assert notice(room.table, acted, "tim") == acted


def test_nobody_sees_what_a_bot_has_picked_before_the_next_throw_not_even_who_seated_it():
    room = Room("Anna", "Tim")
    room.do(Sit(HOST, "Pixel", bot="greedy"))
    room.roll(3, 5)
    room.do(Replace(HOST, 1, "greedy"), away={"tim"})
    picked = [room.play(seat, "c3", by="") for seat in (2, 1)]
    for device in (HOST, "tim", "anna"):
        seen = view(room.table, device)
        assert {each.seat for each in seen.others} >= {1, 2}
        assert numbers(seen, 1) == numbers(seen, 2) == []
        assert [getattr(notice(room.table, event, device), "do", None) for event in picked] == ["", ""]
    room.play(0, "c3")
    room.roll(1, 1, by="")
    assert numbers(view(room.table, HOST), 2) == [8]


def test_whoever_has_come_back_sees_what_a_bot_has_picked_for_them():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    room.do(Replace(HOST, 1, "greedy"), away={"tim"})
    room.play(1, "c3", by="")
    room.do(Replace("tim", 1, None))
    assert numbers(view(room.table, "tim"), 1) == [8]


def test_of_a_crowd_a_person_is_told_of_the_own_seat_for_which_a_bot_plays():
    room = Room(*(f"Player {number}" for number in range(MOST_LISTED + 1)))
    room.do(Replace(HOST, 3, "greedy"), away={"player 3"})
    (own,) = view(room.table, "player 3").others
    assert (own.seat, own.may.give_back) == (3, True)


def test_the_secret_is_nowhere_before_the_end():
    room = Room("Anna")
    room.roll(3, 5)
    for thing in (room.table, room.log, view(room.table, HOST)):
        assert SECRET.hex() not in repr(thing)
    room.do(Close(HOST, SECRET.hex()))
    assert view(room.table, "x").secret == SECRET.hex()


def test_an_event_holds_no_more_than_it_says():
    assert msgspec.json.decode(msgspec.json.encode(Acted(1, 0, 0, "c3"))) == {
        "kind": "acted",
        "turn": 1,
        "seat": 0,
        "step": 0,
        "do": "c3",
        "stand_in": False,
        "v": 1,
    }


def finished() -> Room:
    room = Room("Anna", "Tim")
    play_out(room, 2)
    return room


def play_out(room: Room, seats: int) -> Table:
    """Everybody writes sevens into the first free cell until it is over."""
    while room.table.next() != Over():
        if not room.table.owing:
            room.roll(3, 4)
        for seat in range(seats):
            legal = room.table.game.legal(room.table.play, seat)
            if legal:
                room.play(seat, str(legal[0]))
    return room.table
