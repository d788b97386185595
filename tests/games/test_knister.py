"""Knister, as its three sheets and RULINGS.md tell it."""

import pytest

from kasta.core import Over, Pick, Throw
from kasta.games.knister import Knister
from kasta.games.knister.traits import TRAITS
from support.oracles import LINES, cells, drawing
from support.play import choices, played, refused, shows

KNISTER = Knister()
EMPTY = "\n".join([". . . . ."] * 5)

HANDS = [
    # the sheets' examples
    ("4-5-6-7-5", "pair", 1),
    ("7-8-7-7-4", "three_of_a_kind", 3),
    ("6-3-6-6-6", "four_of_a_kind", 6),
    ("8-8-8-8-8", "five_of_a_kind", 10),
    ("5-6-6-10-5", "two_pairs", 3),
    ("4-9-4-4-9", "full_house", 8),
    ("7-10-8-6-9", "straight_with_7", 8),
    ("3-5-6-2-4", "straight_without_7", 12),
    ("4-5-6-7-8", "straight_with_7", 8),
    ("5-7-8-4-6", "straight_with_7", 8),
    # a 7 at either end, the two straights without one
    ("3-4-5-6-7", "straight_with_7", 8),
    ("7-8-9-10-11", "straight_with_7", 8),
    ("2-3-4-5-6", "straight_without_7", 12),
    ("12-11-10-9-8", "straight_without_7", 12),
    # four in a row are no straight, and 12 is not followed by 2
    ("4-5-6-7-9", None, 0),
    ("4-5-6-7-7", "pair", 1),
    ("11-12-2-3-4", None, 0),
    ("2-4-6-8-10", None, 0),
]


def sheet_with(line: str, numbers: str) -> str:
    """An empty sheet but for the numbers of one line."""
    return drawing(cells(EMPTY) | dict(zip(LINES[line].split(), numbers.split("-"), strict=True)))


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("numbers", "hand", "points"), HANDS)
def test_a_line_scores_its_hand_and_diagonals_double(line: str, numbers: str, hand: str | None, points: int):
    sheet = played(KNISTER, sheet_with(line, numbers))
    found = {str(score.line): score for score in KNISTER.lines(sheet)}
    assert list(found) == list(LINES)
    assert found[line].hand == hand
    assert KNISTER.total(sheet) == found[line].points == (points * 2 if line in "\\/" else points)


def test_a_line_that_is_not_full_scores_nothing_yet():
    sheet = played(
        KNISTER,
        """
        8 8 8 8 .
        . 8 . 8 .
        . 8 8 . 8
        . . . . .
        8 . . . 8
        """,
    )
    assert KNISTER.total(sheet) == 0


def test_sarah_throws_eight_and_everybody_writes_it_where_they_like():
    for cell in ("c3", "a5", "e2"):  # Sarah in the middle, Tim down left, Linus at the right edge
        sheet = played(KNISTER, EMPTY, (3, 5), cell)
        assert shows(KNISTER, sheet, drawing(cells(EMPTY) | {cell: "8"}))


def test_tim_notes_eight_points_for_a_full_house_after_nine_rounds():
    # Constructed: the sheets show his nine numbers only as a picture.
    sheet = played(
        KNISTER,
        """
        .  .  7  .  .
        6  9  6  9  6
        .  .  8  .  .
        .  .  .  .  .
        8  .  .  .  5
        """,
    )
    assert [(str(s.line), s.hand, s.points) for s in KNISTER.lines(sheet) if s.hand] == [("2", "full_house", 8)]


def test_tim_has_53_points():
    # Constructed: 6 for a three of a kind and 16 for a straight with 7 on the diagonals, two lines without a hand.
    sheet = played(
        KNISTER,
        """
         9  2  6  8  5
        12  9  7  8  8
         4  4  7  4  7
        11  6 12  6  6
         9  3  3  3  9
        """,
    )
    assert [(str(s.line), s.hand, s.points) for s in KNISTER.lines(sheet)] == [
        ("1", None, 0),
        ("2", "pair", 1),
        ("3", "full_house", 8),
        ("4", "three_of_a_kind", 3),
        ("5", "full_house", 8),
        ("a", "pair", 1),
        ("b", None, 0),
        ("c", "pair", 1),
        ("d", "pair", 1),
        ("e", "straight_with_7", 8),
        ("\\", "three_of_a_kind", 6),
        ("/", "straight_with_7", 16),
    ]
    assert KNISTER.total(sheet) == 53


def test_the_largest_total_is_168():
    # No hand pays more than 12: ten lines and two that count double are worth 14 x 12 at most.
    sheet = played(
        KNISTER,
        """
        2 3 4 5 6
        4 5 6 2 3
        6 2 3 4 5
        3 4 5 6 2
        5 6 2 3 4
        """,
    )
    assert KNISTER.total(sheet) == 168


THREE_LEFT = """
    2 3 4 5 6
    4 . 6 2 3
    6 2 3 4 5
    3 4 5 6 .
    . 6 2 3 4
"""


def test_any_free_cell_may_be_written():
    assert choices(KNISTER, played(KNISTER, THREE_LEFT, (6, 6))) == "a5 b2 e4"


def test_the_sum_cannot_be_written_into_a_taken_cell():
    with refused("cell_taken") as error:
        played(KNISTER, THREE_LEFT, (6, 6), "a1")
    assert error.value.params["legal"] == "b2, e4, a5"


def test_nothing_is_written_before_a_throw():
    with refused("throw_first"):
        played(KNISTER, EMPTY, "c3")


def test_one_throw_is_written_once():
    with refused("throw_first"):
        played(KNISTER, EMPTY, (3, 5), "c3", "c4")


def test_the_next_throw_waits_until_the_sum_is_written():
    with refused("picks_owed"):
        played(KNISTER, EMPTY, (3, 5), (3, 5))


def test_the_game_is_over_after_25_rounds():
    sheet = KNISTER.start()
    for cell in KNISTER.grid.cells:
        assert KNISTER.next(sheet) == Throw(2)
        sheet = KNISTER.throw(sheet, (6, 1))
        assert isinstance(KNISTER.next(sheet), Pick)
        sheet = KNISTER.act(sheet, cell)
    assert KNISTER.next(sheet) == Over()
    assert KNISTER.total(sheet) == 14 * 10  # twelve fives of a kind
    with refused("game_over"):
        KNISTER.throw(sheet, (6, 1))
    with refused("game_over"):
        KNISTER.act(sheet, KNISTER.grid.cells[0])


@pytest.mark.parametrize(
    ("languages", "borders"),
    [
        ("sv nb en", {"good": (50, 79), "very good": (80, 99), "outstanding": (100, 168)}),
        ("de fr", {"good": (51, 80), "very good": (81, 100), "outstanding": (101, 168)}),
    ],
)
def test_solo_verdicts_follow_the_edition(languages: str, borders: dict[str, tuple[int, int]]):
    for language in languages.split():
        least = TRAITS.verdicts(language)
        for total in range(169):
            said = max((name for name in least if least[name] <= total), key=least.__getitem__, default=None)
            meant: list[str | None] = [name for name, (low, high) in borders.items() if low <= total <= high]
            assert [said] == (meant or [None])


def test_a_sheet_has_no_circles():
    with refused("no_circles_here"):
        KNISTER.read_sheet(EMPTY.replace(".", "(7)", 1))
