"""A log in one SQLite file: all that is written goes through one thread, all that is read through another."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from kasta.db.sqlite.database import SqliteDatabase, run
from kasta.db.sqlite.file import connect, failures, prepare, savepoint
from kasta.db.sqlite.writer import (
    ANSWER_SECONDS,
    INSERT,
    PATIENT_SECONDS,
    Append,
    InlineWriter,
    WriterThread,
    append_in_a_row,
    append_or_refuse,
)
from kasta.errors import Conflict, KastaError, Unavailable
from kasta.sql import Database, Fetch, Row
from kasta.tables.cluster_state import ClusterState
from kasta.tables.events import OpenedEvent
from kasta.tables.log import UNKNOWN, Change, Log, Seq, seal

T = TypeVar("T")

AHEAD_SECONDS = 60.0  # a node that was seen further in the future was so before the machine was started
MOMENT = 0.02  # what others write meanwhile is looked at together


class SqliteLog(Log):
    DEVICE_OF = """
        CASE WHEN json_valid(CAST(body AS TEXT)) THEN coalesce(
            json_extract(CAST(body AS TEXT), '$.device'), json_extract(CAST(body AS TEXT), '$.host')
        ) END
    """
    IS_CLOSED = "substr(body, 1, 16) = x'7b226b696e64223a22636c6f73656422'"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._writer = self._new_writer()
        self._readers = ThreadPoolExecutor(1, "kasta-read")
        self._reader: sqlite3.Connection | None = None
        self.db = SqliteDatabase(self._writer.do, self._look)
        self.cluster = ClusterState(self.db, "steady()", AHEAD_SECONDS)
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
            row = opened.table, at or max(now, newest or 0.0)
            with savepoint(db):
                try:
                    made = db.execute("INSERT INTO tables (name, head, touched) VALUES (?, 1, ?)", row).lastrowid
                except sqlite3.IntegrityError:
                    raise Conflict("moved_on") from None
                db.execute("INSERT INTO secrets VALUES (?, ?)", (made, secret))
                db.execute(INSERT, (made, 1, None, None, None, *seal(opened), now))
                append_or_refuse(db, jobs)

        await self._writer.do(insert)
        for name in {change.table for change in then} - {opened.table}:
            self.wake(name)

    async def append(self, change: Change, at: float | None = None) -> Seq:
        seq = Seq(await self._writer.do(Append(change, seal(change.event), at or time.time())))
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

    @asynccontextmanager
    async def at_one_moment(self) -> AsyncIterator[Fetch]:
        """One read transaction, on a connection and in a thread of its own: it keeps nobody from writing."""
        with ThreadPoolExecutor(1, "kasta-snapshot") as thread:
            db = await asyncio.to_thread(self._copy)

            async def fetch(text: str, *values: object) -> list[Row]:
                return await _attempt(thread, lambda: run(db, text, *values).fetchall())

            try:
                await fetch("BEGIN")
                yield fetch
            finally:
                db.close()

    def _copy(self) -> sqlite3.Connection:
        return connect(self._path)

    @property
    def patient(self) -> Database:
        return SqliteDatabase(_patiently(self._writer.do), _patiently(self._look))

    async def check(self) -> list[str]:
        return [text for (text,) in await self.patient.fetch("PRAGMA integrity_check") if text != "ok"]

    async def ping(self) -> None:
        await self._writer.do(lambda _: None)

    @property
    def free_bytes(self) -> int | None:
        return shutil.disk_usage(self._path.parent).free

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

    def _new_writer(self) -> WriterThread | InlineWriter:
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
                heads |= await self.heads(list(heads))
            for name, head in heads.items():
                self.wake(name, head)
            await asyncio.sleep(MOMENT)

    async def _look(self, query: Callable[[sqlite3.Connection], T], seconds: float = ANSWER_SECONDS) -> T:
        def read() -> T:
            if self._reader is None:
                self._reader = connect(self._path)
            return query(self._reader)

        try:
            async with asyncio.timeout(seconds):
                return await _attempt(self._readers, read)
        except TimeoutError:
            raise Unavailable("store_failed", reason="it does not answer") from None


def _patiently(run: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda work: run(work, PATIENT_SECONDS)


async def _attempt(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    def attempt() -> T:
        with failures():
            return work()

    return await asyncio.get_running_loop().run_in_executor(thread, attempt)
