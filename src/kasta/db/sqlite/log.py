"""A log in one SQLite file: all that is written goes through one thread, all that is read through another."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, closing, suppress
from pathlib import Path
from typing import TypeVar

from kasta.db.cluster import SqlClusterState
from kasta.db.sqlite.backup import restore, snapshot
from kasta.db.sqlite.database import SqliteDatabase
from kasta.db.sqlite.file import ERRORS, connect, failure, prepare
from kasta.db.sqlite.writer import (
    INSERT,
    Append,
    Writer,
    WriterThread,
    all_or_nothing,
    append_in_a_row,
    append_or_refuse,
)
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.tables.events import AnyEvent, OpenedEvent
from kasta.tables.log import UNKNOWN, Change, ChooseKey, Item, Log, Seq, Snapshot, Stored, seal, unseal

T = TypeVar("T")

AHEAD_SECONDS = 60.0  # a node that was seen further in the future was so before the machine was started
MOMENT = 0.02  # what others write meanwhile is looked at together

# The device that an event names, written as the index `events_device` has it.
_TABLES_OF = """
SELECT name FROM tables WHERE id IN (
    SELECT table_id FROM events WHERE turn IS NULL AND
        CASE WHEN json_valid(CAST(body AS TEXT))
            THEN coalesce(
                json_extract(CAST(body AS TEXT), '$.device'), json_extract(CAST(body AS TEXT), '$.host')
            ) END = ?
) AND hidden IS NULL ORDER BY touched DESC, id DESC LIMIT ?
"""
_UNTAKEN = """
SELECT name FROM events JOIN tables ON id = table_id
    WHERE events.turn IS NULL AND substr(body, 1, 16) = x'7b226b696e64223a22636c6f73656422'
        AND hidden IS NULL AND NOT taken ORDER BY id
