"""All that each device may do at a table and with its seats, in full: a right too many is a fault as well."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from kasta.errors import Illegal
from kasta.structs import Struct, replace as replaced
from kasta.tables.commands import Close, Command, Configure, Leave, MoveSeat, Play, Rename, Replace, Sit, Wait
from kasta.tables.events import Settings
from kasta.tables.rights import (
    Refusal,
    act,
    claim,
    give,
    goes_on,
    is_open,
    rights,
    seat_rights,
    there,
    throws_itself,
)
from kasta.tables.setting_rights import is_asked_for_wall
from support.play import refused
from support.room import HOST, Room

EVERYTHING = frozenset(Settings.__struct_fields__)
WHILE_PLAYING = frozenset({"thrower", "pace", "take_back", "open", "wall", "reactions"})
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


def test_a_table_is_open_until_it_is_locked_followed_by_another_or_closed_unplayed():
    room, unplayed = owing(), opened()
    assert is_open(unplayed.table)
    assert is_open(room.table)
    assert not is_open(replace(room.table, next_table="t2"))
    assert not is_open(replace(room.table, settings=replaced(room.table.settings, open=False)))
    assert not is_open(replace(room.table, day="2026-11-16"))
    for each in (room, unplayed):
        each.do(Close(HOST, "00" * 32))
    assert is_open(room.table), "for the next game"
    assert not is_open(unplayed.table)


@pytest.mark.parametrize(("seconds", "may"), [(20.0, False), (20.1, True)])
def test_more_than_twenty_seconds_of_silence_are_being_away(seconds: float, *, may: bool):
    def silence(device: str) -> float:
        return seconds * (device == "tim")

    table = thrown_next().table
    assert rights(table, "anna", silence).throw is may
    assert seat_rights(table, HOST, 1, silence).give_to_bot is may
    assert seat_rights(table, "stranger", 1, silence).claim is may


@pytest.mark.parametrize(
    ("roller", "settings", "itself"),
    [
        (None, {}, False),
        ("greedy", {}, True),
        ("greedy", {"thrower": "host"}, False),
        (None, {"thrower": "auto"}, True),
        ("greedy", {"dice": "own"}, False),
    ],
)
def test_a_table_throws_by_itself_for_bots_and_where_it_is_set(
    roller: str | None, settings: dict[str, str], *, itself: bool
):
    room = Room(**settings)
    room.do(Sit("anna" if roller is None else HOST, "Anna", bot=roller))
    assert not throws_itself(room.table), "the host begins"
    room.roll(1, 2)
    assert not throws_itself(room.table), "there is a pick to come"
    room.play(0, "a1", by="" if roller else None)
    assert throws_itself(room.table) is itself
    assert not goes_on(room.table), "the turn is over"


@pytest.mark.parametrize(("dice", "on"), [("app", True), ("own", False)])
def test_a_turn_goes_on_when_dice_were_kept(dice: str, *, on: bool):
    room = Room("Anna", game="yatzy", dice=dice)
    assert not goes_on(room.table)
    room.roll(1, 2, 3, 4, 6)
    assert not goes_on(room.table)
    room.play(0, "keep 6")
    assert goes_on(room.table) is throws_itself(room.table) is on


@pytest.mark.parametrize("bot", [None, "greedy"])
@pytest.mark.parametrize("thrower", ["turn", "auto"])
@pytest.mark.parametrize("dice", ["app", "own"])
def test_nobody_helps_a_bot_or_a_table_that_throws_itself_and_the_host_types_their_own_dice(
    dice: str, thrower: str, bot: str | None
):
    room = Room("Anna", dice=dice, thrower=thrower)
    room.do(Sit("tim" if bot is None else HOST, "Tim", bot=bot))
    room.roll(1, 2)
    room.play(0, "a1")
    room.play(1, "a1", by="" if bot else None)
    tim = bot is None and thrower == "turn"
    for_tim = rights(room.table, "anna", lambda device: math.inf if device in {"tim", HOST} else 0.0)
    assert (for_tim.throw, for_tim.type_dice) == (tim and dice == "app", 2 * (tim and dice == "own"))
    host = rights(room.table, HOST)
    assert (host.throw, host.type_dice) == (False, 2 * (dice == "own" and not tim))


def test_nobody_corrects_dice_or_leaves_after_the_end():
    room = own_dice()
    for cell in (f"{column}{row}" for row in range(1, 6) for column in "abcde"):
        room.roll(3, 4)
        assert rights(room.table, HOST).correct
        assert seat_rights(room.table, "anna", 0).leave
        room.play(0, cell)
    assert not rights(room.table, HOST).correct
    assert not seat_rights(room.table, "anna", 0).leave


def gone(_device: str) -> float:
    return math.inf


def code(refusal: Refusal) -> str | None:
    return None if refusal is None else refusal.code


def test_the_seat_of_somebody_who_has_left_is_claimed_by_nobody_and_nobody_acts_there():
    room = owing()
    room.do(Leave("tim", 1))
    assert code(claim(room.table, "stranger", 1, gone)) == "seat_left"
    assert code(act(room.table, "tim", 1)) == "seat_left"


def test_a_seat_is_given_to_a_bot_but_not_on_a_day_and_back_only_from_one():
    table, with_bot = owing().table, with_bots().table
    assert code(give(table, HOST, 1, "greedy", gone)) is None
    assert code(give(replace(table, day="2026-11-16"), HOST, 1, "greedy", gone)) == "day_alone"
    assert code(give(table, HOST, 1, None, gone)) == "nothing_changes"
    assert code(give(with_bot, HOST, 0, "weak", gone)) == "nothing_changes"
    assert code(give(with_bot, HOST, 0, None, gone)) is None


def test_a_seat_that_nobody_has_is_refused_with_the_number_of_the_last_one():
    refusal = there(opened().table, 7)
    assert refusal is not None
    assert refusal.params == {"seat": 7, "last": 1}


def test_a_table_takes_fifty_thousand_changes_and_then_only_play():
    room = opened()
    room.table = replace(room.table, changes=49_999)
    room.do(Rename("tim", 1, "Timo"))
    with pytest.raises(Illegal) as refused:
        room.do(Rename("tim", 1, "Tim"))
    assert refused.value.code == "too_many_changes"
    room.roll(1, 2)


def test_nobody_begins_who_is_not_there_or_acts_before_the_first_throw():
    room = opened()
    wrong: list[tuple[Command, str]] = [
        (Configure(HOST, Settings(first=3)), "no_such_seat"),
        (Play("tim", 0, 1, 0, "a1"), "throw_first"),
    ]
    for command, why in wrong:
        with pytest.raises(Illegal) as refused:
            room.do(command)
        assert refused.value.code == why


def test_only_who_sat_down_before_the_wall_showed_names_is_asked_and_answers_alone():
    room = Room("Anna", "Tim")
    room.do(Sit(HOST, "Host"))
    asked = [(device, seat) for device in ("anna", "tim", HOST) for seat in range(3)]
    assert not any(is_asked_for_wall(room.table, *each) for each in asked)
    room.do(Configure(HOST, Settings(wall=True)))
    room.do(Sit("liv", "Liv"))
    room.do(Replace(HOST, 1, "greedy"), away={"tim"})
    assert [each for each in [*asked, ("liv", 3)] if is_asked_for_wall(room.table, *each)] == [("anna", 0)]
    for by, wall in (("anna", False), (HOST, True)):
        room.do(Rename(by, 0, "Anna", wall=wall))
        assert not room.table.places[0].on_wall
    room.do(Rename("anna", 0, "Anna", wall=True))
    room.do(Rename("anna", 0, "Anne"))
    assert room.table.places[0].on_wall
    assert not is_asked_for_wall(room.table, "anna", 0)


def test_who_came_too_late_knows_of_the_wall_if_it_was_there():
    room = opened()
    room.roll(1, 2)
    room.do(Wait("liv", "Liv"))
    room.do(Configure(HOST, Settings(wall=True)))
    room.do(Wait("bo", "Bo"))
    assert room.table.late_on_wall == {"bo"}


def test_a_device_keeps_the_seats_that_neither_move_nor_are_given_up():
    room = Room("Anna", "Tim")
    for name in ("Ole", "Liv"):
        room.do(Sit("anna", name))
    room.do(MoveSeat("anna", 0, "tablet"))
    assert dict(room.table.devices) == {"anna": (2, 3), "tim": (1,), "tablet": (0,)}
    room.do(Leave("anna", 2))
    room.do(Leave("tim", 1))
    assert dict(room.table.devices) == {"anna": (3,), "tablet": (0,)}


@pytest.mark.parametrize(
    ("pace", "error"), [(1, None), (99_999, None), (0, "pace_too_short"), (100_000, "pace_too_long"), (None, None)]
)
def test_the_time_to_act_is_a_second_at_least_and_a_day_or_so_at_most(pace: int | None, error: str | None):
    room = Room("Anna", pace=7)
    command = Configure(HOST, Settings(pace=pace))
    if error is None:
        room.do(command)
        assert room.table.settings.pace == pace
    else:
        with refused(error):
            room.do(command)
