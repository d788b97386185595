"""What phones were promised is looked for in the log: whatever is wrong with a log is found."""

from __future__ import annotations

import pytest
from two_nodes import faults

from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack

GOOD: list[AnyEvent] = [Rolled(1, (3, 4)), Acted(1, 0, 0, "a1"), Acted(1, 1, 0, "b2")]
PROMISED = ["turn=1&seat=0&step=0&do=a1"]


def test_a_log_that_kept_every_promise_has_no_faults():
    assert faults([*GOOD, Rolled(2, (1, 1))], PROMISED, phones=2, rounds=1) == []


@pytest.mark.parametrize(
    ("log", "wrong"),
    [
        ([*GOOD, Rolled(1, (3, 4))], "2 throws"),
        (GOOD[1:], "0 throws"),
        ([GOOD[0], GOOD[2]], "lost: turn=1&seat=0"),
        ([*GOOD, GOOD[1]], "doubled"),
        ([*GOOD, Acted(1, 0, 1, "c3")], "picked 2 times"),
        ([*GOOD, TakenBack(1, 0, 1)], "taken back"),
        (GOOD[:2], "1 picks, not 2"),
    ],
)
def test_a_log_that_lost_or_doubled_something_is_found_out(log: list[AnyEvent], wrong: str):
    assert any(wrong in each for each in faults(log, PROMISED, phones=2, rounds=1))
