"""Several sheets at one table: who throws, who owes, places, taking back, leaving."""

from typing import Any, cast

import numpy as np
import pytest

from kasta.core import Over, Seat, Throw, places
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame
from support.play import Table, due_seats, refused

KNISTER, KNASTER, YATZY = find_game("knister"), find_game("knaster"), find_game("yatzy")


def play(game: AnyGame, table: Table, script: str) -> Table:
    """Play steps such as `3+5`, `0:c3`, `0:keep_3_3`, `0:back`, `1:leaves`, separated by spaces."""
    for step in script.split():
        seat, colon, what = step.partition(":")
        if not colon:
            table = game.throw(table, tuple(map(int, step.split("+"))))
        elif what == "back":
            table = game.take_back(table, Seat(int(seat)))
        elif what == "leaves":
            table = game.leave(table, Seat(int(seat)))
        else:
            word, blank, rest = what.partition("_")
            text = word + " " + (rest.replace("_", " ") if word == "keep" else rest) if blank else what
            table = game.act(table, Seat(int(seat)), game.solo.read_action(text))
    return table


def round_of(game: AnyGame, table: Table, cell: str) -> Table:
    """Everybody writes a seven into the same cell."""
    table = game.throw(table, (3, 4))
    for seat in due_seats(game, table):
        table = game.act(table, seat, game.solo.read_action(cell))
    return table


# What a table is given


@pytest.mark.parametrize("game", [KNISTER, KNASTER])
def test_a_table_keeps_no_list_of_the_caller(game: AnyGame):
    given, of_numpy = [3, 5], cast("list[int]", np.array([3, 5]))
    table = game.throw(game.start(2), given)
    given[0] = 6
    assert table == game.throw(game.start(2), (3, 5)) == game.throw(game.start(2), of_numpy)
    assert hash(table.faces) == hash((3, 5))


def test_a_number_of_seats_is_whole():
    for game in (KNISTER, YATZY):
        with pytest.raises(TypeError):
            game.start(2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "faces", "text"),
    [(KNISTER, (3, 5), "c3"), (KNASTER, (3, 5), "c3"), (YATZY, (1, 1, 2, 3, 6), "keep 1 1")],
)
def test_actions_may_be_text(game: AnyGame, faces: tuple[int, ...], text: str):
    table = game.throw(game.start(1), faces)
    assert game.act(table, 0, text) == game.act(table, 0, game.solo.read_action(text))


def test_text_that_is_no_action_is_refused():
    with pytest.raises(Unreadable, match="z9"):
        KNISTER.act(KNISTER.throw(KNISTER.start(1), (3, 5)), 0, "z9")


# Who throws


@pytest.mark.parametrize("game", [KNISTER, KNASTER])
@pytest.mark.parametrize(
    ("seats", "first", "rollers"), [(3, 0, [0, 1, 2, 0]), (3, 2, [2, 0, 1, 2]), (1, 0, [0, 0])]
)
def test_the_turn_to_throw_goes_clockwise(game: AnyGame, seats: int, first: Seat, rollers: list[int]):
    table = game.start(seats, first)
    for roller, cell in zip(rollers, ("a1", "b3", "d4", "e2"), strict=False):
        assert game.next(table) == Throw(2, roller)
        table = round_of(game, table, cell)


@pytest.mark.parametrize(("first", "turns"), [(0, [0, 1, 2, 0]), (1, [1, 2, 0, 1])])
def test_in_yatzy_a_whole_turn_is_followed_by_the_next_player(first: Seat, turns: list[int]):
    table = YATZY.start(3, first)
    for seat, box in zip(turns, ("ones", "ones", "ones", "twos"), strict=True):
        assert YATZY.next(table) == Throw(5, seat)
        table = play(YATZY, table, f"1+3+3+5+6 {seat}:keep_3_3")
        assert YATZY.next(table) == Throw(3, seat)
        table = play(YATZY, table, "1+1+2")
        assert due_seats(YATZY, table) == [seat]
        table = play(YATZY, table, f"{seat}:fill_{box}")


def test_nobody_else_acts_in_a_yatzy_turn():
    table = play(YATZY, YATZY.start(2), "1+3+3+5+6")
    assert list(YATZY.legal(table, 1)) == []
    with refused("not_your_turn"):
        play(YATZY, table, "1:fill_ones")


