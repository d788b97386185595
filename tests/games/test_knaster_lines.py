"""Circles that completed lines of Knaster earn, as its French sheet and RULINGS.md tell it."""

from itertools import permutations

import pytest

from kasta.core import Throw
from kasta.games.knaster import Knaster, Sheet
from support.oracles import LINES, cells, drawing
from support.play import choices, played, refused, shows

KNASTER = Knaster()
EMPTY = "\n".join([". . . . ."] * 5)
BELOW_ROW_1 = "\n" + "\n".join([". . . . ."] * 4)

# c3 as a 7 completes row 3 (a straight, owes 3) and column c (a full house, only c3 and c5 uncircled, owes 2).
CROSSING = """
    .   .  (7)  .   .
    .   .  (7)  .   .
    5   6   .   8   9
    .   .  (4)  .   .
    .   .   4   .   .
"""

# c3 as a 7 completes four straights.
STAR = """
    5   .   5   .   9
    .   6   6   8   .
    5   6   .   8   9
    .   6   8   8   .
    5   .   9   .   9
"""


def circles_drawn(sheet: Sheet) -> int:
    """How many circles a sheet still owes, drawing always the first that is legal."""
    drawn = 0
    while not KNASTER.rests(sheet):
        sheet = KNASTER.act(sheet, KNASTER.legal(sheet)[0])
        drawn += 1
    return drawn


# One line

