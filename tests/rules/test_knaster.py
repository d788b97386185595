"""Knaster, as its French sheet and RULINGS.md tell it."""

from itertools import permutations

import pytest
from oracles import LINES, PRINTED, cells, drawing
from play import choices, played, refused, shows

from kasta.core import Over, Throw
from kasta.games.knaster import Knaster, Pass, Sheet, Write
from kasta.games.knaster.traits import TRAITS

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

# e5 is free; row 5 waits for an 8 to be a straight, column e for an 8 to be two pairs.
ALMOST_FULL = """
    2   3   2   9  12
    2   2   3   9   8
    9   9   9   3  12
    2   2   2  10   3
    4   5   6   7   .
"""


def circles_drawn(sheet: Sheet) -> int:
    """How many circles a sheet still owes, drawing always the first that is legal."""
    drawn = 0
    while not KNASTER.rests(sheet):
        sheet = KNASTER.act(sheet, KNASTER.legal(sheet)[0])
        drawn += 1
    return drawn


# Writing and circling


@pytest.mark.parametrize("cell", ["c3", "b1", "e4"])  # Sarah in the centre, Tim in the top row, Linus at the right
def test_the_first_sum_is_written_into_any_cell(cell: str):
    sheet = played(KNASTER, EMPTY, (3, 6))
    assert choices(KNASTER, sheet) == " ".join(sorted(cells(EMPTY)))
    sheet = KNASTER.act(sheet, KNASTER.read_action(cell))
    assert cells(KNASTER.write_sheet(sheet)) == cells(EMPTY) | {cell: "9"}
    assert KNASTER.next(sheet) == Throw(2)


# Constructed: the sheet shows Tim's nine numbers only as a picture.
TIMS_NINE = """
    .  11   .   .   4
    .   7   .   .   .
    5   .   9   .   .
    .   .  11   6   .
    8   .   .   .   7
"""


def test_tim_may_circle_either_eleven_or_write_another():
    sheet = played(KNASTER, TIMS_NINE, (6, 5))
    free = [cell for cell, word in cells(TIMS_NINE).items() if word == "."]
    assert choices(KNASTER, sheet) == " ".join(sorted([*free, "(b1)", "(c4)"]))


def test_tim_circles_an_eleven():
    assert shows(
        KNASTER,
        played(KNASTER, TIMS_NINE, (6, 5), "(c4)"),
        """
        .  11   .   .   4
        .   7   .   .   .
        5   .   9   .   .
        .   . (11)  6   .
        8   .   .   .   7
        """,
    )


def test_one_throw_is_used_once():
    for use in ("(c4)", "a1"):
        with refused("throw_first"):
            played(KNASTER, TIMS_NINE, (6, 5), use, "(b1)")


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([(6, 5), "c4"], "cell_taken"),
        ([(6, 5), "(b2)"], "not_that_number"),
        ([(6, 5), "(a1)"], "not_that_number"),  # a free cell
        ([(6, 5), "(c4)", (5, 6), "(c4)"], "already_circled"),
        ([(6, 5), "-"], "pass_too_early"),
        ([(6, 5), "3(c3)"], "line_owes_nothing"),
        (["a1"], "throw_first"),
        ([(6, 5), (6, 5)], "picks_owed"),
        ([(6, 5, 1)], "wrong_number_of_dice"),
        ([(7, 4)], "no_such_face"),
    ],
)
def test_refused_at_tims_nine(steps: list[str | tuple[int, ...]], code: str):
    with refused(code):
        played(KNASTER, TIMS_NINE, *steps)


# Completed lines

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


# Points


@pytest.mark.parametrize("line", LINES)
def test_five_circles_earn_the_printed_points(line: str):
    grid = cells(EMPTY) | dict.fromkeys(LINES[line].split(), "(7)")
    sheet = played(KNASTER, drawing(grid))
    assert KNASTER.total(sheet) == PRINTED[line] + 5


def test_tim_receives_ten_for_his_diagonal():
    # Constructed: the sheet shows it only as a picture.
    sheet = played(
        KNASTER,
        """
        (5)  .   8   .  11
         9  (6)  .   7   .
         .   4  (7)  .   6
         .   .   .  (8)  3
         2   .   .  10  (9)
        """,
    )
    assert [(str(s.line), s.points) for s in KNASTER.lines(sheet) if s.points] == [("\\", 10)]


