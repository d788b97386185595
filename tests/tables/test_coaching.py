"""The coach thinks in a process of its own: options and reviews, table by table."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from random import Random

import pytest

from kasta.coach import process
from kasta.coach.process import Coach
from kasta.coach.review import SeatGame
from kasta.core import Throw
from kasta.games import find_game
from kasta.record import Do, Header, Leave, Roll, Step
from kasta.tables.commands import Leave as LeaveSeat
from kasta.tables.records import record, seat_game, sort_out
from support.play import due_seats, random_game, refused
from support.room import Room

pytestmark = pytest.mark.usefixtures("own_solutions")


@pytest.fixture
async def coach() -> AsyncIterator[Coach]:
    made = Coach()
    yield made
    made.close()


def alone(name: str, seed: int = 1) -> SeatGame:
    game = find_game(name)
    steps = [step for _, step in random_game(game, 1, seed) if step]
    return SeatGame(Header(game.name, game.rules, ("",)), list(enumerate(steps, 2)), 0)


def evening(name: str, seats: int, seed: int) -> Room:
    """A whole game of a room where everybody does anything."""
    room, rng = Room(*(f"P{seat}" for seat in range(seats)), game=name, dice="own"), Random(seed)
    game = room.table.game
    while (expected := room.table.next()) and (isinstance(expected, Throw) or due_seats(game, room.table.play)):
        if isinstance(expected, Throw):
            room.roll(*(rng.randint(1, 6) for _ in range(expected.dice)))
        else:
            seat = rng.choice(due_seats(game, room.table.play))
            room.play(seat, str(rng.choice(game.legal(room.table.play, seat))))
    return room


def of_seat(room: Room, seat: int | None) -> SeatGame:
    return seat_game(room.table, sort_out(*record(room.log)), seat)


async def test_options_come_best_first(coach: Coach):
    room = Room("Anna", game="yatzy")
    room.roll(2, 3, 4, 5, 6)
    options = await coach.options("t", room.table.game, room.table.game.sheet(room.table.play, 0))
    assert str(options[0].action) == "fill large_straight"
    assert [option.value for option in options] == sorted((option.value for option in options), reverse=True)


async def test_a_review_grows_to_the_exact_sum(coach: Coach):
    found = [each async for each in coach.review("t", alone("yatzy"))]
    assert [each.is_done for each in found] == [False] * (len(found) - 1) + [True]
    last = found[-1]
    assert last.total == pytest.approx(last.expected + last.luck - last.lost), "where values are exact"
    assert last.values == await coach.values(find_game("yatzy"))


async def test_a_table_with_many_questions_neither_keeps_another_waiting_nor_asks_without_end(
    coach: Coach, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process, "MOST_WAITING", 6)
    game = find_game("yatzy")
    sheet, order = game.solo.throw(game.solo.start(), (1, 1, 1, 1, 1)), list[str]()

    async def ask(table: str) -> None:
        await coach.options(table, game, sheet)
        order.append(table)

    asked = [asyncio.create_task(ask(table)) for table in [*"aaaaaaa", "b"]]
    await asyncio.sleep(0)
    with refused("too_many_questions"):
        await coach.options("a", game, sheet)
    await asyncio.gather(*asked)
    assert order.index("b") <= 2, order


async def test_a_review_whose_process_was_killed_is_made_again(coach: Coach):
    growing = coach.review("t", alone("yatzy"))
    pid = await coach.ask("", os.getpid)
    os.kill(pid, signal.SIGKILL)
    assert [each async for each in growing][-1].is_done


def test_one_seat_of_many_needs_two_at_most_and_sees_the_same():
    """The last throw comes by another's full sheet, and the lines are those of the whole record."""
    room = evening("knaster", 5, 3)
    header, steps = record(room.log)
    for seat in range(5):
        found = of_seat(room, seat)
        assert len(found.header.seats) <= 2
        *_, last = process.moments(found)
        assert last.game.sheet(last.table, 0) == room.table.game.sheet(room.table.play, seat)
        for line, step in found.steps:
            whole: Step = steps[line - 2]
            assert isinstance(whole, Roll) or (isinstance(step, Do) and step.text == getattr(whole, "text", ""))
    assert header.seats == ("P0", "P1", "P2", "P3", "P4")


def test_who_left_is_reviewed_up_to_there():
    room = Room("Anna", "Tim", game="knister", dice="own")
    room.roll(1, 2)
    room.play(0, "a1")
    room.do(LeaveSeat("anna", 0))
    room.play(1, "a1")
    room.roll(3, 4)
    room.play(1, "b2")
    assert [step for _, step in of_seat(room, 0).steps] == [Roll((1, 2)), Do(0, "a1")]
    assert not any(isinstance(step, Leave) for _, step in of_seat(room, 1).steps)


@pytest.mark.parametrize("name", ["knister", "knaster"])
def test_the_ghost_plays_along_on_the_same_throws(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "at_level", lambda _level, _game: "greedy")  # quick, and as legal as the best
    found = of_seat(evening(name, 3, 5), None)
    moments = list(process._along(found))  # noqa: SLF001
    thrown = [step.faces for _, step in found.steps if isinstance(step, Roll)]
    answered = [moment.step.faces for moment in moments if isinstance(moment.step, Roll)]
    assert answered == thrown[: len(answered)]
    assert any(isinstance(moment.step, Do) and moment.step.seat == 0 for moment in moments)
    assert moments[-1].game.solo.rests(moments[-1].game.sheet(moments[-1].table, 0))
