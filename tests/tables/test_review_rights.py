"""A review is one's own, of a game that is over, until one shows it to the table."""

from __future__ import annotations

import pytest

from kasta.core import Throw
from kasta.tables import review_rights
from kasta.tables.commands import Close, ShowReview, Sit
from kasta.tables.rights import check
from support.play import refused
from support.room import HOST, Room


def played(*people: str, **settings: str) -> Room:
    """A game that was ended after its first round."""
    room = Room(*people, game="knister", dice="own", **settings)
    room.roll(3, 4)
    for seat in range(len(people)):
        room.play(seat, "a1")
    assert isinstance(room.table.next(), Throw)
    room.do(Close(HOST, "00"))
    return room


def test_nothing_is_seen_before_the_end():
    room = Room("Anna", "Tim", game="knister", dice="own")
    room.roll(3, 4)
    room.play(0, "a1")
    for by, seat in (("anna", 0), ("tim", 0), (HOST, 0)):
        with refused("not_over"):
            check(review_rights.see(room.table, by, seat))
    with refused("not_over"):
        room.do(ShowReview("anna", 0, shown=True))


def test_only_its_own_device_sees_a_review_until_it_is_shown():
    room = played("Anna", "Tim")
    assert review_rights.see(room.table, "anna", 0) is None
    for by in ("tim", HOST, "a stranger"):
        with refused("review_not_shown"):
            check(review_rights.see(room.table, by, 0))
    with refused("not_your_seat"):
        room.do(ShowReview("tim", 0, shown=True))
    room.do(ShowReview("anna", 0, shown=True))
    assert [review_rights.shown(room.table, by) for by in ("tim", HOST, "anna", "a stranger")] == [
        [0],
        [0],
        [],
        [],
    ]
    with refused("review_not_shown"):
        check(review_rights.see(room.table, "a stranger", 0))
    with refused("nothing_changes"):
        room.do(ShowReview("anna", 0, shown=True))
    room.do(ShowReview("anna", 0, shown=False))
    with refused("review_not_shown"):
        check(review_rights.see(room.table, "tim", 0))


def test_a_programs_review_is_nobodys_secret_but_strangers():
    room = Room("Anna", game="knister", dice="own")
    room.do(Sit(HOST, "Robo", bot="greedy"))
    room.roll(3, 4)
    room.do(Close(HOST, "00"))
    assert review_rights.shown(room.table, "anna") == [1]
    assert review_rights.own(room.table, HOST) == []
    with refused("review_not_shown"):
        check(review_rights.see(room.table, "a stranger", 1))


@pytest.mark.parametrize(("seats", "is_hall"), [(30, False), (31, True)])
def test_in_a_hall_everybody_sees_their_own_and_nothing_else(seats: int, is_hall: bool):  # noqa: FBT001
    room = played(*(f"P{number}" for number in range(seats)))
    assert review_rights.see(room.table, "p1", 1) is None
    if is_hall:
        with refused("hall_reviews"):
            room.do(ShowReview("p0", 0, shown=True))
    else:
        room.do(ShowReview("p0", 0, shown=True))
        assert review_rights.see(room.table, "p1", 0) is None


def test_a_seat_that_is_not_there_is_refused():
    room = played("Anna")
    with refused("no_such_seat"):
        check(review_rights.see(room.table, "anna", 5))


@pytest.mark.parametrize(("people", "shown"), [(29, [29]), (30, [])])
def test_what_bots_played_is_shown_to_all_but_a_hall(people: int, shown: list[int]):
    room = Room(*(f"P{number}" for number in range(people)))
    room.do(Sit(HOST, "Pixel", bot="greedy"))
    assert [review_rights.shown(room.table, by) for by in ("p0", HOST, "a stranger")] == [shown, shown, []]


def test_a_seat_that_is_not_there_has_no_review():
    with refused("no_such_seat") as caught:
        check(review_rights.see(played("Anna", "Tim").table, "anna", 2))
    assert caught.value.params == {"seat": 2, "last": 1}