@pytest.mark.parametrize("game", [KNISTER, KNASTER])
def test_one_throw_serves_every_sheet_in_any_order(game: AnyGame):
    table = game.throw(game.start(3), (3, 5))
    assert due_seats(game, table) == [0, 1, 2]
    table = play(game, table, "2:e2 0:c3")
    assert due_seats(game, table) == [1]
    with refused("picks_owed"):
        play(game, table, "1+1")
    with refused("already_acted"):
        play(game, table, "0:c4")
    table = play(game, table, "1:a5")
    drawn = [game.solo.write_sheet(game.sheet(table, seat)).split() for seat in range(3)]
    assert [words.index("8") for words in drawn] == [12, 20, 9]  # c3, a5, e2, counted row by row


@pytest.mark.parametrize("game", [KNISTER, KNASTER, YATZY])
def test_a_table_has_seats_and_one_of_them_starts(game: AnyGame):
    for seats, first, code in [
        (0, 0, "no_seats"),
        (-1, 0, "no_seats"),
        (2, 2, "no_such_seat"),
        (2, -1, "no_such_seat"),
    ]:
        with refused(code) as caught:
            game.start(seats, first)
        assert caught.value.params.get("last", 1) == 1


@pytest.mark.parametrize("game", [KNISTER, KNASTER, YATZY])
@pytest.mark.parametrize("seat", [2, -1])
def test_a_seat_that_does_not_exist_can_do_nothing(game: AnyGame, seat: Seat):
    coming: Any = game.next(game.start(2))
    table = game.throw(game.start(2), (1,) * coming.dice)
    action = game.legal(table, 0)[0]
    for attempt in (game.legal, game.take_back, game.leave):
        with refused("no_such_seat"):
            attempt(table, seat)
    with refused("no_such_seat") as caught:
        game.act(table, seat, action)
    assert caught.value.params == {"seat": seat, "last": 1}


# Places


@pytest.mark.parametrize(
    ("totals", "shared"),
    [
        ([53], [1]),
        ([40, 53], [2, 1]),
        ([53, 53, 40], [1, 1, 3]),
        ([40, 53, 40, 61], [3, 2, 3, 1]),
        ([7, 7, 7], [1, 1, 1]),
    ],
)
def test_equal_totals_share_the_place(totals: list[int], shared: list[int]):
    assert places(totals) == shared


# Knaster's last throw

# Written row by row, with a 3 in e5, no line makes more than a pair: no circles are owed.
SCATTERED = [
    *(2, 4, 6, 8, 10),
    *(3, 5, 7, 9, 12),
    *(8, 10, 11, 4, 6),
    *(9, 12, 3, 5, 7),
    *(4, 6, 8, 10, 3),
]


def nearly_over() -> Table:
    """Two seats before the 25th throw, a 3. Seat 0 wrote all numbers, seat 1 circles wherever it can."""
    solo: Any = KNASTER.solo
    table = KNASTER.start(2)
    for number, cell in zip(SCATTERED[:-1], solo.grid.cells, strict=False):
        table = play(KNASTER, table, f"{number // 2}+{number - number // 2} 0:{cell}")
        circles = [str(action) for action in KNASTER.legal(table, 1) if str(action).startswith("(")]
        table = play(KNASTER, table, f"1:{[*circles, cell][0]}")
    return table


def test_one_full_sheet_makes_the_next_throw_the_last_for_all():
    table = play(KNASTER, nearly_over(), "1+2")
    with refused("pass_too_early"):  # the throw that fills a sheet is not yet the last
        play(KNASTER, table, "1:-")
    table = play(KNASTER, table, "0:e5 1:e5")
    assert KNASTER.next(table) == Throw(2, 1)
    table = play(KNASTER, table, "5+6 0:(c3)")
    assert "-" in map(str, KNASTER.legal(table, 1))
    assert KNASTER.next(play(KNASTER, table, "1:-")) == Over()
    assert KNASTER.next(play(KNASTER, table, "1:d4")) == Over()


def test_a_full_sheet_taken_back_makes_no_last_throw():
    table = play(KNASTER, nearly_over(), "1+2 1:e5 0:e5 0:back 0:(a2) 5+6")
    with refused("pass_too_early"):
        play(KNASTER, table, "1:-")


