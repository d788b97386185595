"""A rematch is written whole or not at all, whoever looks meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from kasta.db import open_log
from kasta.tables import rights
from kasta.tables.commands import Close, Command, Roll, Sit, Wait
from kasta.tables.events import SeatedEvent
from kasta.tables.log import Log
from kasta.tables.service import Service

SEATS = 150


async def _ended(service: Service, *late: Command) -> str:
    table = (await service.open("d0", "knister")).id
    await asyncio.gather(*(service.do(table, Sit(f"d{seat}", f"P{seat}")) for seat in range(SEATS)))
    for command in (Roll("d0", 0), *late, Close("d0")):
        await service.do(table, command)
    return table


async def _seats(log: Log, table: str) -> int:
    return sum(isinstance(each.event, SeatedEvent) for each in await log.read(table))


async def test_nobody_sees_a_rematch_before_everybody_sits(logs: tuple[Log, Log]):
    """Another process looks all the time: the next table has all seats as soon as it is there."""
    service, seen = Service(logs[0]), dict[str, int]()
    table = await _ended(service)
    making = asyncio.create_task(service.rematch(table, "d1"))
    while not making.done():
        seen |= {each: await _seats(logs[1], each) for each in await logs[1].tables() if each not in seen}
    assert set(seen.values()) <= {SEATS}
    new = await making
    assert len(new.places) == SEATS
    assert (await service.table(table)).next_table == new.id
    assert await Service(logs[1]).table(new.id) == new
    await service.close()


async def test_both_of_two_processes_lead_to_one_rematch(logs: tuple[Log, Log]):
    one, other = Service(logs[0]), Service(logs[1])
    table = await _ended(one)
    await other.table(table)
    first, second = await asyncio.gather(one.rematch(table, "d0"), other.rematch(table, "d1", "yatzy"))
    assert first.id == second.id
    assert sorted(await logs[0].tables()) == sorted([table, first.id])
    for service in (one, other):
        await service.close()


async def test_a_rematch_that_is_broken_off_leaves_nothing_behind(sqlite_url: str):
    async with await open_log(sqlite_url) as log:
        service = Service(log)
        table = await _ended(service)
        making = asyncio.create_task(service.rematch(table, "d0"))
        await asyncio.sleep(0.01)
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)
        await log.ping()  # what it has asked for may still be written, as a whole
        following = (await service.table(table)).next_table
        assert await log.tables() == ([table] if following is None else [table, following])
        await service.close()


async def test_a_rematch_of_a_full_table_has_no_more_seats_either(monkeypatch: pytest.MonkeyPatch):
    async with await open_log("memory:") as log:
        service = Service(log)
        table = await _ended(service, Wait("late", "Late"), Wait("later", "Later"))
        monkeypatch.setattr(rights, "MOST_SEATS", SEATS + 1)
        new = await service.rematch(table, "d0")
        assert [place.name for seat, place in new.places.items() if seat >= SEATS] == ["Late"]
        await service.close()
