"""Rights are decided once: what they say is what `decide` does, at any table, for any device."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings as tried, strategies as st
from msgspec.structs import replace

from kasta.core import Throw
from kasta.errors import Illegal, KastaError
from kasta.tables import rights as rights_module
from kasta.tables.commands import (
    AskHint,
    Close,
    Command,
    Configure,
    Correct,
    Extend,
    Host,
    Leave,
    MoveSeat,
    Play,
    Rematch,
    Rename,
    Replace,
    Roll,
    Sit,
    TakeBack,
    Wait,
    decide,
    expand,
)
from kasta.tables.rights import STEPS_A_THROW, Rights, SeatRights, Silence, rights, seat_rights, there, undone
from kasta.tables.state import Table, evolve
from kasta.tables.view import view
from support.room import HOST, Room

DEVICES = (HOST, "anna", "tim", "stranger", "")
OTHER = {"points": "end", "take_back": False, "dice": "own", "thrower": "host", "pace": 30, "open": False}
Asked = tuple[str, bool, Command]


def at_the_table(table: Table, by: str, silence: Silence) -> Iterator[Asked]:
    """What a device may do according to its rights, with a command that does it, and that only they can refuse."""
    may, expected = rights(table, by, silence), table.next()
    dice = expected.dice if isinstance(expected, Throw) else 1
    yield "throw", may.throw or may.type_dice > 0, Roll(by, table.turn, dice * (1,))
    yield "correct", may.correct, Correct(by, table.turn, len(table.faces) * (2,))
    yield "sit", may.sit, Sit(by, f"Fresh {table.seq}")
    yield "seat_bot", may.seat_bot, Sit(by, f"Fresh {table.seq}", bot="random")
    for name, other in OTHER.items():
        value = other if getattr(table.settings, name) != other else None
        if value is not None:
            changed = Configure(by, replace(table.settings, **{name: value}))
            yield f"configure {name}", name in may.configure, changed
    if by != table.host:
        yield "take_over", may.take_over, Host(by, by)
    yield "wait", may.wait, Wait(by, f"Late {table.seq}")
    yield "close", may.close, Close(by, "00" * 32)
    if table.next_table is None:
        yield "rematch", may.rematch, Rematch(by, "t2")


def at_a_seat(table: Table, by: str, seat: int, silence: Silence) -> Iterator[Asked]:
    may, step = seat_rights(table, by, seat, silence), table.step(seat)
    yield "act", may.act, Play(by, table.turn, seat, step, action(table, seat))
    yield "take_back", may.take_back, TakeBack(by, table.turn, seat, step)
    yield "extend", may.extend, Extend(by, table.turn, seat)
    if seat not in table.coached:
        yield "hint", may.hint, AskHint(by, table.turn, seat)
    yield "rename", may.rename, Rename(by, seat, f"Fresh {table.seq}")
    yield "leave", may.leave, Leave(by, seat)
    yield "accept", may.accept, MoveSeat(by, seat, "tablet")
    if table.settings.first != seat:
        yield "start", may.start, Configure(by, replace(table.settings, first=seat))
    if there(table, seat) is None:
        place = table.places[seat]
        given = may.give_back if place.bot else may.give_to_bot
        yield "replace", given, Replace(by, seat, None if place.bot else "random")
        if place.bot:
            yield "change_bot", may.change_bot, Replace(by, seat, "weak" if place.bot != "weak" else "greedy")
        if place.bot is None and place.device != by:
            yield "make_host", may.make_host, Host(by, place.device)


def action(table: Table, seat: int) -> str:
    if table.play is None or there(table, seat) is not None:
        return "a1"
    return str(next(iter(table.game.legal(table.play, seat)), "a1"))


def asked_of(table: Table, by: str, silence: Silence) -> list[Asked]:
    seats = (each for seat in range(table.seats + 1) for each in at_a_seat(table, by, seat, silence))
    return [*at_the_table(table, by, silence), *seats]


def is_done(table: Table, command: Command, silence: Silence) -> bool:
    try:
        decide(table, command, silence)
    except KastaError:
        return False
    return True


def somewhere(rng: random.Random) -> tuple[Table, Silence]:
    """A table where some things have happened, and who is away there."""
    settings: dict[str, Any] = {
        "take_back": rng.random() < 0.7,
        "dice": rng.choice(["app", "own"]),
        "thrower": rng.choice(["turn", "turn", "host", "auto"]),
        "pace": rng.choice([None, 30]),
        "coach": rng.choice(["off", "after", "live"]),
    }
    table = Room("Anna", "Tim", game=rng.choice(["knister", "knaster", "yatzy"]), **settings).table
    silent = {device: rng.choice([0.0, 30.0, math.inf]) for device in DEVICES}

    def silence(device: str) -> float:
        return silent.get(device, 0.0)

    for _ in range(rng.randrange(60)):
        asked = [each for by in DEVICES for each in asked_of(table, by, silence)]
        usual = [each for each in asked if each[0] in {"throw", "act"} and each[1]]
        _, _, command = rng.choice(usual if usual and rng.random() < 0.9 else asked)
        if is_done(table, command, silence):
            table = evolve(table, decide(table, command, silence))
    return table, silence


@given(st.integers(0, 2**32))
@tried(max_examples=80, deadline=None)
def test_who_has_a_right_is_not_refused_and_who_has_not_is(seed: int):
    table, silence = somewhere(random.Random(seed))
    for by in DEVICES:
        for name, may, command in asked_of(table, by, silence):
            assert may == is_done(table, command, silence), (name, by, command)


@given(st.integers(0, 2**32))
@tried(max_examples=30, deadline=None)
def test_a_pick_may_be_moved_where_the_table_takes_it_back_first(seed: int):
    table, _ = somewhere(random.Random(seed))
    for by in DEVICES:
        for seat in table.places:
            before = undone(table, seat) if table.play is not None and there(table, seat) is None else None
            if before is not None and not table.is_due(seat):
                do = str(next(iter(table.game.legal(before[0], seat))))
                steps = expand(table, Play(by, table.turn, seat, table.step(seat), do))
                assert seat_rights(table, by, seat).move_pick == (len(steps) > 1 and not table.is_closed)


@pytest.mark.parametrize("name", [*Rights.__struct_fields__, *SeatRights.__struct_fields__])
def test_every_right_is_documented(name: str):
    assert f"`{name}`" in (Path(__file__).parents[2] / "docs/json-api.md").read_text("utf-8")


# What pages used to show otherwise than `decide` had it, or the other way round.


def test_a_host_without_a_seat_throws_for_a_roller_who_is_away():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    room.play(1, "a1")
    assert not rights(room.table, HOST).throw
    assert rights(room.table, HOST, lambda device: 30.0 * (device == "tim")).throw


def test_nobody_is_quicker_than_a_table_that_throws_by_itself():
    room = Room("Anna", thrower="auto")
    room.roll(1, 2)
    room.play(0, "a1")
    assert not rights(room.table, HOST).throw
    assert not rights(room.table, "anna").throw


def test_a_throw_is_not_corrected_once_its_roller_has_left():
    room = Room("Anna", "Tim", dice="own")
    room.roll(1, 2)
    assert rights(room.table, HOST).correct
    room.do(Leave("anna", 0))
    assert not rights(room.table, HOST).correct


def test_what_a_bot_does_is_not_for_the_device_that_it_sits_at():
    room = Room("Anna")
    room.do(Sit(HOST, "Robot", bot="greedy"))
    room.roll(1, 2)
    robot = view(room.table, HOST).others[1]
    assert robot.is_due
    assert not robot.is_mine
    assert not robot.may.act


def test_nothing_is_offered_that_is_more_than_enough():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    for _ in range(STEPS_A_THROW // 2):
        room.play(0, "a1")
        room.take_back(0)
    room.play(0, "a1")
    may = seat_rights(room.table, "anna", 0)
    assert not may.take_back
    assert not may.move_pick


def test_a_pick_is_moved_with_the_last_steps_that_a_throw_has():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    for _ in range(STEPS_A_THROW // 2 - 1):
        room.play(0, "a1")
        room.take_back(0)
    room.play(0, "a1")
    assert seat_rights(room.table, "anna", 0).move_pick
    for step in expand(room.table, Play("anna", 1, 0, STEPS_A_THROW - 1, "b1")):
        room.do(step)
    assert room.table.step(0) == STEPS_A_THROW + 1
    assert not seat_rights(room.table, "anna", 0).move_pick
    assert undone(room.table, 0) is None


def test_no_bot_stands_in_at_a_day_s_table():
    for day, may in ((None, True), ("2026-11-16", False)):
        room = Room("Anna")
        room.table = evolve(evolve(None, replace(room.log[0], day=day)), room.log[1])
        room.roll(1, 2)
        assert seat_rights(room.table, HOST, 0, gone("anna")).stand_in is may


def test_a_table_that_was_closed_before_it_began_offers_nothing():
    room = Room("Anna")
    room.do(Close(HOST, "00" * 32))
    seen = view(room.table, HOST, lambda _: math.inf)
    assert seen.may == type(seen.may)()
    assert all(each.may == type(each.may)() for each in seen.others)


def test_who_has_left_does_not_begin_the_rematch():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.do(Leave("tim", 1))
    room.do(Close(HOST, "00" * 32))
    assert not rights(room.table, "tim").rematch
    assert rights(room.table, "anna").rematch


def test_the_role_of_the_host_goes_to_somebody_who_plays():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.do(Leave("tim", 1))
    for device in ("tim", "stranger", HOST):
        assert not is_done(room.table, Host(HOST, device), lambda _: 0.0)
    room.do(Host(HOST, "anna"))


def test_more_time_is_for_who_has_still_to_act():
    room = Room("Anna", "Tim", pace=30)
    room.roll(1, 2)
    room.play(0, "a1")
    assert not seat_rights(room.table, "anna", 0).extend
    assert seat_rights(room.table, "tim", 1).extend


def gone(device: str) -> Silence:
    return lambda each: math.inf if each == device else 0.0


@pytest.mark.parametrize(("by", "may"), [("lost", True), ("anna", False), (HOST, True)])
def test_the_seat_of_somebody_away_is_claimed_by_who_plays_at_no_other(by: str, *, may: bool):
    room = Room("Anna", "Tim")
    assert not seat_rights(room.table, by, 1, gone("tim")).claim, "before the game begins, one sits down anew"
    room.roll(1, 2)
    assert seat_rights(room.table, by, 1, gone("tim")).claim is may
    assert not seat_rights(room.table, by, 1).claim, "Tim is there"


def test_a_seat_at_the_hosts_own_device_is_claimed_while_the_host_is_there():
    room = Room("Anna")
    room.do(Sit(HOST, "Tim"))
    room.roll(1, 2)
    assert seat_rights(room.table, "tim's phone", 1).claim
    room.do(MoveSeat(HOST, 1, "tim's phone"))
    assert not seat_rights(room.table, "lost", 1).claim


def test_a_bots_seat_is_not_claimed():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.do(Replace(HOST, 1, "greedy"), away={"tim"})
    assert not seat_rights(room.table, "lost", 1, gone("tim")).claim


def test_the_host_neither_moves_nor_gives_to_a_bot_the_seat_of_somebody_who_is_there():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    may = seat_rights(room.table, HOST, 1)
    assert not any((may.move, may.accept, may.give_to_bot, may.stand_in))
    for command in (MoveSeat(HOST, 1, "host's tablet"), Replace(HOST, 1, "greedy")):
        assert not is_done(room.table, command, gone("anna"))
        assert is_done(room.table, command, gone("tim"))


def test_only_a_seats_own_device_takes_it_along():
    room = Room("Anna", "Tim")
    assert seat_rights(room.table, "tim", 1).move
    may = seat_rights(room.table, HOST, 1, gone("tim"))
    assert may.accept
    assert not may.move


def test_a_table_takes_no_more_than_so_many_seats(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rights_module, "MOST_SEATS", 3)
    room = Room("Anna", "Tim")
    assert rights(room.table, "eva").sit
    room.do(Sit("eva", "Eva"))
    assert not rights(room.table, "bo").sit
    with pytest.raises(Illegal) as error:
        room.do(Sit("bo", "Bo"))
    assert error.value.code == "seats_closed"