HANDS = [
    # the sheet's examples
    ("7-8-7-7-4", 1),
    ("6-3-6-6-6", 2),
    ("8-8-8-8-8", 3),
    ("5-6-6-10-5", 1),
    ("4-9-4-4-9", 2),
    ("7-10-8-6-9", 3),
    ("4-5-6-7-8", 3),
    ("5-7-8-4-6", 3),
    ("5-6-7-8-9", 3),
    ("5-5-5-7-7", 2),
    # a straight without a 7 earns no more, a pair and no hand nothing
    ("2-3-4-5-6", 3),
    ("8-9-10-11-12", 3),
    ("4-5-6-7-5", 0),
    ("4-5-6-7-9", 0),
    ("11-12-2-3-4", 0),
]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("numbers", "circles"), HANDS)
def test_a_completed_line_earns_circles_by_its_hand(line: str, numbers: str, circles: int):
    *others, last = numbers.split("-")
    *full, free = LINES[line].split()
    grid = cells(EMPTY) | dict(zip(full, others, strict=True))
    dice = (int(last) // 2, int(last) - int(last) // 2)
    sheet = played(KNASTER, drawing(grid), dice, free)
    assert circles_drawn(sheet) == circles


def test_a_line_of_four_earns_nothing():
    assert KNASTER.rests(played(KNASTER, "8 8 8 . ." + BELOW_ROW_1, (4, 4), "d1"))


def test_the_straight_on_a_diagonal_may_circle_any_three():
    sheet = played(
        KNASTER,
        """
        5 . . . .
        . 6 . . .
        . . 7 . .
        . . . . .
        . . . . 9
        """,
        (4, 4),
        "d4",
    )
    assert choices(KNASTER, sheet) == "\\(a1) \\(b2) \\(c3) \\(d4) \\(e5)"
    for count, cell in enumerate(("e5", "d4", "a1"), 1):  # the number just written may be circled, too
        assert not KNASTER.rests(sheet)
        sheet = KNASTER.act(sheet, KNASTER.read_action(f"\\({cell})"))
        assert len(sheet.circled) == count
    assert KNASTER.next(sheet) == Throw(2)


def test_tim_circles_a_five_and_a_seven_of_his_full_house():
    # Constructed: the sheet shows it only as a picture. He had circled the 11 and the 4 before.
    sheet = played(
        KNASTER,
        """
        . (11) .  . (4)
        5  5   .  7  7
        .  .   9  .  .
        .  .  11  6  .
        8  .   .  .  7
        """,
        (2, 3),
        "c2",
        "2(c2)",
        "2(e2)",
    )
    assert shows(
        KNASTER,
        sheet,
        """
        . (11) .  . (4)
        5  5  (5) 7 (7)
        .  .   9  .  .
        .  .  11  6  .
        8  .   .  .  7
        """,
    )
    assert KNASTER.next(sheet) == Throw(2)


@pytest.mark.parametrize(
    ("row", "owed"),
    [
        (" 8   8   8   8  .", 3),
        (" 8  (8)  8   8  .", 3),
        (" 8  (8) (8)  8  .", 3),
        (" 8  (8) (8) (8) .", 2),
        ("(8) (8) (8) (8) .", 1),
    ],
)
def test_where_fewer_are_uncircled_just_those_are_circled(row: str, owed: int):
    assert circles_drawn(played(KNASTER, row + BELOW_ROW_1, (4, 4), "e1")) == owed


def test_circles_are_never_drawn_later():
    sheet = played(KNASTER, "8 8 7 5 ." + BELOW_ROW_1, (4, 4), "e1")
    with refused("picks_owed"):
        KNASTER.throw(sheet, (6, 6))
    sheet = KNASTER.act(sheet, KNASTER.read_action("1(a1)"))
    assert choices(KNASTER, sheet) == ""
    with refused("line_owes_nothing"):
        KNASTER.act(KNASTER.throw(sheet, (6, 6)), KNASTER.read_action("1(b1)"))


# Several lines at once


def test_the_example_of_the_rulings():
    sheet = played(KNASTER, CROSSING, (3, 4), "c3", "3(c3)", "3(a3)", "3(b3)")
    assert choices(KNASTER, sheet) == "c(c5)"
    sheet = KNASTER.act(sheet, KNASTER.read_action("c(c5)"))
    assert KNASTER.next(sheet) == Throw(2)
    assert shows(
        KNASTER,
        sheet,
        """
         .   .  (7)  .   .
         .   .  (7)  .   .
        (5) (6) (7)  8   9
         .   .  (4)  .   .
         .   .  (4)  .   .
        """,
    )


@pytest.mark.parametrize(
    "order",
    [
        "c3 3(c3) 3(a3) 3(b3) c(c5)",
        "c3 3(a3) 3(d3) 3(e3) c(c5) c(c3)",
        "c3 c(c3) c(c5) 3(a3) 3(b3) 3(e3)",
        "c3 c(c5) c(c3) 3(e3) 3(d3) 3(a3)",
    ],
)
def test_lines_are_served_in_the_players_order(order: str):
    assert KNASTER.next(played(KNASTER, CROSSING, (3, 4), *order.split())) == Throw(2)


@pytest.mark.parametrize(
    ("before", "action", "code"),
    [
        ("c3", "(c3)", "circles_owed"),
        ("c3", "a1", "circles_owed"),
        ("c3", "-", "circles_owed"),
        ("c3", "1(c1)", "line_owes_nothing"),
        ("c3", "3(c4)", "cell_not_on_line"),
        ("c3", "c(c4)", "already_circled"),
        ("c3 3(c3)", "c(c5)", "line_unfinished"),
        ("c3 3(c3)", "3(c3)", "already_circled"),
        ("c3 3(c3) 3(a3)", "c(c5)", "line_unfinished"),
        ("c3 3(c3) 3(a3) 3(b3)", "3(d3)", "line_owes_nothing"),
        ("c3 3(c3) 3(a3) 3(b3)", "c(c3)", "already_circled"),
        ("c3 3(c3) 3(a3) 3(b3) c(c5)", "c(c5)", "throw_first"),
    ],
)
def test_refused_while_lines_are_served(before: str, action: str, code: str):
    sheet = played(KNASTER, CROSSING, (3, 4), *before.split())
    with refused(code):
        KNASTER.act(sheet, KNASTER.read_action(action))


def test_a_line_that_owes_nothing_by_then_is_passed_over():
    crossing = CROSSING.replace(" 4 ", "(4)")  # now c3 is the only one of column c to circle
    assert KNASTER.next(played(KNASTER, crossing, (3, 4), "c3", "3(a3)", "3(c3)", "3(e3)")) == Throw(2)
    served = played(KNASTER, crossing, (3, 4), "c3", "3(a3)", "3(d3)", "3(e3)")
    assert choices(KNASTER, served) == "c(c3)"


@pytest.mark.parametrize("order", list(permutations("3c\\/")))
def test_the_centre_completes_four_lines_at_once_served_in_any_order(order: tuple[str, ...]):
    sheet = played(KNASTER, STAR, (3, 4), "c3")
    for line in order:
        first, second, centre, fourth, _ = LINES[line].split()
        for cell in (first, second, centre if line == order[0] else fourth):
            sheet = KNASTER.act(sheet, KNASTER.read_action(f"{line}({cell})"))
    assert KNASTER.next(sheet) == Throw(2)
    assert len(sheet.circled) == 12
