"""What clients were promised is looked for in the log: whatever is wrong with it is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from kasta.tables.commands import Sit
from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack
from kasta.wire.tables import tell
from soak.history import untrue
from soak.ledger import Ledger, Promise, broken
from support.room import HOST, Room

GOOD: list[AnyEvent] = [Rolled(1, (3, 4)), Acted(1, 0, 0, "a1"), Acted(1, 1, 0, "b2"), Rolled(2, (1, 1))]
PROMISED = [Promise(1, 0, 0, "a1"), Promise(1, 1, 0, "b2")]


def test_a_log_that_kept_every_promise_is_whole():
    assert broken(PROMISED, GOOD) == []
    assert broken(PROMISED[:1], GOOD) == [], "an answer may have been lost"


@pytest.mark.parametrize(
    ("log", "wrong"),
    [
        ([GOOD[0], *GOOD[2:]], "lost: Promise(turn=1, seat=0"),
        ([GOOD[0], Acted(1, 0, 0, "c3"), *GOOD[2:]], "lost: Promise(turn=1, seat=0"),
        ([*GOOD[:3], GOOD[2]], "doubled: (1, 1, 0)"),
        ([GOOD[0], *GOOD], "doubled: turn 1 has 2 throws"),
        (GOOD[1:], "lost: turn 1 has 0 throws"),
        ([GOOD[3], *GOOD[:3]], "out of order"),
        ([*GOOD, TakenBack(1, 0, 1)], "taken back"),
    ],
)
def test_a_log_that_broke_a_promise_is_found_out(log: list[AnyEvent], wrong: str):
    assert any(wrong in each for each in broken(PROMISED, log))


def test_a_pick_that_was_acknowledged_twice_is_found_out():
    assert broken([*PROMISED, PROMISED[0]], GOOD) == [f"doubled: {PROMISED[0]} was acknowledged twice"]


def test_only_503_is_a_servers_fault_that_is_allowed():
    ledger = Ledger()
    for status in (200, 303, 404, 429, 503, 500, 502):
        ledger.answered(status, "asked")
    assert ledger.wrong == ["asked: 500", "asked: 502"]


def test_what_was_taken_back_must_have_been_asked_for():
    back = Promise(1, 0, 1, None)
    assert broken([*PROMISED, back], [*GOOD[:2], TakenBack(1, 0, 1), *GOOD[2:]], {back}) == []


def test_a_throw_that_is_not_there_is_found_out():
    assert any("a throw is missing" in each for each in broken([], [Rolled(1, (3, 4)), Rolled(3, (1, 1))]))


@pytest.fixture
def room() -> Room:
    """Anna has picked, and Tim has not."""
    room = Room("Anna", "Tim")
    room.roll(3, 4)
    room.play(0, "a1")
    return room


def told(room: Room, device: str) -> dict[str, Any]:
    state = tell(room.table, device, lambda _: 0.0)
    answer: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return answer


def found(room: Room, answer: dict[str, Any]) -> list[str]:
    ledger = Ledger()
    ledger.hear(answer, known=0)
    return untrue(ledger.histories["t1"], room.log)


def test_what_our_own_views_tell_is_true_throughout_a_game(room: Room):
    for number in range(1, 5):
        assert found(room, told(room, "anna")) == found(room, told(room, "tim")) == []
        room.play(1, f"b{number}")
        room.roll(1, 1)
        room.play(0, f"c{number}")


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda answer: answer["seats"][1].update(sheet=answer["seats"][0]["sheet"]), "early: the sheet of seat"),
        (lambda answer: answer["seats"][0].update(total=3), "early: the total of seat"),
        (lambda answer: answer.update(faces=[1, 1]), "early: (1, 1) was told"),
        (lambda answer: answer.update({"secret": "00"}), "early: the secret"),
        (lambda answer: answer.update(next="over"), "early: the end"),
        (lambda answer: answer.update(seq=99), "lost: an answer told of an event"),
    ],
)
def test_an_answer_that_told_too_much_is_found_out(room: Room, wrong: Callable[[Any], None], name: str):
    answer = told(room, "anna")
    wrong(answer)
    assert any(name in each for each in found(room, answer))


def test_an_answer_that_is_older_than_what_was_known_is_found_out(room: Room):
    ledger = Ledger()
    ledger.hear(told(room, "anna"), known=room.table.seq + 1)
    assert ledger.wrong[0].startswith("stale: t1")


@pytest.mark.parametrize(("asked", "is_early"), [(False, True), (True, False)])
def test_a_pick_that_a_stream_told_before_anybody_asked_for_a_throw_is_found_out(
    room: Room, *, asked: bool, is_early: bool
):
    ledger = Ledger()
    ledger.hear(told(room, "tim"), known=0)
    ledger.histories["t1"].thrown |= {1} if asked else set()
    ledger.reveal("t1", Acted(1, 0, 0, "a1"))
    assert bool(untrue(ledger.histories["t1"], room.log)) is is_early


@pytest.mark.parametrize("asked", [True, False])
def test_who_hears_of_picks_after_a_throw_of_a_bot_hears_of_them_in_time_if_all_were_asked_for(*, asked: bool):
    room = Room("Anna")
    room.do(Sit(HOST, "Robot", bot="greedy"))
    room.roll(3, 4)
    room.play(0, "a1")
    room.play(1, "a1", by="")
    ledger = Ledger()
    ledger.hear(told(room, "tim"), known=0)
    ledger.histories["t1"].asked |= {Promise(1, 0, 0, "a1")} if asked else set()
    ledger.reveal("t1", Acted(1, 0, 0, "a1"))
    room.roll(1, 1, by="")
    assert bool(untrue(ledger.histories["t1"], room.log)) is not asked
