"""One throw and one pick, from command to everybody's screen: `evolve` runs once, the log is hardly read."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import pytest

from kasta.core import Seat
from kasta.db import open_log
from kasta.errors import Illegal
from kasta.tables import events as e, live, log as log_module
from kasta.tables.commands import Command, Play, Roll, Sit
from kasta.tables.log import Log, Seq, Stored
from kasta.tables.service import Service
from kasta.tables.state import Table, evolve

PATIENCE = 10
NOTICED_SECONDS = 1.5  # until notices have come back to who sent them, and polls have looked


def count(log: Log, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a real store is read, and how often a table is evolved."""
    counted: Counter[str] = Counter()
    read = log.read

    async def counted_read(table: str, after: Seq = Seq(0)) -> list[Stored]:
        counted["read"] += 1
        return await read(table, after)

    def counted_evolve(table: Table | None, event: e.AnyEvent) -> Table:
        counted["evolve"] += 1
        return evolve(table, event)

    monkeypatch.setattr(log, "read", counted_read)
    for module in (live, log_module):
        monkeypatch.setattr(module, "evolve", counted_evolve)
    return counted


async def opened(service: Service) -> Table:
    table = await service.open("anna", "knister")
    for name in ("Anna", "Tim"):
        table = await service.do(table.id, Sit(name.lower(), name))
    return table


async def until(changes: AsyncGenerator[Table, None], is_there: Callable[[Table], bool]) -> Table:
    async with asyncio.timeout(PATIENCE):
        while not is_there(table := await anext(changes)):
            pass
    return table


async def test_a_throw_and_a_pick_evolve_once_each_and_followers_share_them(
    log: Log, monkeypatch: pytest.MonkeyPatch
):
    """No log is read. Only a poll that looks between a commit and its answer reads one, so not every time."""
    service, reads = Service(log), dict[type[Command], list[int]]()
    table = await opened(service)
    async with (
        aclosing(service.changes(table.id)) as page,
        aclosing(service.changes(table.id)) as other,
        aclosing(service.follow(table.id, "tim", Seq(table.seq))) as stream,
    ):
        await asyncio.gather(anext(page), anext(other))
        counted = count(log, monkeypatch)
        for command in (one for turn in range(3) for one in commands(turn)):
            if 0 in reads.get(Roll, ()) and 0 in reads.get(Play, ()):
                break
            counted.clear()
            table = await service.do(table.id, command)
            seq = table.seq
            assert all([(await until(each, lambda seen: seen.seq == seq)) is table for each in (page, other)])  # noqa: B023
            assert (await asyncio.wait_for(anext(stream), PATIENCE))[0] == seq
            await asyncio.sleep(NOTICED_SECONDS)
            assert counted["evolve"] == 1
            reads.setdefault(type(command), []).append(counted["read"])
    assert all(0 in each for each in reads.values()), reads
    assert reads.keys() == {Roll, Play}
    await service.close()


def commands(turn: int) -> list[Command]:
    """A throw, and what both answer."""
    picks = [
        Play(by, turn + 1, Seat(seat), 0, f"{'cd'[seat]}{turn + 1}") for seat, by in enumerate(("anna", "tim"))
    ]
    return [Roll(("anna", "tim", "anna")[turn], turn), *picks]


async def test_what_another_process_does_is_read_once_however_many_follow(
    durable_url: str, monkeypatch: pytest.MonkeyPatch
):
    async with await open_log(durable_url) as here, await open_log(durable_url) as there:
        mine, theirs = Service(here), Service(there)
        table = await opened(theirs)
        followers = [mine.changes(table.id) for _ in range(5)]
        for each in followers:
            await anext(each)
        await asyncio.sleep(1.5)
        counted = count(here, monkeypatch)
        await theirs.do(table.id, Roll("anna", 0))
        for each in followers:
            await until(each, lambda seen: seen.turn == 1)
        await asyncio.sleep(1.5)
        assert counted["read"] == 1
        for each in followers:
            await each.aclose()
        await mine.close()
        await theirs.close()


async def test_a_hall_that_comes_back_at_once_reads_the_log_as_one(
    durable_url: str, monkeypatch: pytest.MonkeyPatch
):
    async with await open_log(durable_url) as log:
        service = Service(log)
        table = await opened(service)
        counted = count(log, monkeypatch)
        seen = await asyncio.gather(*(service.table(table.id) for _ in range(300)))
        assert set(map(id, seen)) == {id(table)}
        assert 0 < counted["read"] < 10
        await service.close()


async def test_nothing_is_missed_while_two_processes_take_turns(store_url: str):
    async with await open_log(store_url) as here:
        there = here if store_url == "memory:" else await open_log(store_url)
        mine, theirs = Service(here), Service(there)
        table = await opened(mine)

        async def listen(service: Service, after: int) -> list[int]:
            heard = list[int]()
            async with asyncio.timeout(60), aclosing(service.follow(table.id, "tim", Seq(after))) as events:
                async for seq, event in events:
                    heard.append(seq)
                    if isinstance(event, e.Rolled) and event.turn == 12:
                        break
            return heard

        listening = [asyncio.create_task(listen(each, after)) for each in (mine, theirs) for after in (0, 2)]
        now = table
        for turn in range(12):
            by = "anna" if turn == 0 else now.places[turn % 2].device
            now = await (mine, theirs)[turn % 2].do(table.id, Roll(by, turn))
            if turn < 11:
                cell = f"{'abcde'[turn % 5]}{turn // 5 + 1}"
                picks = (
                    each.do(table.id, Play(by, turn + 1, seat, 0, cell))
                    for each, by, seat in ((mine, "tim", 1), (theirs, "anna", 0))
                )
                await asyncio.gather(*picks)
        everything = list(range(1, (await mine.table(table.id)).seq + 1))
        assert await asyncio.gather(*listening) == [everything, everything[2:]] * 2
        await mine.close()
        await theirs.close()
        if there is not here:
            await there.close()


async def test_a_table_that_is_followed_stays_in_memory_and_one_that_is_deleted_says_so():
    async with await open_log("memory:") as log:
        service = Service(log, most_live=1)
        table = await opened(service)
        async with aclosing(service.changes(table.id)) as page:
            await anext(page)
            for _ in range(3):
                await opened(service)
            await service.do(table.id, Roll("anna", 0))
            assert (await until(page, lambda seen: seen.turn == 1)).turn == 1
            await log.delete(table.id)
            service._tables.drop(table.id)  # noqa: SLF001 - as tidying does
            with pytest.raises(Illegal, match="no such table"):
                await anext(page)
        assert len(service._tables) == 1  # noqa: SLF001
        await service.close()


async def test_a_log_tells_nothing_to_who_has_ceased_to_watch():
    told, still = list[Seq](), list[Seq]()
    async with await open_log("memory:") as log:

        def hear(_: str, head: Seq) -> None:
            told.append(head)

        log.watch("t1", hear)
        log.watch("t1", lambda _, head: still.append(head))
        log.unwatch("t1", hear)
        await asyncio.sleep(0.01)
        log.wake("t1", Seq(7))
        await asyncio.sleep(0.01)
    assert (told, still[-1:]) == ([], [7])