def test_a_table_knows_how_near_the_others_are_to_the_end_as_it_was_when_the_throw_fell():
    def lack(table: Table) -> list[int | None]:
        return [KNASTER.others_lack(table, seat) for seat in range(3)]

    table = play(KNASTER, KNASTER.start(3), "1+2")
    assert lack(table) == [25, 25, 25]
    table = play(KNASTER, table, "0:a1 1:a1 2:a1")
    assert lack(table) == [25, 25, 25], "picks of a throw that lies there are hidden"
    table = play(KNASTER, table, "1+2 0:b2 1:b2 1:back 1:(a1) 2:(a1) 5+6")
    assert lack(table) == [24, 23, 23], "one's own sheet does not count"
    table = play(KNASTER, table, "0:e5 1:e5 2:e5 1:leaves 2:leaves 5+6")
    assert lack(table)[0] is None, "who has left ends no game"
    assert [KNISTER.others_lack(KNISTER.start(2), 0), YATZY.others_lack(YATZY.start(2), 0)] == [None, None]
    assert KNASTER.others_lack(KNASTER.start(1), 0) is None


def test_a_game_that_is_over_takes_nothing_back():
    table = play(KNASTER, nearly_over(), "1+2 0:e5 1:e5 5+6 0:- 0:back 0:(c3) 1:-")
    assert KNASTER.next(table) == Over()
    for seat in "01":
        with refused("game_over"):
            play(KNASTER, table, f"{seat}:back")
    with refused("game_over"):
        play(KNASTER, table, "5+6")


# Taking back


def test_a_number_may_be_taken_back_and_written_elsewhere_until_the_next_throw():
    table = play(KNISTER, KNISTER.start(2), "3+5 0:c3 1:c3")
    changed = play(KNISTER, table, "0:back")
    assert due_seats(KNISTER, changed) == [0]
    with refused("picks_owed"):
        play(KNISTER, changed, "1+1")
    assert KNISTER.next(play(KNISTER, changed, "0:a1")) == Throw(2, 1)
    with refused("nothing_to_take_back"):
        play(KNISTER, table, "1+1 0:back")


@pytest.mark.parametrize("game", [KNISTER, KNASTER, YATZY])
def test_who_has_not_acted_has_nothing_to_take_back(game: AnyGame):
    table = game.start(2)
    coming: Any = game.next(table)
    for thrown in (table, game.throw(table, (1,) * coming.dice)):
        with refused("nothing_to_take_back"):
            game.take_back(thrown, 0)


def test_bonus_circles_are_taken_back_one_by_one_then_the_number():
    table = KNASTER.start(1)
    for cell in ("a1", "b1", "c1", "d1"):
        table = play(KNASTER, table, f"4+4 0:{cell}")
    table = play(KNASTER, table, "4+4 0:e1 0:1(a1) 0:1(b1) 0:1(c1)")  # five of a kind
    assert KNASTER.next(table) == Throw(2, 0)
    for circles in (2, 1, 0):
        table = play(KNASTER, table, "0:back")
        assert len(KNASTER.sheet(table, 0).circled) == circles
        assert due_seats(KNASTER, table) == [0]
    table = play(KNASTER, table, "0:back")
    assert "(a1)" in map(str, KNASTER.legal(table, 0))
    with refused("nothing_to_take_back"):
        play(KNASTER, table, "0:back")


def test_the_last_number_of_knister_may_be_taken_back_until_everybody_has_written_it():
    solo: Any = KNISTER.solo
    table = KNISTER.start(2)
    for cell in solo.grid.cells[:-1]:
        table = round_of(KNISTER, table, str(cell))
    table = play(KNISTER, table, "3+4 0:e5 0:back 0:e5 1:e5")
    assert KNISTER.next(table) == Over()
    with refused("game_over"):
        play(KNISTER, table, "1:back")


def test_a_filled_box_may_be_taken_back_until_the_next_throw():
    table = play(YATZY, YATZY.start(2), "1+3+3+5+6 0:fill_ones")
    again = play(YATZY, table, "0:back")
    assert due_seats(YATZY, again) == [0]
    assert YATZY.next(play(YATZY, again, "0:keep_3_3")) == Throw(3, 0)
    with refused("nothing_to_take_back"):
        play(YATZY, again, "0:back")
    with refused("nothing_to_take_back"):
        play(YATZY, table, "1:back")
    with refused("nothing_to_take_back"):
        play(YATZY, table, "1+3+3+5+6 0:back")


