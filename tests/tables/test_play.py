"""Throwing, picking, taking back and correcting at a table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from kasta.core import Over, Throw
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.structs import replace
from kasta.tables.commands import Command, Correct, Leave, Play, Roll, TakeBack, expand
from kasta.tables.events import Acted, Rolled, TakenBack
from kasta.tables.rights import STEPS_A_THROW
from kasta.tables.state import evolve, replay
from support.room import HOST, Room


def code_of(room: Room, command: Command, *, away: Collection[str] = ()) -> str:
    with pytest.raises(KastaError) as caught:
        room.do(command, away=away)
    return caught.value.code


def test_the_host_begins_and_then_everybody_throws_in_turn():
    room = Room("Anna", "Tim")
    assert code_of(room, Roll("anna", 0, (1, 2))) == "host_begins"
    room.roll(1, 2, by=HOST)
    room.play(0, "a1")
    room.play(1, "a1")
    assert code_of(room, Roll("anna", 1, (1, 2))) == "not_your_throw"
    assert code_of(room, Roll(HOST, 1, (1, 2))) == "not_your_throw"
    room.roll(1, 2, by="tim")


def test_who_was_to_start_and_gave_the_seat_up_does_not_start():
    room = Room("Anna", "Tim", "Linus", first=1)
    room.do(Leave("tim", 1))
    assert room.table.next() == Throw(2, 0)
    room.roll(1, 2)
    assert room.table.owing == 2


def test_anybody_seated_throws_for_somebody_who_is_away_and_nobody_else_does():
    room = Room("Anna", "Tim", "Linus")
    room.roll(1, 2)
    for seat in range(3):
        room.play(seat, "a1")
    assert code_of(room, Roll("linus", 1, (1, 2))) == "not_your_throw"
    assert code_of(room, Roll("stranger", 1, (1, 2)), away={"tim"}) == "not_your_throw"
    room.do(Roll("linus", 1, (1, 2)), away={"tim"})


def test_the_host_throws_always_where_that_is_set():
    room = Room("Anna", "Tim", thrower="host")
    for turn in range(3):
        assert code_of(room, Roll("anna", turn, (1, 2))) == ("host_only" if turn else "host_begins")
        room.roll(1, 2, by=HOST)
        for seat in (0, 1):
            room.play(seat, f"{'abcde'[turn]}1")


def test_the_service_throws_where_it_is_set_to_go_by_itself():
    room = Room("Anna", "Tim", thrower="auto")
    assert code_of(room, Roll("", 0, (1, 2))) == "host_begins"
    room.roll(1, 2, by=HOST)
    room.play(0, "a1")
    room.play(1, "a1")
    room.roll(1, 2, by="")


def test_a_table_without_people_has_nothing_to_throw():
    assert code_of(Room(), Roll(HOST, 0, (1, 2))) == "no_seats"
    assert Room().table.next() == Over()


def test_nobody_throws_while_picks_are_owed():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(1, "a1")
    assert code_of(room, Roll("tim", 1, (1, 2))) == "picks_owed"


def test_a_double_click_on_the_dice_is_stale():
    room = Room("Anna")
    room.roll(1, 2)
    room.play(0, "a1")
    room.roll(3, 4)
    room.play(0, "b1")
    with pytest.raises(Conflict) as caught:
        room.do(Roll("anna", 1, (3, 4)))
    assert (caught.value.code, caught.value.params["turn"]) == ("stale", 2)


def test_a_double_click_on_a_cell_is_stale():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    assert code_of(room, Play("anna", 1, 0, 0, "a1")) == "stale"


def test_a_command_for_an_earlier_throw_is_stale():
    room = Room("Anna")
    room.roll(1, 2)
    room.play(0, "a1")
    room.roll(3, 4)
    assert code_of(room, Play("anna", 1, 0, 0, "b1")) == "stale"


def test_nobody_acts_for_another_seat():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    for by in ("tim", HOST, "", "stranger"):
        assert code_of(room, Play(by, 1, 0, 0, "a1")) == "not_your_seat"
    assert code_of(room, Play("anna", 1, 7, 0, "a1")) == "no_such_seat"


def test_a_pick_is_moved_by_taking_it_back_which_uses_a_step():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    assert room.take_back(0) == TakenBack(1, 0, 1)
    assert room.table.owing == 2
    room.play(0, "c3")
    assert room.table.step(0) == 3
    assert code_of(room, TakeBack("anna", 1, 0, 1)) == "stale"
    assert room.sheet(0).splitlines()[2] == " .  .  3  .  ."


def test_another_pick_on_a_throw_takes_back_the_first_before():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    moved = expand(room.table, Play("anna", 1, 0, 1, "b2"))
    assert moved == [TakeBack("anna", 1, 0, 1), Play("anna", 1, 0, 2, "b2")]
    for command in moved:
        room.do(command)
    assert room.sheet(0).splitlines()[1] == " .  3  .  .  ."


def test_in_knaster_another_action_takes_back_all_that_was_done_on_the_throw():
    room = Room("Anna", game="knaster")
    for cell in ("a1", "b1", "c1", "d1", "e1"):
        room.roll(3, 4)
        room.play(0, cell)
    while room.table.is_due(0):  # a line of five sevens has circles to draw
        circle = str(room.table.game.legal(room.table.play, 0)[0])
        command = Play("anna", 5, 0, room.table.step(0), circle)
        assert expand(room.table, command) == [command], "it goes on, and takes nothing back"
        room.play(0, circle)
    done = room.table.step(0)
    moved = expand(room.table, Play("anna", 5, 0, done, "a2"))
    assert done > 1
    assert moved == [
        *(TakeBack("anna", 5, 0, step) for step in range(done, 2 * done)),
        Play("anna", 5, 0, 2 * done, "a2"),
    ]


@pytest.mark.parametrize(
    "command",
    [
        Roll("anna", 2, (1, 2)),
        Play("tim", 2, 1, 0, "b1"),  # he has not picked yet
        Play("anna", 2, 0, 0, "c1"),
        Play("anna", 1, 0, 1, "c1"),
        Play("tim", 2, 0, 1, "c1"),
    ],
)
def test_nothing_is_taken_back_for_what_is_late_or_moves_nothing(command: Command):
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    room.play(1, "a1")
    room.roll(3, 4)
    room.play(0, "b1")
    assert expand(room.table, command) == [command]


def test_nothing_is_taken_back_for_what_cannot_be_done():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    room.play(1, "a1")
    room.roll(3, 4)
    room.play(0, "b1")
    for do in ("a1", "z9"):  # taken by the throw before, and no cell
        with pytest.raises(KastaError):
            expand(room.table, Play("anna", 2, 0, 1, do))


def test_nothing_is_taken_back_where_the_table_says_so():
    room = Room("Anna", "Tim", take_back=False)
    room.roll(1, 2)
    room.play(0, "a1")
    assert code_of(room, TakeBack("anna", 1, 0, 1)) == "no_take_backs"


def test_what_a_bot_did_for_an_absent_person_may_always_be_replaced():
    room = Room("Anna", "Tim", take_back=False)
    room.roll(1, 2)
    room.do(Play("", 1, 0, 0, "a1", stand_in=True))
    assert room.table.stood_in(0)
    room.take_back(0)
    room.play(0, "c3")


def test_nothing_is_taken_back_after_the_next_throw_or_the_end():
    room = Room("Anna")
    solo: Any = room.table.game.solo
    for cell in solo.grid.cells:
        room.roll(3, 4)
        assert code_of(room, TakeBack("anna", room.table.turn, 0, 0)) == "nothing_to_take_back"
        room.play(0, str(cell))
    assert room.table.next() == Over()
    assert code_of(room, TakeBack("anna", 25, 0, 1)) == "game_over"


def test_a_seat_does_not_play_with_its_take_backs_for_ever():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    for _ in range(STEPS_A_THROW // 2):
        room.play(0, "a1")
        room.take_back(0)
    room.play(0, "a1")
    assert code_of(room, TakeBack("anna", 1, 0, STEPS_A_THROW + 1)) == "too_many_steps"
    with pytest.raises(Illegal) as refused:
        expand(room.table, Play("anna", 1, 0, STEPS_A_THROW + 1, "b1"))
    assert refused.value.code == "too_many_steps"  # and not that dice should be thrown first


@pytest.mark.parametrize("by", [HOST, "anna"])
def test_own_dice_are_corrected_by_the_roller_or_the_host_and_the_picks_return(by: str):
    room = Room("Anna", "Tim", dice="own")
    room.roll(3, 5)
    room.play(0, "c3")
    room.play(1, "a5")
    room.do(Correct(by, 1, (4, 5)))
    assert (room.table.turn, room.table.owing, room.table.faces) == (2, 2, (4, 5))
    room.play(0, "c3")
    assert " 9" in room.sheet(0)
    assert " 8" not in room.sheet(0)


def test_a_correction_is_for_own_dice_their_roller_and_the_last_throw():
    app, own = Room("Anna", "Tim"), Room("Anna", "Tim", dice="own")
    assert code_of(own, Correct(HOST, 0, (1, 1))) == "nothing_to_correct"
    for room in (app, own):
        room.roll(3, 5)
    assert code_of(app, Correct(HOST, 1, (1, 1))) == "nothing_to_correct"
    assert code_of(own, Correct("tim", 1, (1, 1))) == "not_your_throw"
    assert code_of(own, Correct("anna", 0, (1, 1))) == "stale"
    assert code_of(own, Correct("anna", 1, (1, 7))) == "no_such_face"
    for seat in (0, 1):
        own.play(seat, "a1")
    own.roll(3, 5)
    assert code_of(own, Correct("anna", 2, (1, 1))) == "not_your_throw"
    own.do(Correct("tim", 2, (1, 1)))


def test_a_yatzy_throw_is_corrected_before_it_is_used():
    room = Room("Anna", "Tim", game="yatzy", dice="own")
    room.roll(1, 2, 3, 4, 5)
    room.do(Correct("anna", 1, (1, 1, 1, 1, 1)))
    room.play(0, "fill yatzy")
    room.take_back(0)
    room.play(0, "fill ones")
    assert room.table.next() == Throw(5, 1)
    assert room.sheet(0) == "ones 5\njokers 0\n"


def test_in_knaster_the_circles_return_one_by_one():
    room = Room("Anna", "Tim", game="knaster")
    for cell in ("a1", "b1", "c1", "d1"):
        room.roll(3, 4)
        room.play(0, cell)
        room.play(1, "e5" if cell == "a1" else cell)
    room.roll(3, 4)
    room.play(0, "e1")
    for do in ("1(a1)", "1(b1)", "1(c1)"):
        room.play(0, do)
    assert room.sheet(0).count("(") == 3
    for left in (2, 1, 0, 0):
        room.take_back(0)
        assert room.sheet(0).count("(") == left
    room.play(0, "(a1)")
    assert room.sheet(0).count("(") == 1


def test_somebody_leaving_as_the_last_who_owed_lets_the_game_go_on():
    room = Room("Anna", "Tim")
    room.roll(1, 2)
    room.play(0, "a1")
    room.do(Leave("tim", 1))
    assert room.table.next() == Throw(2, 0)


def test_dice_stay_in_their_places_and_only_the_others_are_thrown_again():
    room = Room("Anna", game="yatzy", dice="own")
    room.roll(5, 2, 5, 1, 2)
    assert room.table.tray == (5, 2, 5, 1, 2)
    room.play(0, "keep 2 5")
    assert room.table.tray == (5, 2, 0, 0, 0)
    room.roll(2, 5, 6)
    assert room.table.tray == (5, 2, 2, 5, 6)
    room.play(0, "keep 5")
    assert room.table.tray == (5, 0, 0, 0, 0)  # of equal dice the one that lay still
    room.do(Correct("anna", room.table.turn, (3, 3, 3)))
    assert room.table.tray == (5, 2, 3, 3, 3)
    room.play(0, "fill threes")
    assert room.table.tray == (5, 2, 3, 3, 3)  # until the next player throws
    room.roll(1, 2, 3, 4, 6)
    assert room.table.tray == (1, 2, 3, 4, 6)
    assert replay(room.log) == room.table


def test_a_log_that_does_not_fit_is_damaged():
    room = Room("Anna")
    opened = room.log[0]
    room.roll(1, 2)
    rolled = room.log[-1]
    picked = Acted(1, 0, 0, "a1")
    for log in ([], [rolled], [opened, opened], [opened, picked], [*room.log, picked, picked], [opened, rolled]):
        with pytest.raises(Unavailable) as caught:
            replay(log)
        assert caught.value.code == "damaged"
    with pytest.raises(Unavailable):
        evolve(replay([*room.log, picked]), picked)


def test_throws_of_a_day_are_numbered_by_rounds_and_others_one_by_one():
    for day, numbers in ((None, [0, 1, 2, 3]), ("2026-11-16", [0, 1, 256, 257])):
        opened, *rest = Room("Anna", game="yatzy").log
        room = Room(game="yatzy")
        room.table, found = replay([replace(opened, day=day), *rest]), list[int]()
        for faces, do in (
            ((1, 1, 2, 3, 4), "keep 1 1"),
            ((1, 5, 6), "fill ones"),
            ((2, 2, 2, 3, 4), "keep 2 2 2"),
            ((5, 6), "fill twos"),
        ):
            found.append(room.table.next_number)
            room.table = evolve(room.table, Rolled(room.table.turn + 1, faces))
            room.play(0, do)
        assert found == numbers


def test_a_log_of_a_game_that_is_not_installed_says_so():
    opened = replace(Room("Anna").log[0], game="trappa 2")
    with pytest.raises(Unavailable) as caught:
        replay([opened])
    assert caught.value.code == "game_missing"


def test_a_sum_that_was_corrected_has_not_fallen():
    room = Room("Anna", dice="own")
    room.roll(3, 4)
    room.do(Correct("anna", 1, (1, 2)))
    room.play(0, "a1")
    room.roll(1, 2)
    assert {total: times for total, times in room.table.fell.items() if times} == {3: 2}


def test_who_has_left_owes_nothing_on_a_throw_that_is_corrected():
    room = Room("Anna", "Tim", dice="own")
    room.roll(3, 4)
    room.do(Leave("tim", 1))
    assert room.table.step(1) == 1
    room.do(Correct("anna", 1, (1, 2)))
    assert room.table.owing == 1
    assert room.table.game.has_left(room.table.play, 1)
    assert not room.table.game.has_left(room.table.play, 0)


def test_a_table_counts_its_events_and_what_a_decision_must_not_have_missed():
    """Picks and throws are told apart by their turns and steps: `guard` counts the rest."""
    room = Room("Anna", "Tim", dice="own")
    room.roll(3, 4)
    assert (room.table.seq, room.table.guard) == (4, 2)
    room.play(0, "a1")
    room.do(Correct("anna", 1, (1, 2)))
    assert (room.table.seq, room.table.guard) == (6, 2)
    room.play(0, "a1")
    room.take_back(0)
    room.do(Leave("tim", 1))
    assert (room.table.seq, room.table.guard) == (9, 4) == (len(room.log), 4)
