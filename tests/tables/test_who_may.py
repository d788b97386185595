"""All that each device may do at a table and with its seats, in full: a right too many is a fault as well."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from kasta.structs import Struct
from kasta.tables.commands import Close, Replace, Sit
from kasta.tables.events import Settings
from kasta.tables.rights import rights, seat_rights
from support.room import HOST, Room

EVERYTHING = frozenset(Settings.__struct_fields__)
WHILE_PLAYING = frozenset({"thrower", "pace", "take_back", "open", "wall"})
SETTINGS = {EVERYTHING: "set-all", WHILE_PLAYING: "set-some", WHILE_PLAYING | {"coach"}: "set-some-and-coach"}
HOSTING = "close lock remove_recent set-some"
OWN = "accept leave move rename"
OF_HOST = "leave make_host rename"
State = Callable[[], Room]


def opened() -> Room:
    return Room("Anna", "Tim")


def owing() -> Room:
    """Anna has picked, Tim has not."""
    room = opened()
    room.roll(1, 2)
    room.play(0, "a1")
    return room


def thrown_next() -> Room:
    """It is Tim who throws."""
    room = owing()
    room.play(1, "a1")
    return room


def own_dice() -> Room:
    return Room("Anna", dice="own", pace=30)


def own_dice_typed() -> Room:
    room = own_dice()
    room.roll(1, 2)
    return room


def with_bots() -> Room:
    """One has a seat of its own, another one plays for Anna."""
    room = Room("Anna")
    room.do(Sit(HOST, "Bot", bot="greedy"))
    room.roll(1, 2)
    room.do(Replace(HOST, 0, "weak"), away={"anna"})
    return room


def closed() -> Room:
    room = with_bots()
    room.do(Close(HOST, "00" * 32))
    return room


# What a device may do at the table, and then with each of the seats, while somebody is away.
LISTED: list[tuple[State, str, str, str, list[str]]] = [
    (opened, "", HOST, "close invite lock remove_recent seat_bot set-all sit throw", [f"{OF_HOST} start"] * 2),
    (opened, "", "anna", "sit", [OWN, ""]),
    (opened, "", "stranger", "sit", ["", ""]),
    (owing, "", HOST, f"{HOSTING} wait", [OF_HOST] * 2),
    (owing, "", "anna", "", [f"{OWN} move_pick take_back", ""]),
    (owing, "", "tim", "", ["", f"{OWN} act"]),
    (owing, "", "stranger", "wait", ["", ""]),
    (owing, "tim", HOST, f"{HOSTING} wait", [OF_HOST, f"{OF_HOST} accept claim give_to_bot stand_in"]),
    (owing, "tim", "anna", "", [f"{OWN} move_pick take_back", ""]),
    (owing, "tim", "stranger", "wait", ["", "claim"]),
    (thrown_next, "", HOST, f"{HOSTING} wait", [OF_HOST] * 2),
    (thrown_next, "", "anna", "", [f"{OWN} move_pick take_back", ""]),
    (thrown_next, "", "tim", "throw", ["", f"{OWN} move_pick take_back"]),
    (thrown_next, "tim", HOST, f"{HOSTING} throw wait", [OF_HOST, f"{OF_HOST} accept claim give_to_bot"]),
    (thrown_next, "tim", "anna", "throw", [f"{OWN} move_pick take_back", ""]),
    (thrown_next, "tim", "stranger", "wait", ["", "claim"]),
    (thrown_next, HOST, "anna", "take_over", [f"{OWN} move_pick take_back", ""]),
    (thrown_next, HOST, "tim", "throw", ["", f"{OWN} move_pick take_back"]),
    (own_dice, "", HOST, "close invite lock remove_recent seat_bot set-all sit type_dice=2", [f"{OF_HOST} start"]),
    (own_dice, "", "anna", "sit", [OWN]),
    (own_dice_typed, "", HOST, "close correct lock remove_recent set-some-and-coach wait", [OF_HOST]),
    (own_dice_typed, "", "anna", "correct", [f"{OWN} act extend"]),
    (with_bots, "", HOST, HOSTING, ["change_bot give_back leave rename", "change_bot leave rename"]),
    (with_bots, "", "anna", "", [f"{OWN} give_back", ""]),
    (with_bots, "", "", "close wait", ["act", "act"]),
    (closed, "", HOST, "rematch", ["", ""]),
    (closed, "", "anna", "rematch", ["", ""]),
    (closed, "", "stranger", "wait", ["", ""]),
]


def told(found: Struct) -> set[str]:
    """The names of rights; numbers and settings with what they say."""
    given = {name: value for name in found.__struct_fields__ if (value := getattr(found, name))}
    return {
        name if value is True else SETTINGS[value] if isinstance(value, frozenset) else f"{name}={value}"
        for name, value in given.items()
    }


@pytest.mark.parametrize(("state", "away", "by", "at_table", "at_seats"), LISTED)
def test_a_device_may_do_what_is_listed_and_no_more(
    state: State, away: str, by: str, at_table: str, at_seats: list[str]
):
    def silence(device: str) -> float:
        return math.inf if away and device == away else 0.0

    table = state().table
    assert told(rights(table, by, silence)) == set(at_table.split())
    assert [told(seat_rights(table, by, seat, silence)) for seat in sorted(table.places)] == [
        set(each.split()) for each in at_seats
    ]


def test_a_single_die_is_thrown_as_well():
    room = Room("Anna", game="yatzy")
    room.roll(1, 2, 3, 4, 6)
    room.play(0, "keep 1 2 3 4")
    assert rights(room.table, "anna").throw
