"""Notices of the night wait for the morning, unless they are no longer so by then, and outlive their process."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest

from features.notices.push_service import push_service
from features.notices.test_notices import MIDNIGHT, Told, away, opened
from kasta.features.notices.sender import Sender
from kasta.features.notices.watch import Watch
from kasta.tables.commands import Play
from kasta.tables.log import Log
from support.sites import served_site

MORNING = MIDNIGHT + 8.5 * 3600


@pytest.fixture
async def told(app_log: Log) -> AsyncIterator[Told]:
    async with served_site(app_log) as site, push_service() as service:
        told = Told(site, service)
        yield told
        await told.watch.close()


async def in_the_morning(told: Told) -> list[str]:
    """The titles that come."""
    told.now = MORNING
    told.service.heard.clear()
    told.sender.wake_held()
    await told.sender.settled()
    return [told.read(each.path[1:], each.body)[1]["title"] for each in told.service.heard]


@pytest.fixture
async def table(told: Told, monkeypatch: pytest.MonkeyPatch) -> str:
    """It is d1's turn at night, and nobody has pushed anything yet."""
    told.now = MIDNIGHT
    table = await opened(told.site)
    await told.wish("d1")
    away(told.site, monkeypatch, "d1")
    assert await told.look(table) == []
    return table


async def test_a_turn_of_the_night_is_told_in_the_morning_once(told: Told, table: str):
    assert await told.look(table) == []
    assert await in_the_morning(told) == ["Your turn"]
    assert await in_the_morning(told) == []
    assert await told.look(table) == []


async def test_who_has_acted_at_night_is_told_nothing(told: Told, table: str):
    await told.site.service.do(table, Play("d1", 1, 1, 0, "c3"))
    assert await told.look(table) == [], "nothing was shown, so nothing is taken back at night"
    assert await in_the_morning(told) == []


async def test_another_node_can_take_it_back(told: Told, table: str):
    other = Sender(told.store, told.site.signer.key, "mailto:a@b.c", (told.service.origin,), lambda: told.now)
    other.withdraw("d1", f"turn/{table}")
    await other.settled()
    assert await in_the_morning(told) == []
    await other.close()


async def test_what_was_told_by_day_is_not_told_again_after_a_night(told: Told, table: str):
    assert await in_the_morning(told) == ["Your turn"]
    told.now = MIDNIGHT + 86_400
    assert await told.look(table) == []
    assert await in_the_morning(told) == []


@pytest.mark.usefixtures("table")
async def test_a_turn_of_the_night_outlives_the_process(told: Told):
    site = told.site
    await told.sender.close()
    told.sender = Sender(told.store, site.signer.key, "mailto:a@b.c", (told.service.origin,), lambda: told.now)
    site.notices.send, site.notices.withdraw = told.sender.send, told.sender.withdraw
    told.watch = Watch(site.service, told.store, site.notices, told.sender, 0.0, lambda: told.now)
    await told.watch.start()
    await told.watch.look_at_tables(time.monotonic() + 1)
    await told.sender.settled()
    assert await in_the_morning(told) == ["Your turn"]
