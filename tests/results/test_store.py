"""Finished games on every store: taken once, found by whoever played, compared, moved, exported and forgotten."""

from __future__ import annotations

import asyncio
import io
import itertools
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

from kasta.core import Over
from kasta.db import open_log
from kasta.db.personal import delete_all, move_all
from kasta.db.sqlite.database import SqliteDatabase
from kasta.features.day.store import DayStore
from kasta.features.puzzles.store import PuzzleAnswers
from kasta.record import Do, Roll, replay
from kasta.results.collect import ResultCollector, results_of
from kasta.results.model import Board, Result, standing
from kasta.results.store import Results
from kasta.tables import events as e
from kasta.tables.commands import Close, Leave, Sit
from kasta.tables.log import Log, change
from kasta.tables.records import Recorder
from kasta.tables.state import replay as replay_log
from support.play import every_rule_set, random_step
from support.room import HOST, SECRET, Room
from support.sites import PERSONAL, forget, new_site, restore
from support.stores.finishing import BOARD, finish_game, made_up
from support.stores.played import lines_of

YATZY = Board("table", "yatzy", "sheet")


async def all_of(log: Log, *devices: str) -> list[Result]:
    return [result for device in devices for result in await Results(log.db).of_device(device, 100)]


async def test_a_game_that_ends_gives_every_person_a_result_without_a_name(log: Log):
    site = new_site(log)
    name = await finish_game(site, "anna", "tim")
    table = await site.service.table(name)
    await site.close()
    anna, tim = await all_of(log, "anna", "tim")
    assert (anna.table, anna.seat, tim.seat, anna.board) == (name, 0, 1, YATZY)
    assert [anna.total, tim.total] == [table.game.total(table.play, seat) for seat in (0, 1)]
    assert sorted([anna.place, tim.place]) == ([1, 1] if anna.total == tim.total else [1, 2])
    assert (anna.seats, anna.bots, anna.is_helped, anna.shown) == (2, 0, False, None)
    assert not any(text in anna.lines() for text in ("Anna", "Tim", name))
    assert await log.untaken() == []


async def test_a_game_that_nobody_took_up_is_taken_later_and_once(log: Log):
    site = new_site(log)
    name = await finish_game(site, "anna", game="knister")
    other = await site.service.open("anna", "knister")
    await site.service.do(other.id, Sit("anna", "Anna"))
    now = await site.service.table(other.id)
    await log.append(change(now, e.Closed(SECRET.hex())))  # the process dies before it takes anything
    await site.close()
    assert await log.untaken() == [other.id]
    nodes = [ResultCollector(log), ResultCollector(log)]
    await asyncio.gather(*(node.take(table) for node in nodes for table in (name, other.id)))
    await asyncio.gather(*(node.collect_missing() for node in nodes))
    assert await log.untaken() == []
    assert [result.table for result in await all_of(log, "anna")] == [name], "the other was broken off"


async def test_two_nodes_that_take_the_same_game_at_once_write_it_once(log: Log):
    (result, *_) = made_up(1)
    added = await asyncio.gather(*(Results(log.db).add(result.table, [result]) for _ in range(5)))
    assert len(added) == 5
    assert await Results(log.db).distribution(BOARD) == ({} if result.is_helped else {result.total: 1})
    assert await Results(log.db).played(result.device) == {BOARD[1:]: 1}


async def test_deleted_results_do_not_come_back(log: Log):
    site = new_site(log)
    name = await finish_game(site, "anna", "tim")
    await site.close()
    await delete_all(log.db, PERSONAL, "anna")
    await ResultCollector(log).collect_missing()
    await ResultCollector(log).take(name)
    assert await Results(log.db).add(name, []) is False, "they were taken before"
    assert [result.device for result in await all_of(log, "anna", "tim")] == ["tim"]
    assert sum((await Results(log.db).distribution(YATZY)).values()) == 1
    lines = await lines_of(log)
    async with await open_log("memory:") as other:
        restored = await restore(other, lines)
        assert (restored.tables, restored.results) == (1, 1)
        await ResultCollector(other).collect_missing()
        assert [result.device for result in await all_of(other, "anna", "tim")] == ["tim"]


