"""Games that follow on each other: the same people, any mix of games, a running table, a handicap."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from kasta.db.sqlite.memory import MemoryLog
from kasta.games import GAMES
from kasta.tables.commands import Agree, Close, Configure, Leave, Replace, Sit, Wait
from kasta.tables.evening import again, handicaps, points, standings
from kasta.tables.events import Agreed, Replaced, SeatedEvent
from kasta.tables.service import Service
from kasta.tables.state import evolve, replay
from support.play import refused
from support.room import HOST, Room
from support.stores.finishing import play_game, play_on

# Five throws each of 2, 4, 6, 8 and 10. By rows, every line down or across is worth something.
THROWS = [(face, face) for face in range(1, 6) for _ in range(5)]
ROWS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
SPREAD = [f"{'abcde'[(row + 2 * column) % 5]}{column + 1}" for row in range(5) for column in range(5)]
NEARLY_A_ROW = [*ROWS[:4], ROWS[5], ROWS[4], *[cell for cell in SPREAD if cell not in ROWS[:6]]]


def finish(room: Room, *orders: list[str]) -> None:
    """Play a game of Knister to its end with these throws: each seat writes in its own order of cells."""
    for number, faces in enumerate(THROWS):
        if number == room.table.turn:
            room.roll(*faces, by=HOST)
        for seat, order in zip(sorted(room.table.places), orders, strict=True):
            if room.table.is_due(seat):
                room.play(seat, order[number], by="" if room.table.places[seat].bot else None)


def next_room(old: Room) -> Room:
    """The table that follows on another one."""
    new = Room(dice="own", thrower="host")
    for event in again(old.table):
        new.table = evolve(new.table, event)
    return new


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with MemoryLog() as log:
        yield Service(log, auto_seconds=0)


async def test_the_next_game_may_be_another_one_and_the_evening_goes_on(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    second = await service.rematch(first, "anna", "yatzy", "plain")
    assert (second.game.name, second.game.rules, second.previous) == ("yatzy", "plain", first)
    await play_on(service, second)
    third = await service.rematch(second.id, "tim")
    assert (third.game.name, third.game.rules) == ("yatzy", "plain"), "the same again"
    for name in (first, second.id, third.id):
        assert [table.id for table in await service.evening(name, 30)] == [first, second.id, third.id]
    games = await service.evening(third.id, 30)
    ranked = standings(games)
    for player in ranked:
        assert player.points == sum(player.totals.values())
        seat = {"Anna": 0, "Tim": 1}[player.name]
        assert [player.totals[number] for number in (0, 1)] == [
            game.game.total(game.play, seat) for game in games[:2]
        ]
        assert (player.wins, player.points) == (third.places[seat].wins, third.places[seat].points)
    assert [(player.wins, player.points) for player in ranked] == sorted(
        ((player.wins, player.points) for player in ranked), reverse=True
    )
    await service.close()


async def test_who_leaves_keeps_their_line_and_the_others_go_on_with_theirs(service: Service):
    first = await play_game(service, "anna", "tim", "sarah", game="knister")
    second = await service.rematch(first, "anna")
    await service.do(second.id, Leave("anna", 0))
    await play_on(service, await service.table(second.id))
    third = await service.rematch(second.id, "tim")
    games = await service.evening(first, 30)
    found = {player.name: player for player in standings(games)}
    assert {name: sorted(player.totals) for name, player in found.items()} == {
        "Anna": [0],
        "Tim": [0, 1],
        "Sarah": [0, 1],
    }
    assert {name: player.seat for name, player in found.items()} == {"Anna": None, "Tim": 0, "Sarah": 1}
    assert found["Tim"].totals[1] == games[1].game.total(games[1].play, 1)
    assert len(third.places) == 2
    await service.close()


async def test_games_that_were_forgotten_stay_in_the_tally(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    before = {player.name: (player.wins, player.points) for player in standings(await service.evening(first, 30))}
    second = await service.rematch(first, "anna")
    await service._log.delete(first)  # noqa: SLF001
    games = await service.evening(second.id, 30)
    assert [table.id for table in games] == [second.id]
    assert {player.name: (player.wins, player.points) for player in standings(games)} == before
    await service.close()


async def test_a_handicap_goes_by_the_levels_of_bots_in_whatever_game(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    with refused("host_only"):
        await service.do(first, Agree("tim", 3))
    with refused("unknown_bot"):
        await service.do(first, Agree("anna", 3, ((1, "godlike"),)))
    table = await service.do(first, Agree("anna", 3, ((0, "strong"), (1, "weak"))))
    means = GAMES["knister"].level_means
    assert handicaps(table) == {0: 0, 1: round(means["strong"] - means["weak"])}
    assert points(table)[1] == table.game.total(table.play, 1) + handicaps(table)[1]
    second = await service.rematch(first, "anna", "yatzy")
    assert second.agreed == table.agreed, "it holds on"
    means = GAMES["yatzy"].level_means
    assert handicaps(second) == {0: 0, 1: round(means["strong"] - means["weak"])}
    read = replay(stored.event for stored in await service._log.read(second.id))  # noqa: SLF001
    assert read.agreed == second.agreed
    await service.close()


def test_the_next_game_seats_who_stayed_then_who_came_too_late_and_counts_wins_and_points():
    room = Room("Anna", "Tim", "Sarah", "Eva", dice="own", thrower="host")
    room.do(Sit(HOST, "Robot", bot="greedy"))
    room.do(Sit("bridge", "Engine", program=True))
    room.do(Agree(HOST, 3, ((1, "weak"), (3, "strong"))))
    room.roll(*THROWS[0], by=HOST)
    room.do(Wait("late", "Late"))
    room.do(Configure(HOST, replace(room.table.settings, wall=True)))
    room.do(Wait("later", "Later"))
    room.do(Leave("tim", 1))
    room.do(Replace(HOST, 2, "greedy"), away={"sarah"})
    finish(room, ROWS, SPREAD, SPREAD, ROWS, SPREAD, SPREAD)
    low, high = points(room.table)[2], points(room.table)[0]
    assert low < high
    *seated, agreed = again(room.table)
    assert agreed == Agreed(3, ((2, "strong"),)), "Eva has another number now, and Tim is gone"
    assert Replaced(1, "greedy") == seated.pop(2), "a bot plays on for Sarah"
    assert all(isinstance(each, SeatedEvent) for each in seated)
    told = [(e.seat, e.name, e.device, e.bot, e.wins, e.points, e.program) for e in seated]  # type: ignore[union-attr]
    assert told == [
        (0, "Anna", "anna", None, 1, high, False),
        (1, "Sarah", "sarah", None, 0, low, False),
        (2, "Eva", "eva", None, 1, high, False),
        (3, "Robot", HOST, "greedy", 0, low, False),
        (4, "Engine", "bridge", None, 0, low, True),
        (5, "Late", "late", None, 0, 0, False),
        (6, "Later", "later", None, 0, 0, False),
    ]
    assert [e.name for e in seated if e.wall] == ["Later"], "who came before did not know of the wall"  # type: ignore[union-attr]
    assert len({each.entropy for each in seated} - {""}) == len(seated)  # type: ignore[union-attr]


def test_wins_count_before_points_equal_totals_win_both_and_a_handicap_decides():
    first = Room("Anna", "Tim", dice="own", thrower="host")
    finish(first, NEARLY_A_ROW, SPREAD)
    second = next_room(first)
    finish(second, NEARLY_A_ROW, SPREAD)
    third = next_room(second)
    finish(third, SPREAD, ROWS)
    fourth = next_room(third)
    finish(fourth, ROWS, ROWS)
    rooms = (first, second, third, fourth)
    first.do(Close(HOST, "00" * 32))
    tables = [room.table for room in rooms]
    assert [(each.name, each.wins, each.points) for each in standings(tables)] == [
        ("Anna", 1, _total(first, 0)),
        ("Tim", 0, _total(first, 1)),
    ], "a game counts when its table is closed"
    assert [(each.name, each.wins) for each in standings(tables[2:])] == [("Anna", 2), ("Tim", 0)], "as was told"
    for room in rooms[1:]:
        room.do(Close(HOST, "00" * 32))
    anna, tim = standings([room.table for room in rooms])
    low, middle, high = _total(first, 1), _total(first, 0), _total(third, 1)
    assert low < middle < high
    assert (anna.name, anna.wins, anna.totals) == ("Anna", 3, {0: middle, 1: middle, 2: low, 3: high})
    assert (tim.name, tim.wins, tim.totals) == ("Tim", 2, {0: low, 1: low, 2: high, 3: high})
    assert (anna.points, tim.points) == (2 * middle + low + high, 2 * low + 2 * high)
    assert tim.points > anna.points, "and yet Anna is first"
    given = Room("Anna", "Tim", dice="own", thrower="host")
    given.do(Agree(HOST, None, ((0, "strong"), (1, "weak"))))
    finish(given, NEARLY_A_ROW, SPREAD)
    given.do(Close(HOST, "00" * 32))
    best, other = standings([given.table])
    assert (best.name, best.wins, other.wins) == ("Tim", 1, 0)
    assert best.points == low + handicaps(given.table)[1] > other.points == middle


def test_of_as_many_wins_the_most_points_are_first():
    first = Room("Anna", "Tim", dice="own", thrower="host")
    finish(first, NEARLY_A_ROW, SPREAD)
    second = next_room(first)
    finish(second, SPREAD, ROWS)
    for room in (first, second):
        room.do(Close(HOST, "00" * 32))
    tim, anna = standings([first.table, second.table])
    assert ((tim.name, tim.wins), (anna.name, anna.wins)) == (("Tim", 1), ("Anna", 1))
    assert tim.points > anna.points


def _total(room: Room, seat: int) -> int:
    return room.table.game.total(room.table.play, seat)
