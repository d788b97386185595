"""What a day leaves behind in every store: results of counted tries, and a backup from which it goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from features.day.playing import HOUR, begin, play, until_over
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import KastaError
from kasta.feature import Site
from kasta.features.day.service import day_after
from kasta.features.day.store import DayStore
from kasta.features.puzzles.store import Answer, PuzzleAnswers
from kasta.results.model import Board
from kasta.results.store import Results
from kasta.tables.commands import Close
from kasta.tables.log import Log
from support.sites import PERSONAL, backup, days_of, restore, served_site
from support.stores.clock import Calendar


@asynccontextmanager
async def finished(log: Log) -> AsyncIterator[tuple[Site, str]]:
    """Anna and Tim have played today, and Anna once more for fun."""
    async with served_site(log) as site:
        today = await days_of(site).today()
        for who in ("anna", "tim", "anna"):
            await play(site.service, await begin(site, who, "knister", today, who))
            await settle(site)
        yield site, today


async def settle(site: Site) -> None:
    """Wait until the game that is over is closed, and its results are taken."""
    for name in await site.service._log.tables():  # noqa: SLF001
        while not (await site.service.table(name)).is_closed:
            async for table in site.service.changes(name):
                if table.is_closed:
                    break
    await site.collector.collect_missing()


def board(day: str, kind: str = "day") -> Board:
    return Board(f"{kind}/{day}", "knister", "sheet")


async def test_the_first_try_of_each_device_is_compared_and_others_are_not(log: Log):
    async with finished(log) as (_, today):
        assert sum((await Results(log.db).distribution(board(today))).values()) == 2
        assert sum((await Results(log.db).distribution(board(today, "fun"))).values()) == 1
        assert [(each.day, each.game, each.shown) for each in await DayStore(log.db).done("anna")] == [
            (today, "knister", None)
        ]
        assert await DayStore(log.db).done("lena") == []


async def test_a_try_that_was_broken_off_is_no_result_and_the_only_one(log: Log):
    async with served_site(log) as site:
        today = await days_of(site).today()
        table = await begin(site, "anna", "knister", today, "Anna")
        await play(site.service, table, 3)
        await site.service.do(table.id, Close("anna"))
        again = await begin(site, "anna", "knister", today, "Anna")
        await play(site.service, again)
        await settle(site)
        assert not again.counted
        assert await DayStore(log.db).done("anna") == []


async def test_whoever_finishes_after_the_secret_is_told_plays_for_fun(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        table = await begin(site, "anna", "knister", await days_of(site).today(), "Anna")
        await play(site.service, table, 3)
        today = await until_over(site, calendar)
        await calendar.go_on(2 * HOUR)
        await site.retention.sweep()
        await calendar.go_on(1.0)
        await play(site.service, await site.service.table(table.id))
        await settle(site)
        assert await DayStore(log.db).done("anna") == []
        assert sum((await Results(log.db).distribution(board(today, "fun"))).values()) == 1


async def test_a_backup_holds_the_dice_of_days_and_whose_try_counts(log: Log):
    async with finished(log) as (site, today):
        begun = await begin(site, "anna", "yatzy", today, "Anna")
        await days_of(site).book.set_best(today, "knister", 80)
        lines = [line.encode() async for line in backup(log, _complain)]
        async with MemoryLog() as other, served_site(other) as copy:
            await restore(other, lines)
            assert await DayStore(other.db).since(today) == await DayStore(log.db).since(today)
            assert await DayStore(other.db).done("anna") == await DayStore(log.db).done("anna")
            assert (await begin(copy, "anna", "yatzy", today, "Anna")).id == begun.id
            assert not (await begin(copy, "anna", "knister", today, "Anna")).counted
            assert {each.day for each in await DayStore(other.db).since(today)} == {today, day_after(today)}


async def test_the_first_answer_to_a_puzzle_is_kept_moved_and_forgotten(log: Log):
    answers, first = PuzzleAnswers(log.db), Answer("knister", 3, "c3", 1220.0, 10.0)
    await answers.add("anna", first)
    await answers.add("anna", first._replace(chosen="a1", at=11.0))
    await answers.add("anna", Answer("knister", 1, "b2", 1240.0, 12.0))
    await answers.add("phone", Answer("knister", 3, "e5", 1180.0, 9.0))
    assert [(each.number, each.chosen) for each in await answers.of_device("anna")] == [(3, "c3"), (1, "b2")]
    await move_all(log.db, PERSONAL, "phone", "phone")
    await move_all(log.db, PERSONAL, "anna", "phone")
    assert [(each.number, each.chosen) for each in await answers.of_device("phone")] == [(3, "e5"), (1, "b2")]
    assert await answers.of_device("anna") == []
    await delete_all(log.db, PERSONAL, "phone")
    assert await answers.of_device("phone") == []


async def test_answers_come_back_from_a_backup_and_go_when_a_device_is_silent(log: Log):
    given = [Answer("knister", number, "c3", 1200.0 + number, 10.0 * number) for number in range(230)]
    for answer in given:
        await PuzzleAnswers(log.db).add("anna", answer)
    await PuzzleAnswers(log.db).add("tim", given[1])
    lines = [line.encode() async for line in backup(log, _complain)]
    async with MemoryLog() as other:
        await restore(other, lines)
        assert await PuzzleAnswers(other.db).of_device("anna") == given
        assert await PuzzleAnswers(other.db).of_device("tim") == [given[1]]
    await restore(log, lines)
    assert await PuzzleAnswers(log.db).of_device("anna") == given, "nothing is there twice"
    for since, left in ((10.0, 1), (11.0, 0)):
        await delete_idle(log.db, PERSONAL, since)
        assert len(await PuzzleAnswers(log.db).of_device("tim")) == left
    assert await PuzzleAnswers(log.db).of_device("anna") == given


def _complain(error: KastaError) -> None:
    raise error