def test_a_keep_stands():
    table = play(YATZY, YATZY.start(2), "1+3+3+5+6 0:keep_3_3")
    with refused("nothing_to_take_back"):
        play(YATZY, table, "0:back")
    with refused("nothing_to_take_back"):
        play(YATZY, table, "1+1+1 0:back")


def test_the_last_box_of_the_last_seat_cannot_be_taken_back():
    solo: Any = YATZY.solo
    table = YATZY.start(1)
    for box in solo.boxes:
        table = play(YATZY, table, f"1+2+2+4+6 0:fill_{box}")
    with refused("game_over"):
        play(YATZY, table, "0:back")


# Leaving


def test_a_seat_that_left_owes_nothing_and_does_nothing():
    table = play(KNISTER, KNISTER.start(3), "3+5 0:c3 2:c3 1:leaves")
    assert KNISTER.next(table) == Throw(2, 2)  # seat 1 is passed over
    for attempt in ("1:c3", "1:back", "1:leaves"):
        with refused("seat_left"):
            play(KNISTER, table, attempt)
    left = KNISTER.sheet(table, 1)
    table = play(KNISTER, table, "3+5")
    assert due_seats(KNISTER, table) == [0, 2]
    assert KNISTER.sheet(table, 1) == left
    with refused("seat_left"):
        KNISTER.legal(table, 1)


def test_nobody_is_due_on_a_seat_that_there_is_not():
    table = play(KNISTER, KNISTER.start(2), "3+5")
    expected: Any = KNISTER.next(table)
    assert [expected.is_due(seat) for seat in (-1, 0, 1, 2)] == [False, True, True, False]
    for seat in (-1, 2):
        with refused("no_such_seat"):
            KNISTER.sheet(table, seat)


def test_leaving_keeps_what_was_written():
    # Row 1 is a five of a kind, 10 points, when seat 1 leaves; later throws do not reach its sheet.
    table = KNISTER.start(2)
    for cell in ("a1", "b1", "c1", "d1", "e1"):
        table = round_of(KNISTER, table, cell)
    table = play(KNISTER, table, "1:leaves")
    for cell in ("a2", "b2", "c2"):
        table = round_of(KNISTER, table, cell)
    assert KNISTER.total(table, 1) == 10


def test_when_the_roller_leaves_the_next_one_throws():
    for game in (KNISTER, KNASTER, YATZY):
        table = play(game, game.start(3), "0:leaves")
        coming: Any = game.next(table)
        assert coming == Throw(coming.dice, 1)


def test_when_everybody_else_has_left_one_plays_on_alone():
    table = play(KNISTER, KNISTER.start(3), "0:leaves 2:leaves 3+5 1:c3")
    assert KNISTER.next(table) == Throw(2, 1)


@pytest.mark.parametrize("game", [KNISTER, KNASTER, YATZY])
def test_when_all_have_left_the_game_is_over(game: AnyGame):
    table = play(game, game.start(2), "0:leaves 1:leaves")
    assert game.next(table) == Over()
    with refused("game_over"):
        game.throw(table, (1, 1))


def test_a_yatzy_turn_ends_when_its_player_leaves():
    table = play(YATZY, YATZY.start(3), "1+3+3+5+6 0:keep_3_3 0:leaves")
    assert YATZY.next(table) == Throw(5, 1)
    table = play(YATZY, table, "1+2+2+4+6 1:fill_ones 1+2+2+4+6 2:fill_ones")
    assert YATZY.next(table) == Throw(5, 1)


def test_a_box_may_be_taken_back_although_the_next_player_left():
    table = play(YATZY, YATZY.start(3), "1+3+3+5+6 0:fill_ones 1:leaves 0:back")
    assert due_seats(YATZY, table) == [0]
    assert YATZY.next(play(YATZY, table, "0:fill_twos")) == Throw(5, 2)


def test_a_player_who_leaves_on_the_last_throw_lets_the_game_end():
    table = play(KNASTER, nearly_over(), "1+2 0:e5 1:e5 5+6 0:- 1:leaves")
    assert KNASTER.next(table) == Over()