"""


class SqliteLog(Log):
    _writer: Writer

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._writer = self._new_writer()
        self._readers = ThreadPoolExecutor(1, "kasta-read")
        self._reader: sqlite3.Connection | None = None
        self.db = SqliteDatabase(self._writer.do, self._look)
        self.cluster = SqlClusterState(self.db, "steady()", AHEAD_SECONDS)
        self._has_news = False
        self._looking: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, *, make: bool = True) -> SqliteLog:
        log = cls(path)
        try:
            await asyncio.to_thread(prepare, path, make=make)
            await log._writer.do(lambda _: None)
        except KastaError:
            log._readers.shutdown()
            raise
        return log

    async def now(self) -> float:
        return time.time()

    async def create(
        self, opened: OpenedEvent, secret: bytes, at: float | None = None, then: Sequence[Change] = ()
    ) -> None:
        jobs = [Append(change, seal(change.event), at or time.time()) for change in then]

        def insert(db: sqlite3.Connection) -> None:
            now = at or time.time()
            (newest,) = db.execute("SELECT max(touched) FROM tables").fetchone()
            touched = at or max(now, newest or 0.0)
            try:
                made = db.execute(
                    "INSERT INTO tables (name, head, touched) VALUES (?, 1, ?)", (opened.table, touched)
                ).lastrowid
            except sqlite3.IntegrityError:
                raise Conflict("moved_on") from None
            db.execute("INSERT INTO secrets VALUES (?, ?)", (made, secret))
            db.execute(INSERT, (made, 1, None, None, None, *seal(opened), now))
            append_or_refuse(db, jobs)

        await self._writer.do(lambda db: all_or_nothing(db, insert))
        for name in {change.table for change in then} - {opened.table}:
            self.wake(name)

    async def append(self, change: Change, at: float | None = None) -> Seq:
        seq = await self._writer.append(Append(change, seal(change.event), at or time.time()))
        self.wake(change.table, seq)
        return seq

    async def append_in_a_row(self, changes: Sequence[Change]) -> AsyncGenerator[Seq]:
        """In one commit."""
        jobs = [Append(change, seal(change.event), time.time()) for change in changes]
        written = await self._writer.do(lambda db: append_in_a_row(db, jobs)) if jobs else []
        if written:
            self.wake(changes[0].table, written[-1])
        for seq in written:
            yield seq
        if len(written) < len(jobs):
            raise Conflict("moved_on")

    async def read(self, table: str, after: Seq = Seq(0), most: int = sys.maxsize) -> list[Stored]:
        def select(db: sqlite3.Connection) -> list[Stored]:
            made, head = _id_of(db, table)
            query = (
                "SELECT seq, body, checksum, at FROM events WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
            )
            stored = unseal(table, after + 1, db.execute(query, (made, after, most)).fetchall())
            if len(stored) < min(most, head - after):
                raise Unavailable("damaged", reason=f"the last events of table {table} are missing")
            return stored

        return await self._look(select)

    async def secret(self, table: str) -> bytes:
        def select(db: sqlite3.Connection) -> bytes:
            found = db.execute("SELECT secret FROM secrets WHERE table_id = ?", _id_of(db, table)[:1]).fetchone()
            if found is None:
                raise Unavailable("damaged", reason=f"the dice of table {table} are missing")
            return bytes(found[0])

        return await self._look(select)

    async def key(self, name: str, new: bytes) -> bytes:
        def keep(db: sqlite3.Connection) -> bytes:
            db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO NOTHING", (name, new))
            return bytes(db.execute("SELECT key FROM keys WHERE name = ?", (name,)).fetchone()[0])

        return await self._writer.do(keep)

    async def claim_code(self, table: str, code: str) -> bool:
        def claim(db: sqlite3.Connection) -> bool:
            made, _ = _id_of(db, table)
            db.execute("INSERT INTO codes VALUES (?, ?) ON CONFLICT DO NOTHING", (code, made))
            return (
                db.execute("SELECT 1 FROM codes WHERE code = ? AND table_id = ?", (code, made)).fetchone()
                is not None
            )

        return await self._writer.do(claim)

    async def code_of(self, table: str) -> str | None:
        query = "SELECT code FROM codes JOIN tables ON table_id = id WHERE name = ?"
        found = await self._look(lambda db: db.execute(query, (table,)).fetchone())
        return found[0] if found else None

    async def by_code(self, code: str) -> str | None:
        query = "SELECT name FROM tables JOIN codes ON table_id = id WHERE code = ? AND hidden IS NULL"
        found = await self._look(lambda db: db.execute(query, (code,)).fetchone())
        return found[0] if found else None

    async def tables(self, untouched_since: float | None = None) -> list[str]:
        query = """
            SELECT name FROM tables WHERE hidden IS NULL AND (:since IS NULL OR touched < :since) ORDER BY id
        """
        return await self._look(lambda db: [name for (name,) in db.execute(query, {"since": untouched_since})])

    async def tables_of(self, device: str, most: int) -> list[str]:
        return await self._look(lambda db: [name for (name,) in db.execute(_TABLES_OF, (device, most))])

    async def untaken(self) -> list[str]:
        return await self._look(lambda db: [name for (name,) in db.execute(_UNTAKEN)])

    async def delete(self, table: str) -> None:
        await self._writer.do(lambda db: db.execute("DELETE FROM tables WHERE name = ?", (table,)) and None)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        def update(db: sqlite3.Connection) -> None:
            made, _ = _id_of(db, table)
            query = "UPDATE events SET body = ?, checksum = ? WHERE table_id = ? AND seq = ?"
            db.executemany(query, [(*seal(event), made, seq) for seq, event in events])

        await self._writer.do(update)
        # Old text is overwritten (secure_delete), and the write-ahead log is emptied: nothing remains in a file.
        await self._look(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    async def counters(self, table: str) -> tuple[int, int, int]:
        query = "SELECT turn, owing, guard FROM tables WHERE id = ?"
        return await self._look(lambda db: db.execute(query, _id_of(db, table)[:1]).fetchone())

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        return snapshot(lambda: connect(self._path))

    async def restore(self, items: Iterable[Item], choose_key: ChooseKey) -> tuple[int, int]:
        def run() -> tuple[int, int]:
            try:
                with closing(connect(self._path)) as db:  # closing rolls back what was not committed
                    db.execute("BEGIN IMMEDIATE")
                    counts = restore(db, items, choose_key)
                    db.execute("COMMIT")
                    return counts
            except ERRORS as error:
                raise failure(error) from error

        return await asyncio.to_thread(run)

    async def check(self) -> list[str]:
        rows = await self._look(lambda db: db.execute("PRAGMA integrity_check").fetchall())
        return [text for (text,) in rows if text != "ok"]

    async def ping(self) -> None:
        await self._writer.do(lambda _: None)

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        await asyncio.to_thread(self._writer.stop)
        if self._reader is not None:
            await asyncio.get_running_loop().run_in_executor(self._readers, self._reader.close)
        self._readers.shutdown()

    def _new_writer(self) -> Writer:
        return WriterThread(self._path, asyncio.get_running_loop(), self._others_wrote)

    def _others_wrote(self) -> None:
        """Another process has written, at whatever table."""
        self._has_news = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_where())

    async def _look_where(self) -> None:
        """Wake those whose table has come further, or is gone."""
        while self._has_news:
            self._has_news = False
            heads = dict.fromkeys(self._watches, UNKNOWN)
            with suppress(KastaError):
                heads |= await self._heads(list(heads))
            for name, head in heads.items():
                self.wake(name, head)
            await asyncio.sleep(MOMENT)

    async def _heads(self, tables: list[str]) -> dict[str, Seq]:
        query = "SELECT name, head FROM tables WHERE name IN (SELECT value FROM json_each(?))"
        return await self._look(lambda db: dict(db.execute(query, (json.dumps(tables),)).fetchall()))

    async def _look(self, query: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            try:
                if self._reader is None:
                    self._reader = connect(self._path)
                return query(self._reader)
            except ERRORS as error:
                raise failure(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)


def _id_of(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    query = "SELECT id, head FROM tables WHERE name = ? AND hidden IS NULL"
    found: tuple[int, int] | None = db.execute(query, (table,)).fetchone()
    if found is None:
        raise Illegal("no_such_table")
    return found
