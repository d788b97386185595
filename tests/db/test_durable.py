"""An answer means that it is on the disk. A killed process cannot show that: only a close look can."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path

import asyncpg
import pytest

from kasta.db import open_log
from kasta.db.postgres.log import PostgresLog
from kasta.db.sqlite.log import SqliteLog
from kasta.errors import Conflict, Unavailable
from kasta.tables import events as e
from kasta.tables.log import Log, change
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.stores.pg_server import Server

SYNCED = Path(__file__).parent / "synced.py"
SMALLEST_COMMIT = 200  # bytes in PostgreSQL's write-ahead log, of an event and its table's new row


async def test_sqlite_writes_with_full_syncs(sqlite_url: str):
    async with await open_log(sqlite_url) as log:
        assert isinstance(log, SqliteLog)

        def in_force(db: sqlite3.Connection) -> dict[str, object]:
            return {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}

        assert await log._writer.do(in_force) == {"journal_mode": "wal", "synchronous": 2}  # noqa: SLF001


async def test_postgres_commits_with_full_syncs_whatever_the_database_is_set_to(postgres_url: str):
    db = await asyncpg.connect(postgres_url)
    await db.execute(
        f"ALTER DATABASE {await db.fetchval('SELECT current_database()')} SET synchronous_commit = off"
    )
    await db.close()
    async with await open_log(postgres_url) as log:
        assert isinstance(log, PostgresLog)
        async with log._connection() as writer:  # noqa: SLF001
            assert await writer.fetchval("SHOW synchronous_commit") == "on"
            assert await writer.fetchval("SHOW fsync") == "on"


@pytest.mark.parametrize(("level", "is_safe"), [("default", True), ("NORMAL", False), ("OFF", False)])
def test_sqlite_has_synced_an_event_before_it_answers(tmp_path: Path, level: str, *, is_safe: bool):
    command: list[str | Path] = [sys.executable, SYNCED, tmp_path / "kasta.sqlite", level]
    early = int(subprocess.check_output(command, timeout=120))
    assert (early == 0) == is_safe


async def test_postgres_has_synced_an_event_before_it_answers(own_server: Server):
    own_server.restart("wal_writer_delay=10s")  # nobody else syncs for whom a commit does not
    async with await open_log(own_server.url) as log, asyncpg.create_pool(own_server.url, min_size=1) as db:
        service = Service(log)
        tables = [await service.open("ada", "knister") for _ in range(20)]
        synced = [await _bytes_synced(db, _sit(log, table)) for table in tables]
        assert min(synced) > SMALLEST_COMMIT
        lazy = "BEGIN; SET LOCAL synchronous_commit = off; UPDATE kasta_tables SET touched = touched + 1; COMMIT"
        synced = [await _bytes_synced(db, db.execute(lazy)) for _ in range(20)]
        assert min(synced) < SMALLEST_COMMIT, "this would not have been noticed"


async def test_a_postgres_that_may_lose_moves_is_told_of(own_server: Server):
    async with await open_log(own_server.url) as log:
        assert await log.check() == []
    own_server.restart("fsync=off")
    async with await open_log(own_server.url) as log:
        assert await log.check() == ["fsync is off: a power failure may lose moves"]


async def _bytes_synced(db: asyncpg.Pool, write: Awaitable[object]) -> int:
    """How much of what is written from now on is on the disk at the instant of the answer."""
    before = await db.fetchval("SELECT pg_current_wal_insert_lsn() - '0/0'")
    await write
    return int(await db.fetchval("SELECT pg_current_wal_flush_lsn() - '0/0'") - before)


async def test_what_was_asked_before_closing_is_answered(store_url: str):
    log = await open_log(store_url)
    table = await Service(log).open("ada", "knister")
    asked = [asyncio.create_task(_sit(log, table)) for _ in range(5)]
    await asyncio.sleep(0)
    await log.close()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert answers[0] == 2
    assert {type(answer) for answer in answers[1:]} == {Conflict}


async def test_a_closed_store_says_so(durable_url: str):
    log = await open_log(durable_url)
    table = await Service(log).open("ada", "knister")
    await log.close()
    with pytest.raises(Unavailable, match="closed"):
        await _sit(log, table)


async def _sit(log: Log, table: Table) -> int:
    return await log.append(change(table, e.SeatedEvent(0, "Ada", "ada")))
