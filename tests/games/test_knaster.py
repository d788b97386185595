"""Knaster, as its French sheet and RULINGS.md tell it."""

import pytest

from kasta.core import Over, Throw
from kasta.games.knaster import Knaster, Pass, Write
from kasta.games.knaster.traits import TRAITS
from support.oracles import LINES, PRINTED, cells, drawing
from support.play import choices, played, refused, shows

KNASTER = Knaster()
EMPTY = "\n".join([". . . . ."] * 5)
BELOW_ROW_1 = "\n" + "\n".join([". . . . ."] * 4)

# e5 is free; row 5 waits for an 8 to be a straight, column e for an 8 to be two pairs.
ALMOST_FULL = """
    2   3   2   9  12
    2   2   3   9   8
    9   9   9   3  12
    2   2   2  10   3
    4   5   6   7   .
"""


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
    for action in ("e(e2)", "5(d5)", "5(c5)", "5(b5)"):
        sheet = KNASTER.act(sheet, KNASTER.read_action(action))
    assert KNASTER.next(sheet) == Over()


def test_nothing_follows_the_last_throw():
    over = played(KNASTER, ALL_CIRCLED, (3, 4), "-")
    with refused("game_over"):
        KNASTER.throw(over, (3, 4))
    with refused("game_over"):
        KNASTER.act(over, Pass())
