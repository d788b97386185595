"""A log in one SQLite file: a single writer thread commits what waits together, and answers after the commit."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.events import AnyEvent, Opened
from kasta.log import Change, Log, Seq, Stored, seal, unseal
from kasta.store.schema import steps

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

BUSY_SECONDS = 30.0  # how long to wait for another process that writes
LOOK_SECONDS = 0.2  # how often to look whether another process has written
MOST_AT_ONCE = 2_000
SETTINGS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # an answer means: it is on the disk
    "foreign_keys=ON",
    "secure_delete=ON",
    "wal_autocheckpoint=4000",
)


class SqliteLog(Log):
    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._path = path
        self._writer = _Writer(path, loop, self.wake)
        self._readers = ThreadPoolExecutor(1, "kasta-read")
        self._reader: sqlite3.Connection | None = None

    @classmethod
    async def open(cls, path: Path) -> SqliteLog:
        log = cls(path, asyncio.get_running_loop())
        try:
            await asyncio.to_thread(_prepare, path)
            log._writer.start()
            await log._writer.do(lambda _: None)
        except KastaError:
            log._readers.shutdown()
            raise
        return log

    async def create(self, opened: Opened, secret: bytes, at: float | None = None) -> None:
        now = at or time.time()

        def insert(db: sqlite3.Connection) -> None:
            try:
                made = db.execute(
                    "INSERT INTO tables (name, head, touched) VALUES (?, 1, ?)", (opened.table, now)
                ).lastrowid
            except sqlite3.IntegrityError:
                raise Conflict("moved_on") from None
            db.execute("INSERT INTO secrets VALUES (?, ?)", (made, secret))
            db.execute(_INSERT, (made, 1, None, None, None, *seal(opened), now))

        await self._writer.do(insert)

    async def append(self, change: Change, at: float | None = None) -> Seq:
        now = at or time.time()
        bounds = {
            "name": change.table,
            "turn": change.turn,
            "owing": change.owing,
            "guard": change.guard,
            "turn_after": change.turn_after,
            "owing_more": change.owing_more,
            "guard_more": change.guard_more,
            "now": now,
        }
        row = (*(change.event.key or (None, None, None)), *seal(change.event), now)

        def insert(db: sqlite3.Connection) -> Seq:
            found = db.execute(_ADVANCE, bounds).fetchone()
            if found is None:
                _id_of(db, change.table)
                raise Conflict("moved_on")
            try:
                db.execute(_INSERT, (*found, *row))
            except sqlite3.IntegrityError:
                raise Conflict("moved_on") from None
            return Seq(found[1])

        seq = await self._writer.do(insert)
        self.wake(change.table)
        return seq

    async def read(self, table: str, after: Seq = Seq(0)) -> list[Stored]:
        def select(db: sqlite3.Connection) -> list[Stored]:
            made, head = _id_of(db, table)
            query = "SELECT seq, body, checksum, at FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
            stored = unseal(table, after + 1, db.execute(query, (made, after)).fetchall())
            if after + len(stored) < head:
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

    async def tables(self, untouched_since: float | None = None) -> list[str]:
        query = "SELECT name FROM tables WHERE ?1 IS NULL OR touched < ?1 ORDER BY id"
        return await self._look(lambda db: [name for (name,) in db.execute(query, (untouched_since,))])

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

    async def check(self) -> list[str]:
        rows = await self._look(lambda db: db.execute("PRAGMA integrity_check").fetchall())
        return [text for (text,) in rows if text != "ok"]

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.stop)
        if self._reader is not None:
            await asyncio.get_running_loop().run_in_executor(self._readers, self._reader.close)
        self._readers.shutdown()

    async def _look(self, query: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            try:
                if self._reader is None:
                    self._reader = _connect(self._path)
                return query(self._reader)
            except sqlite3.Error as error:
                raise _failure(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)


_ADVANCE = """
UPDATE tables SET head = head + 1, turn = :turn_after, owing = owing + :owing_more,
    guard = guard + :guard_more, touched = :now
