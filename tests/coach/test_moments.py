"""What a review shows first: praise for everybody, three lessons at most, and no mark that is in doubt."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kasta.coach.marks import BAD_MARKS, mark
from kasta.coach.moments import MOST, best_moments, good_choices, lessons
from kasta.coach.review import Move
from kasta.coach.reviewed import ReviewedMove

SPREAD = 10.0


def decided(line: int, chosen: int, values: list[float], mark: str | None = None) -> ReviewedMove:
    """A decision among options of these values, best first."""
    options = tuple((f"o{place}", value, 0.0) for place, value in enumerate(values))
    lost = values[0] - values[chosen]
    return ReviewedMove(line, line, (1, 2), f"o{chosen}", "o0", lost, 0.0, 0.0, mark, options)


@pytest.mark.parametrize(
    ("lost", "error", "expected"),
    [
        (0.83, 1.13, None),
        (0.83, 0.3, "doubtful"),
        (1.3, 1.2, None),
        (1.3, 0.6, None),
        (1.3, 0.4, "bad"),
        (1.3, 0.0, "very_bad"),
        (0.3, 0.0, "doubtful"),
    ],
)
def test_a_mark_is_for_what_was_given_away_for_certain(lost: float, error: float, expected: str | None):
    move = Move(1, 1, (1, 2), "a1", "b2", lost, error, 0.0, [], None)
    assert mark(move, SPREAD) == expected


values = st.lists(st.floats(0, 50), min_size=2, max_size=6).map(lambda found: sorted(found, reverse=True))
moves = st.lists(
    st.builds(
        decided,
        st.integers(1, 99),
        st.integers(0, 1),
        values,
        st.sampled_from([None, "lucky", *BAD_MARKS, "stand_in"]),
    ),
    max_size=30,
    unique_by=lambda move: move.line,
)


def test_of_good_choices_those_are_praised_of_which_something_can_be_said():
    found = [decided(line, 0, [20.0 - line, 0.0]) for line in range(1, 9)]
    assert [move.line for move in best_moments(found)] == [1, 2, 3]
    assert [move.line for move in best_moments(found, lambda move: move.line in {2, 5, 6, 7})] == [2, 5, 6]
    assert [move.line for move in best_moments(found, lambda move: move.line == 4)] == [1, 2, 4]


@given(moves)
def test_nothing_is_praised_and_taught_at_once_and_neither_is_a_list_of_everything(found: list[ReviewedMove]):
    taught, proud = lessons(found), best_moments(found)
    assert len(taught) <= MOST
    assert len(proud) <= MOST
    assert all(move.mark in BAD_MARKS for move in taught)
    assert not {move.line for move in taught} & {move.line for move in proud}
    assert all(move.mark != "stand_in" for move in proud)
    assert len(proud) <= 1 or not any(move.mark in BAD_MARKS for move in proud)
    for told in (taught, proud):
        assert [move.line for move in told] == sorted(move.line for move in told)
    rest = [move.lost for move in found if move.mark in BAD_MARKS and move not in taught]
    assert max(rest, default=0) <= min((move.lost for move in taught), default=0)


def test_who_errs_all_the_time_is_praised_for_what_came_closest():
    found = [decided(line, 1, [10.0, 10.0 - line, 2.0 - line], "very_bad") for line in range(1, 16)]
    assert [move.line for move in lessons(found)] == [13, 14, 15]
    assert len(best_moments(found)) == 1
    assert good_choices(found) == (0, 15)


def test_good_choices_come_before_those_that_were_merely_far_ahead():
    found = [
        decided(1, 0, [10.0, 9.0]),
        decided(2, 0, [10.0, 2.0]),
        decided(3, 1, [40.0, 30.0, 1.0, 1.0], "doubtful"),
        decided(4, 0, [10.0, 5.0]),
    ]
    assert [move.line for move in best_moments(found)] == [1, 2, 4]
    assert good_choices(found) == (3, 4)