async def test_results_come_back_from_a_backup_as_they_were_and_are_not_doubled(log: Log):
    kept = list(made_up(450))
    for result in kept:
        await Results(log.db).add(result.table, [result])
    lines = await lines_of(log)
    async with await open_log("memory:") as memory:
        assert (await restore(memory, lines)).results == len(kept)
        assert await Results(memory.db).ranking(BOARD, 1_000) == await Results(log.db).ranking(BOARD, 1_000)
        again = await lines_of(memory)
    assert (await restore(log, again)).results == 0
    await delete_all(log.db, PERSONAL, kept[0].device)
    gone = sum(result.device == kept[0].device for result in kept)
    assert (await restore(log, again)).results == gone
    expected = Counter(result.total for result in kept if not result.is_helped)
    assert await Results(log.db).distribution(BOARD) == dict(sorted(expected.items()))


async def test_what_a_review_has_found_is_kept_with_the_result(log: Log):
    (first, second) = made_up(2)
    await Results(log.db).add(first.table, [first])
    await Results(log.db).add(second.table, [second])
    await Results(log.db).note_review(first.table, 0, -3.5, 7.25)
    await Results(log.db).note_review("nowhere", 0, 1.0, 1.0)
    found = {result.table: (result.luck, result.lost) for result in await all_of(log, first.device)}
    assert found[first.table] == (-3.5, 7.25)
    assert (await all_of(log, second.device))[0].luck is None or second.device == first.device
    async with await open_log("memory:") as other:
        await restore(other, await lines_of(log))
        assert (await all_of(other, first.device)) == (await all_of(log, first.device))


async def test_results_outlive_their_table(log: Log):
    site = new_site(log)
    name = await finish_game(site, "anna", game="knister")
    await site.close()
    await log.delete(name)
    (result,) = await all_of(log, "anna")
    assert result.table == name
    assert replay(io.BytesIO(result.lines().encode())).header.seats == ("Player 1",)


async def test_boards_and_lists_agree_with_what_was_added(log: Log):
    kept = list(made_up(300))
    for result in kept:
        await Results(log.db).add(result.table, [result])
    await delete_all(log.db, PERSONAL, "device 3")
    left = [result for result in kept if result.device != "device 3"]
    counted = [result for result in left if not result.is_helped]
    best = sorted(counted, key=lambda each: (-each.total, each.ended))
    ranking = await Results(log.db).ranking(BOARD, 10)
    assert [(each.total, each.ended) for each in ranking] == [(each.total, each.ended) for each in best[:10]]
    assert await Results(log.db).distribution(BOARD) == dict(
        sorted(Counter(each.total for each in counted).items())
    )
    above = sum(each.total > 60 for each in counted)
    assert (await Results(log.db).standing(BOARD, 60))[:2] == (above + 1, len(counted))
    assert await Results(log.db).distribution(BOARD._replace(kind="table")) == {}
    own = sorted((each.ended for each in left if each.device == "device 1"), reverse=True)
    pages = [await Results(log.db).of_device("device 1", 3, skip, BOARD[1:]) for skip in range(0, len(own), 3)]
    assert [each.ended for page in pages for each in page] == own
    assert [each.ended async for each in Results(log.db).export("device 1")] == own
    assert await Results(log.db).played("device 1") == {BOARD[1:]: len(own)}
    best_own = max(
        (each for each in left if each.device == "device 1"), key=lambda each: (each.total, -each.ended)
    )
    assert await Results(log.db).best_of("device 1") == [(BOARD[1:], best_own.total, best_own.ended)]


async def test_results_move_to_another_device(log: Log):
    for result in made_up(30):
        await Results(log.db).add(result.table, [result])
    before = len(await all_of(log, "device 0"))
    assert before > 0
    await move_all(log.db, PERSONAL, "device 0", "tablet")
    assert (len(await all_of(log, "device 0")), len(await all_of(log, "tablet"))) == (0, before)


async def test_a_name_is_shown_only_on_demand_and_forgotten_with_the_table_s(log: Log):
    site = new_site(log)
    name = await finish_game(site, "anna", "tim")
    await site.close()
    for device in ("anna", "tim"):
        await Results(log.db).show(device, name, f"{device} the great")
    assert {each.shown for each in await Results(log.db).ranking(YATZY, 9)} == {"anna the great", "tim the great"}
    await forget(log, name, 0)
    assert {each.shown for each in await Results(log.db).ranking(YATZY, 9)} == {None, "tim the great"}
    await Results(log.db).show("tim", name, None)
    assert {each.shown for each in await Results(log.db).ranking(YATZY, 9)} == {None}


