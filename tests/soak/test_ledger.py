"""What clients were promised is looked for in the log: whatever is wrong with it is found."""

from __future__ import annotations

import pytest

from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack
from soak.ledger import Ledger, Promise, broken

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
        ([GOOD[0], *GOOD], "turn 1: 2 throws"),
        (GOOD[1:], "turn 1: 0 throws"),
        ([GOOD[3], *GOOD[:3]], "out of order"),
        ([*GOOD, TakenBack(1, 0, 1)], "taken back"),
    ],
)
def test_a_log_that_broke_a_promise_is_found_out(log: list[AnyEvent], wrong: str):
    assert any(wrong in each for each in broken(PROMISED, log))


def test_a_pick_that_was_acknowledged_twice_is_found_out():
    assert broken([*PROMISED, PROMISED[0]], GOOD) == [f"acknowledged twice: {PROMISED[0]}"]


def test_only_503_is_a_servers_fault_that_is_allowed():
    ledger = Ledger()
    for status in (200, 303, 404, 429, 503, 500, 502):
        ledger.answered(status, "asked")
    assert ledger.wrong == ["asked: 500", "asked: 502"]
