"""A store made by an older version opens in this one; one made by a newer version is refused."""

from __future__ import annotations

import sqlite3

import asyncpg
import pytest

from kasta.db import admin, open_log
from kasta.db.schema import steps
from kasta.errors import Unavailable
from kasta.tables.log import seal
from kasta.tables.service import Service
from kasta.tables.state import replay
from support.stores.played import alter, contents, play_on, play_some

INSERT_TABLE = "INSERT INTO {}tables (name, head, turn, owing, guard, touched) VALUES ($1, $2, $3, $4, $5, $6)"


async def test_a_newer_store_is_refused_and_left_alone(durable_url: str):
    async with await open_log(durable_url) as log:
        await play_some(log, 10)
    newest = 1_000
    if durable_url.startswith("sqlite"):
        await alter(durable_url, f"PRAGMA user_version = {newest}")
    else:
        await alter(durable_url, "INSERT INTO kasta_schema VALUES ($1)", newest)
    for _ in range(2):
        with pytest.raises(Unavailable, match="newer version of Kasta") as refused:
            await open_log(durable_url)
        assert refused.value.code == "store_newer"


async def _make_first_version(url: str) -> None:
    kind = "sqlite" if url.startswith("sqlite") else "postgres"
    (_, script), *_ = steps(kind, 0)
    if kind == "sqlite":
        db = sqlite3.connect(url.removeprefix("sqlite:///"))
        db.executescript(f"{script}; PRAGMA user_version = 1")
        db.close()
    else:
        connection = await asyncpg.connect(url)
        await connection.execute(f"{script}; CREATE TABLE kasta_schema (version integer NOT NULL)")
        await connection.execute("INSERT INTO kasta_schema VALUES (1)")
        await connection.close()


async def test_a_store_of_the_first_version_opens_with_all_that_is_in_it(durable_url: str):
    async with await open_log("memory:") as log:
        await play_some(log)
        before = await contents(log)
    await _make_first_version(durable_url)
    for number, (secret, stored) in enumerate(before.values(), 1):  # the database counts them, too
        table = replay(each.event for each in stored)
        counters = (len(stored), table.turn, table.owing, table.guard, stored[-1].at)
        await alter(durable_url, INSERT_TABLE, table.id, *counters)
        await alter(durable_url, "INSERT INTO {}secrets VALUES ($1, $2)", number, secret)
        for each in stored:
            row = (each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
            await alter(durable_url, "INSERT INTO {}events VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", number, *row)

    for _ in range(2):  # the second time there is nothing left to do
        async with await open_log(durable_url) as log:
            assert await contents(log) == before
            assert [problem async for problem in admin.check(log)] == []
    async with await open_log(durable_url) as log:
        service = Service(log)
        for name in before:
            await play_on(service, name)
        await service.close()
