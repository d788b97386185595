"""Any table exports as a game record that holds what finally counted, and that replays to the same totals."""

from __future__ import annotations

import io
import random

import pytest

from kasta import GAMES, Over, Pick, Seat, Throw, dice
from kasta.record import Do, Leave as LeaveStep, Roll, replay, write_record
from kasta.tables.commands import Close, Configure, Correct, Leave
from kasta.tables.events import Settings
from kasta.tables.records import clockwise, proof, record
from kasta.tables.state import replay as replay_log
from kasta.verify import Verdict, check_dice
from support.room import HOST, SECRET, Room


def text(room: Room) -> io.BytesIO:
    return io.BytesIO("\n".join(write_record(*record(room.log))).encode())


def totals(room: Room) -> list[int]:
    order = list(clockwise(room.table))
    return [room.table.game.total(room.table.play, seat) for seat in order]


def play_at_random(room: Room, rng: random.Random, leave_at: int | None = None) -> None:
    """A whole game with the table's own dice, with take-backs, and somebody leaving."""
    salt = dice.salt(room.table.id, proof(room.table, clockwise(room.table)).entropy)
    while not isinstance(expected := room.table.next(), Over):
        match expected:
            case Throw(count):
                if room.table.turn == leave_at:
                    room.do(Leave(HOST, 1))
                    leave_at = None
                    continue
                room.roll(*dice.throw(SECRET, salt, room.table.turn, count))
            case Pick(_, is_due):
                seat = rng.choice([seat for seat in room.table.places if is_due(seat)])
                room.play(seat, str(rng.choice(room.table.game.legal(room.table.play, seat))))
                while rng.random() < 0.2 and room.table.owing:
                    try:
                        room.take_back(seat)
                    except Exception:  # noqa: BLE001 - a keep stands, an undone pick cannot be undone again
                        break
    room.do(Close("", SECRET.hex()))


@pytest.mark.parametrize("leave_at", [None, 7])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_replays_from_its_record_and_its_dice_are_proven(game: str, leave_at: int | None):
    for seed in range(5):
        room = Room("Anna", "Tim", "Linus", game=game)
        room.do(Configure(HOST, Settings(first=Seat(1 + seed % 2))))
        play_at_random(room, random.Random(seed), leave_at)
        assert replay_log(room.log) == room.table
        end = replay(text(room))
        assert isinstance(end.game.next(end.table), Over)
        assert [end.game.total(end.table, seat) for seat in range(3)] == totals(room)
        assert check_dice(text(room)) == Verdict("proven", room.table.turn)


def test_seats_count_clockwise_from_the_one_who_starts():
    room = Room("Anna", "Tim", "Linus")
    room.do(Configure(HOST, Settings(first=1)))
    room.roll(3, 5)
    room.play(0, "c3")
    header, steps = record(room.log)
    assert header.seats == ("Tim", "Linus", "Anna")
    assert steps == [Roll((3, 5)), Do(2, "c3")]


def test_what_was_taken_back_or_corrected_is_not_in_it():
    room = Room("Anna", "Tim", dice="own")
    room.roll(3, 5)
    room.play(0, "c3")
    room.take_back(0)
    room.play(0, "a1")
    room.do(Correct("anna", 1, (6, 6)))
    room.play(1, "b2")
    header, steps = record(room.log)
    assert header.dice is None
    assert steps == [Roll((6, 6)), Do(1, "b2")]


def test_who_left_is_said():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    room.do(Leave("anna", 0))
    assert record(room.log)[1] == [Roll((3, 5)), LeaveStep(0)]


def test_who_gave_up_the_seat_before_the_first_throw_is_not_in_it():
    room = Room("Anna", "Tim", "Linus")
    room.do(Leave("tim", 1))
    room.roll(3, 5)
    room.play(2, "c3")
    header, steps = record(room.log)
    assert header.seats == ("Anna", "Linus")
    assert steps == [Roll((3, 5)), Do(1, "c3")]


def test_the_secret_is_in_no_record_before_the_end():
    room = Room("Anna", "Tim")
    room.roll(3, 5)
    assert SECRET.hex().encode() not in text(room).read()
    assert check_dice(text(room)).dice == "unproven"


def test_what_everybody_may_see_holds_nothing_of_an_open_round():
    room = Room("Anna", "Tim", "Linus")
    room.roll(3, 5)
    room.play(0, "c3")
    room.do(Leave("linus", 2))
    assert record(room.log, open_picks=False)[1] == [Roll((3, 5)), LeaveStep(2)]
    room.play(1, "c3")
    room.roll(1, 1)
    assert record(room.log, open_picks=False)[1][1] == Do(0, "c3")