WHERE name = :name AND turn = :turn AND (:owing IS NULL OR owing = :owing) AND (:guard IS NULL OR guard = :guard)
RETURNING id, head
"""
_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class _Writer(threading.Thread):
    """Commits whatever waits in one transaction. A job that fails leaves nothing behind; the others stand."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        super().__init__(name="kasta-write", daemon=True)
        self._path, self._loop, self._wake = path, loop, wake
        self._queue: queue.SimpleQueue[tuple[Job, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._db: sqlite3.Connection | None = None
        self._seen = 0  # SQLite's own count of what other processes have committed
        self._stopped = False

    async def do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        if self._stopped:
            raise Unavailable("store_failed", reason="it is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        self._queue.put((job, done))
        return await done

    def stop(self) -> None:
        self._stopped = True
        self._queue.put(None)
        if self.is_alive():
            self.join()

    def run(self) -> None:
        while (batch := self._take()) is not None:
            if batch:
                outcomes = self._commit([job for job, _ in batch])
                self._answer([done for _, done in batch], outcomes)
            else:
                self._look_for_others()
        if self._db is not None:
            self._db.close()

    def _take(self) -> list[tuple[Job, asyncio.Future[Any]]] | None:
        """All that waits; nothing after a while of silence; None at the end."""
        batch: list[tuple[Job, asyncio.Future[Any]]] = []
        try:
            item = self._queue.get(timeout=LOOK_SECONDS)
            while item is not None:
                batch.append(item)
                if len(batch) == MOST_AT_ONCE:
                    return batch
                item = self._queue.get_nowait()
        except queue.Empty:
            return batch
        if batch:
            self._queue.put(None)
        return batch or None

    def _commit(self, jobs: Sequence[Job]) -> list[Any]:
        """What each job gives, or the error that it or the commit met."""
        try:
            if self._db is None:
                self._db = _connect(self._path)
            self._db.execute("BEGIN IMMEDIATE")
            outcomes = [_attempt(self._db, job) for job in jobs]
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db is not None:
                self._db.close()  # rolls back; the next batch tries with a fresh connection
                self._db = None
            return [_failure(error)] * len(jobs)
        return outcomes

    def _answer(self, futures: Sequence[asyncio.Future[Any]], outcomes: Sequence[Any]) -> None:
        def resolve() -> None:
            for done, outcome in zip(futures, outcomes, strict=True):
                if done.done():
                    continue
                if isinstance(outcome, KastaError):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)

        self._tell(resolve)

    def _look_for_others(self) -> None:
        try:
            seen = self._db.execute("PRAGMA data_version").fetchone()[0] if self._db else 0
        except sqlite3.Error:
            return
        if seen != self._seen:
            self._seen = seen
            self._tell(self._wake)

    def _tell(self, callback: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)


def _attempt(db: sqlite3.Connection, job: Job) -> Any:  # noqa: ANN401 - each job has its own result
    db.execute("SAVEPOINT job")
    try:
        outcome = job(db)
    except KastaError as error:
        db.execute("ROLLBACK TO job")
        outcome = error
    db.execute("RELEASE job")
    return outcome


def _id_of(db: sqlite3.Connection, table: str) -> tuple[int, int]:
    found: tuple[int, int] | None = db.execute("SELECT id, head FROM tables WHERE name = ?", (table,)).fetchone()
    if found is None:
        raise Illegal("no_such_table")
    return found


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    for pragma in SETTINGS:
        db.execute(f"PRAGMA {pragma}")
    return db


def _prepare(path: Path) -> None:
    """Make the file, for its owner only, or bring it up to date."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        db = _connect(path)
        try:
            db.execute("BEGIN IMMEDIATE")
            (have,) = db.execute("PRAGMA user_version").fetchone()
            for version, script in steps("sqlite", have):
                for statement in _statements(script):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {version}")
            db.execute("COMMIT")
        finally:
            db.close()
    except sqlite3.Error as error:
        raise _failure(error) from error
    except OSError as error:
        raise Unavailable("store_failed", reason=f"{path}: {error.strerror}") from error


def _statements(script: str) -> list[str]:
    """One by one, because executescript() would commit before it begins."""
    found, text = [], ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found


def _failure(error: sqlite3.Error) -> Unavailable:
    damaged = getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
    return Unavailable("store_damaged" if damaged else "store_failed", reason=str(error))
