"""Who may sit, leave, host and set what."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Any

import pytest

from kasta.core import Seat, Throw
from kasta.errors import Conflict, Illegal, KastaError, Unreadable
from kasta.tables.commands import (
    Agree,
    Close,
    Command,
    Configure,
    Extend,
    Host,
    Leave,
    MoveSeat,
    Rematch,
    Rename,
    Replace,
    Sit,
    TakeBack,
    Wait,
)
from kasta.tables.events import Agreed, Settings
from kasta.tables.names import BOTS, bot_name, folded
from kasta.tables.rights import SEATS_A_DEVICE, rights
from support.room import HOST, Room


def refused(room: Room, command: Command, *, away: Collection[str] = ()) -> str:
    """The code of the error that a command meets, which changes nothing."""
    before = room.table
    with pytest.raises(KastaError) as caught:
        room.do(command, away=away)
    assert str(caught.value)
    assert room.table == before
    return caught.value.code


def test_people_sit_down_in_order_and_the_first_of_them_throws_first():
    room = Room("Anna", "Tim", "Linus")
    assert [place.name for _, place in sorted(room.table.places.items())] == ["Anna", "Tim", "Linus"]
    assert room.table.next() == Throw(2, 0)


def test_the_host_says_who_starts():
    room = Room("Anna", "Tim", "Linus")
    room.do(Configure(HOST, Settings(first=2)))
    assert room.table.next() == Throw(2, 2)
    room.roll(3, 5)
    for seat in range(3):
        room.play(seat, "c3")
    assert room.table.next() == Throw(2, 0)


def test_one_device_may_hold_several_seats_but_not_any_number():
    room = Room()
    for number in range(SEATS_A_DEVICE):
        room.do(Sit("family", f"Person {number}"))
    assert refused(room, Sit("family", "One more")) == "too_many_seats"
    room.do(Sit("neighbour", "Bo"))
    assert refused(room, MoveSeat("neighbour", SEATS_A_DEVICE, "family")) == "too_many_seats"
    room.do(MoveSeat("neighbour", SEATS_A_DEVICE, "neighbour's tablet"))


def test_nobody_joins_after_the_first_throw():
    room = Room("Anna")
    room.roll(1, 2)
    assert refused(room, Sit("tim", "Tim")) == "seats_closed"


def test_nobody_joins_a_locked_table():
    room = Room("Anna")
    room.do(Configure(HOST, Settings(open=False)))
    assert refused(room, Sit("tim", "Tim")) == "seats_closed"


def test_a_seat_given_up_before_the_first_throw_is_gone_and_the_others_keep_their_numbers():
    room = Room("Anna", "Tim", "Linus")
    room.do(Leave("tim", 1))
    room.do(Sit("sara", "Tim"))
    assert sorted(room.table.places) == [0, 2, 3]
    room.roll(1, 2)
    assert room.table.owing == 3
    for seat in (3, 2, 0):
        room.play(seat, "a1")
    assert room.table.next() == Throw(2, 2)


def test_who_leaves_later_owes_nothing_and_is_passed_over():
    room = Room("Anna", "Tim", "Linus")
    room.roll(1, 2)
    room.play(0, "a1")
    room.do(Leave(HOST, 1))
    assert room.table.owing == 1
    room.play(2, "a1")
    assert room.table.next() == Throw(2, 2)


@pytest.mark.parametrize("command", [Leave("anna", 1), Rename("anna", 1, "X"), MoveSeat("anna", 1, "anna")])
def test_nobody_disposes_of_anothers_seat(command: Command):
    assert refused(Room("Anna", "Tim"), command) == "not_your_seat"


@pytest.mark.parametrize(
    "command",
    [
        Configure("anna", Settings()),
        Host("anna", "anna"),
        Replace("anna", 1, "greedy"),
        Sit("anna", "Robot", bot="greedy"),
        Close("anna"),
    ],
)
def test_what_is_the_hosts_is_the_hosts(command: Command):
    assert refused(Room("Anna", "Tim"), command) == "host_only"


def test_the_host_hands_the_role_on():
    room = Room("Anna", "Tim")
    room.do(Host(HOST, "tim"))
    assert room.table.host == "tim"
    assert refused(room, Configure(HOST, Settings())) == "host_only"


def test_the_first_seat_takes_over_from_a_host_who_is_away_and_nobody_else_does():
    room = Room("Anna", "Tim")
    assert refused(room, Host("tim", "tim"), away={HOST}) == "host_only"
    room.do(Host("anna", "anna"), away={HOST})
    assert room.table.host == "anna"


@pytest.mark.parametrize(("seconds", "may"), [(21, False), (59, False), (60, False), (61, True)])
def test_a_host_is_away_after_a_minute(seconds: int, *, may: bool):
    assert rights(Room("Anna", "Tim").table, "anna", lambda device: seconds * (device == HOST)).take_over is may


def test_a_seat_moves_to_another_device_and_the_old_one_is_signed_out():
    room = Room("Anna", "Tim")
    room.roll(2, 2)
    room.do(MoveSeat(HOST, 0, "anna's tablet"), away={"anna"})
    with pytest.raises(Illegal, match="another device"):
        room.play(0, "c3", by="anna")
    room.play(0, "c3", by="anna's tablet")


def test_a_bot_plays_on_for_a_seat_until_its_person_is_back():
    room = Room("Anna", "Tim")
    room.roll(2, 2)
    room.do(Replace(HOST, 0, "greedy"), away={"anna"})
    with pytest.raises(Illegal, match="A bot plays"):
        room.play(0, "c3", by="anna")
    room.play(0, "c3", by="")
    room.do(Replace("anna", 0, None))
    assert not room.table.bots


def test_settings_that_change_the_game_are_set_before_it():
    room = Room("Anna")
    room.roll(1, 1)
    assert refused(room, Configure(HOST, Settings(points="end"))) == "set_before_start"
    room.do(Configure(HOST, Settings(thrower="auto", pace=60)))
    assert refused(room, Configure(HOST, Settings(thrower="auto", pace=0))) == "pace_too_short"


def test_a_closed_table_takes_nothing_more():
    room = Room("Anna")
    room.do(Close(HOST, "00" * 32))
    assert refused(room, Sit("tim", "Tim")) == "table_closed"


def test_there_is_one_rematch_and_only_after_the_end():
    room = Room("Anna")
    assert refused(room, Rematch("anna", "t2")) == "not_over"
    solo: Any = room.table.game.solo
    for cell in solo.grid.cells:
        room.roll(3, 4)
        room.play(0, str(cell))
    assert refused(room, Rematch("stranger", "t2")) == "not_seated"
    room.do(Rematch("anna", "t2"))
    with pytest.raises(Conflict) as second:
        room.do(Rematch(HOST, "t3"))
    assert second.value.params == {"table": "t2"}


@pytest.mark.parametrize(
    ("taken", "wanted", "offer"),
    [
        ("Anna", "Anna", "Anna 2"),
        ("Anna", "aNNA", "aNNA 2"),
        ("Anna", "Ann\u0430", "Ann\u0430 2"),  # the last letter is Cyrillic
        ("Åsa", "A\u030asa", "Åsa 2"),
        ("Lo", "L0", "L0 2"),
        ("Ann Mari", "Annmari", "Annmari 2"),
    ],
)
def test_a_name_that_could_be_mistaken_for_anothers_is_taken_and_a_free_one_offered(
    taken: str, wanted: str, offer: str
):
    room = Room(taken)
    with pytest.raises(Illegal) as caught:
        room.do(Sit("second", wanted))
    assert caught.value.code == "name_taken"
    assert caught.value.params["offer"] == offer
    room.do(Sit("second", offer))


def test_the_name_of_somebody_who_waits_is_offered_to_nobody():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.do(Wait("eva", "Tim 2"))
    with pytest.raises(Illegal) as caught:
        room.do(Wait("bo", "Tim"))
    assert caught.value.params["offer"] == "Tim 3"


def test_a_name_that_is_offered_is_nobodys():
    with pytest.raises(Illegal) as caught:
        Room("Anna", "Anna 2").do(Sit("x", "anna"))
    assert caught.value.params["offer"] == "anna 3"


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 21, "a\nb\x07", "\ud800", "\u3164", "e" + "\u0301" * 200]
    + [f"a{sign}b" for sign in "\u202e\u200b\x00\ufe00\ufe0e"],
)
def test_a_name_is_something_that_can_be_seen_and_read(name: str):
    with pytest.raises(Unreadable):
        Room().do(Sit("x", name))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Bo",
            "Åsa-Märta",
            "O'Neill",
            "Łukasz",
            "李小龍",
            "👍🏻" * 20,
            "👍🏿" * 20,
            "<b>Eve</b>",
            "e\u0301" * 20,
        ),
        "q\u0301\u0316\u0323" * 20,  # as long as a name can be
    ],
)
def test_a_name_may_be_what_people_are_called(name: str):
    assert Room(name).table.places[0].name == unicodedata.normalize("NFC", name)


def test_a_name_has_no_more_marks_than_fit():
    assert refused(Room(), Sit("x", "q\u0301\u0316\u0323\u0324" + "q\u0301\u0316\u0323" * 19)) == "name_length"


def test_bots_have_ten_names_and_then_the_same_with_a_number():
    assert bot_name(set()) == BOTS[0]
    assert bot_name({folded(name) for name in BOTS[:3]}) == BOTS[3]
    assert bot_name({folded(name) for name in (*BOTS, f"{BOTS[0]} 2")}) == f"{BOTS[1]} 2"


def test_spaces_around_and_within_a_name_are_put_in_order():
    room = Room()
    room.do(Sit("x", "  Anna   Lena "))
    assert room.table.places[0].name == "Anna Lena"


def test_the_same_person_may_rename_to_a_look_alike_of_the_own_name():
    room = Room("anna")
    room.do(Rename("anna", 0, "Anna"))
    assert room.table.places[0].name == "Anna"


@pytest.mark.parametrize("entropy", ["x" * 64, "å" * 32])
def test_entropy_may_be_as_long_as_its_limit(entropy: str):
    room = Room()
    room.do(Sit("x", "X", entropy=entropy))
    assert room.table.places[0].entropy == entropy


@pytest.mark.parametrize("entropy", ["x" * 65, "å" * 33, "\ud800"])
def test_entropy_has_a_limit(entropy: str):
    with pytest.raises(Unreadable):
        Room().do(Sit("x", "X", entropy=entropy))


def test_more_time_can_be_had_ten_times_on_a_throw_where_there_is_a_limit():
    unhurried, room = Room("Anna"), Room("Anna", pace=20)
    unhurried.roll(1, 2)
    assert refused(unhurried, Extend("anna", 1, 0)) == "no_hurry"
    room.roll(1, 2)
    for _ in range(10):
        room.do(Extend("anna", 1, 0))
    assert refused(room, Extend("anna", 1, 0)) == "too_many_extensions"
    assert room.table.more_time == 10
    room.play(0, "a1")
    room.roll(1, 2)
    assert room.table.more_time == 0
    assert refused(room, Extend("anna", 1, 0)) == "stale"
    room.do(Extend("anna", 2, 0))


@pytest.mark.parametrize("late", [TakeBack("tim", 0, 0, 5), Extend("tim", 0, 0)], ids=["take back", "extend"])
def test_who_may_not_act_for_a_seat_is_told_so_however_late(late: Command):
    room = Room("Anna", "Tim", pace=20)
    room.roll(1, 2)
    assert refused(room, late) == "not_your_seat"


@pytest.mark.parametrize(
    "again",
    [Leave(HOST, 1), Rename(HOST, 1, "X"), Replace(HOST, 1, "greedy"), MoveSeat(HOST, 1, "x")],
)
def test_who_has_left_is_left_alone(again: Command):
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.do(Leave(HOST, 1))
    assert refused(room, again) == "seat_left"


def test_a_host_who_plays_along_is_followed_by_the_first_of_the_others_who_is_still_there():
    room = Room("Anna", "Tim", "Linus")
    room.do(Host(HOST, "anna"))
    room.roll(1, 2, by="anna")
    room.do(Leave("tim", 1))
    assert refused(room, Host("tim", "tim"), away={"anna"}) == "host_only"
    room.do(Host("linus", "linus"), away={"anna"})


def test_no_person_comes_back_to_the_seat_of_a_bot_which_can_get_stronger():
    room = Room("Anna")
    room.do(Sit(HOST, "Pixel", bot="greedy"))
    room.roll(1, 2)
    assert refused(room, Replace(HOST, 1, None)) == "bot_plays_here"
    assert refused(room, MoveSeat(HOST, 1, "tablet")) == "bot_plays_here"
    room.do(Replace(HOST, 1, "anything"))
    assert room.table.bots[1] == "anything"


def test_whoever_comes_too_late_waits_under_a_name_of_their_own_unless_the_doors_are_locked():
    room = Room("Anna", "Tim")
    assert refused(room, Wait("eva", "Eva")) == "seats_closed"  # there is a seat for her
    room.roll(1, 2)
    assert refused(room, Wait("tim", "Other")) == "nothing_changes"
    assert refused(room, Wait("eva", "TIM")) == "name_taken"
    room.do(Wait("eva", "Eva"))
    assert refused(room, Wait("eva", "Eva again")) == "nothing_changes"
    assert refused(room, Rename("tim", 1, "eva")) == "name_taken"
    room.do(Configure(HOST, Settings(open=False)))
    assert refused(room, Wait("bo", "Bo")) == "seats_closed"


def test_a_hundred_may_wait_and_no_more():
    room = Room("Anna")
    room.roll(1, 2)
    for number in range(100):
        room.do(Wait(f"guest {number}", f"Guest {number}"))
    assert refused(room, Wait("late", "Late")) == "seats_closed"


@pytest.mark.parametrize(("wished", "kept"), [(0, 1), (-7, 1), (5, 5), (10**9, 99), (None, None)])
def test_an_evening_is_of_one_game_to_99(wished: int | None, kept: int | None):
    room = Room("Anna")
    room.do(Agree(HOST, wished))
    assert room.table.agreed == Agreed(kept)


def test_the_host_agrees_on_levels_that_there_are_for_who_is_there():
    room = Room("Anna", "Tim")
    assert refused(room, Agree("anna", 3)) == "host_only"
    assert refused(room, Agree(HOST, 3, ((Seat(2), "weak"),))) == "no_such_seat"
    assert refused(room, Agree(HOST, 3, ((Seat(0), "weak"), (Seat(1), "odd")))) == "unknown_bot"


def test_a_bot_of_ours_is_no_program_of_somebody_else():
    room = Room()
    room.do(Sit(HOST, "Pixel", bot="greedy", program=True))
    room.do(Sit("bridge", "Engine", program=True))
    room.do(Sit("anna", "Anna"))
    assert [room.table.places[seat].is_engine for seat in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    "name", ["Zoë", "Nguyễn", "ณัฐวุฒิ์", "שָׁלוֹם", "प्रियाँशु", "Ka\u0304\u0301\u0308\u0323", "q\u0301\u0316\u0323\u0324"]
)
def test_a_name_keeps_the_marks_that_people_write(name: str):
    assert Room(name).table.places[0].name


@pytest.mark.parametrize("name", ["Z" + "\u0301" * 78, "Zoe" + "\u0301\u0316" * 3])
def test_a_letter_with_a_tower_of_marks_is_no_name(name: str):
    assert refused(Room(), Sit("zoe", name)) == "name_marks"