def test_four_circles_earn_no_printed_points():
    assert KNASTER.total(played(KNASTER, "(8) (8) (8) (8) 8" + BELOW_ROW_1)) == 4


def test_tim_has_41_points():
    # Constructed: 9 + 10 + 7 for three lines, and 15 circles.
    sheet = played(
        KNASTER,
        """
         (7)  (8)  (7)  (7)  (4)
          6   (6)   9    3   11
         (5)  (7)  (7)  (9)  (8)
         10   (3)   5   (8)   6
          4    9  (11)   2   (9)
        """,
    )
    assert [s.points for s in KNASTER.lines(sheet) if s.points] == [9, 7, 10]
    assert KNASTER.total(sheet) == 26 + 15


ALL_CIRCLED = """
    (7) (7) (7) (7) (7)
    (7) (7) (7) (7) (7)
    (7) (7) (7) (7) (7)
    (7) (7) (7) (7) (7)
    (7) (7) (7) (7) (7)
"""


def test_the_largest_total_is_115():
    # All twelve lines, 35 + 35 + 20, and all 25 circles.
    assert KNASTER.total(played(KNASTER, ALL_CIRCLED)) == 115


def test_a_game_of_sevens_reaches_the_largest_total():
    # A seven is circled with the very next throw; lines that complete owe what is left of them.
    sheet = KNASTER.start()
    throws = 0
    while KNASTER.next(sheet) != Over():
        if KNASTER.rests(sheet):
            sheet = KNASTER.throw(sheet, (3, 4))
            throws += 1
        sheet = KNASTER.act(sheet, min(KNASTER.legal(sheet), key=lambda action: isinstance(action, Write | Pass)))
    assert shows(KNASTER, sheet, ALL_CIRCLED)
    assert KNASTER.total(sheet) == 115
    assert throws > 25 + 1


@pytest.mark.parametrize("language", ["sv", "nb", "de", "fr", "en"])
def test_solo_verdicts_are_the_same_in_every_language(language: str):
    # more than 50, more than 80, more than 100
    assert TRAITS.verdicts(language) == {"good": 51, "super": 81, "spectacular": 101}


# The end


def test_a_full_sheet_draws_its_circles_and_then_there_is_one_last_throw():
    sheet = played(KNASTER, ALMOST_FULL, (4, 4), "e5")
    assert KNASTER.ends(sheet)
    with refused("picks_owed"):
        KNASTER.throw(sheet, (1, 1))
    for text in ("5(e5)", "5(a5)", "5(b5)", "e(e1)"):
        sheet = KNASTER.act(sheet, KNASTER.read_action(text))
    assert KNASTER.next(sheet) == Throw(2)
    last = KNASTER.throw(sheet, (6, 6))
    assert choices(KNASTER, last) == "(e3) -"  # e1 is circled
    for action in KNASTER.legal(last):
        assert KNASTER.next(KNASTER.act(last, action)) == Over()


def test_who_can_neither_write_nor_circle_passes():
    sheet = played(KNASTER, ALL_CIRCLED, (3, 4))
    assert choices(KNASTER, sheet) == "-"
    assert KNASTER.next(KNASTER.act(sheet, Pass())) == Over()


def test_on_the_last_throw_another_sheet_may_write_circle_or_pass():
    sheet = played(KNASTER, ALMOST_FULL, (6, 6), last=True)
    assert choices(KNASTER, sheet) == "(e1) (e3) - e5"


def test_a_line_completed_by_the_last_throw_is_served():
    sheet = played(KNASTER, ALMOST_FULL, (4, 4), "e5", last=True)
    with refused("circles_owed"):
        KNASTER.act(sheet, Pass())
    assert circles_drawn(sheet) == 4
    for action in ("e(e2)", "5(d5)", "5(c5)", "5(b5)"):
        sheet = KNASTER.act(sheet, KNASTER.read_action(action))
    assert KNASTER.next(sheet) == Over()


def test_nothing_follows_the_last_throw():
    over = played(KNASTER, ALL_CIRCLED, (3, 4), "-")
    with refused("game_over"):
        KNASTER.throw(over, (3, 4))
    with refused("game_over"):
        KNASTER.act(over, Pass())