def test_a_standing_counts_a_tie_as_half_a_win():
    assert standing({10: 1, 20: 2, 30: 1}, 20) == (2, 4, 50.0)
    assert standing({10: 1}, 5) == (2, 1, 0.0)
    assert standing({}, 5) == (1, 0, 0.0)


def finished(name: str, rules: str, seed: int) -> tuple[Room, list[Result]]:
    """A random game of three of whom the last one leaves, and its results."""
    room, rng = Room("Anna", "Tim", "Sarah", game=name, rules=rules, dice="own"), Random(seed)
    while not isinstance(room.table.next(), Over):
        step = random_step(room.table.game, room.table.started(), rng)
        if isinstance(step, Roll):
            room.roll(*step.faces)
        elif isinstance(step, Do):
            room.play(step.seat, step.text)
        if room.table.turn == 5 and not room.table.game.has_left(room.table.play, 2):
            room.do(Leave("sarah", 2))
    room.do(Close(HOST, SECRET.hex()))
    recorder = Recorder()
    for event in room.log:
        recorder.take(event)
    return room, list(results_of(recorder, 1.0))


@every_rule_set
def test_a_seat_s_own_record_replays_to_its_total(name: str, rules: str):
    for seed in range(3):
        room, results = finished(name, rules, seed)
        assert [result.seat for result in results] == [0, 1], "who left has no result"
        for result in results:
            end = replay(io.BytesIO(result.lines().encode()))
            assert end.game.total(end.table, 0) == result.total
            sheets = [room.table.game.sheet(room.table.play, result.seat), end.game.sheet(end.table, 0)]
            first, second = map(end.game.solo.write_sheet, sheets)
            assert first == second
        assert set(itertools.chain(*(result.hands for result in results)))


async def test_a_game_that_was_broken_off_has_no_results(log: Log):
    site = new_site(log)
    table = await site.service.open(HOST, "knister")
    await site.service.do(table.id, Sit("anna", "Anna"))
    await site.service.do(table.id, Close(HOST))
    await site.collector.settled()
    await site.close()
    assert await all_of(log, "anna") == []
    assert await log.untaken() == []


async def test_a_game_ended_with_its_last_pick_however_late_it_is_closed(log: Log):
    room, _ = finished("yatzy", "sheet", 1)
    start = await log.now()
    times = [start + second for second in range(len(room.log) - 1)] + [start + 90_000]
    await log.create(room.log[0], SECRET, times[0])  # type: ignore[arg-type]
    table = replay_log(room.log[:1])
    for event, at in zip(room.log[1:], times[1:], strict=True):
        made = change(table, event)
        await log.append(made, at)
        table = made.after
    await ResultCollector(log).take(table.id)
    last = max(number for number, event in enumerate(room.log) if isinstance(event, e.Acted))
    assert {result.ended for result in await all_of(log, "anna", "tim")} == {times[last]}


class Explained:
    """A connection to SQLite that also notes how it finds what is asked for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db, self.plans = db, list[str]()

    def execute(self, query: str, values: Any = ()) -> sqlite3.Cursor:  # noqa: ANN401 - as sqlite3 has it
        if not re.match("SAVEPOINT|RELEASE|PRAGMA", query):
            self.plans += [row[3] for row in self.db.execute(f"EXPLAIN QUERY PLAN {query}", values)]
        return self.db.execute(query, values)

    async def run(self, work: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - whatever is asked for
        return work(self)


async def test_no_answer_about_one_device_or_board_reads_all_results(sqlite_url: str):
    async with await open_log(sqlite_url):
        pass
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as db:
        asked = Explained(db)
        asked_by_statement = SqliteDatabase(asked.run, asked.run)
        results, days = Results(asked_by_statement), DayStore(asked_by_statement)
        await results.of_device("anna", 20)
        await results.of_device("anna", 20, 40, BOARD[1:])
        await results.played("anna")
        await results.best_of("anna")
        await results.ranking(BOARD, 100)
        await results.standing(BOARD, 60)
        await results.note_review("table", 0, 1.0, 2.0)
        await days.done("anna")
        await PuzzleAnswers(asked_by_statement).of_device("anna")
    assert len(asked.plans) >= 8
    assert not [plan for plan in asked.plans if re.match(r"SCAN (?!own$|\(subquery)", plan)]
