"""A log in one SQLite file: a single writer thread commits what waits together, and answers after the commit."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

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


_ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the latter where SQLite quotes from a damaged file


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
        seq = await self._writer.append(_Append(change, seal(change.event), at or time.time()))
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
        query = "SELECT name FROM tables JOIN codes ON table_id = id WHERE code = ?"
        found = await self._look(lambda db: db.execute(query, (code,)).fetchone())
        return found[0] if found else None

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
            except _ERRORS as error:
                raise _failure(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)


_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(slots=True)
class _Counters:
    """A table's row, as far as a batch has come."""

    id: int
    head: int
    turn: int
    owing: int
    guard: int
    touched: float = 0.0


class _Append(Struct, frozen=True):
    change: Change
    sealed: tuple[bytes, int]
    at: float

    def decide(self, table: _Counters | None) -> Seq | KastaError:
        """Take the next place in the log if what is expected still holds."""
        if table is None:
            return Illegal("no_such_table")
        change = self.change
        holds = (
            table.turn == change.turn
            and (change.owing is None or change.owing == table.owing)
            and (change.guard is None or change.guard == table.guard)
        )
        if not holds:
            return Conflict("moved_on")
        table.head += 1
        table.turn = change.turn_after
        table.owing += change.owing_more
        table.guard += change.guard_more
        table.touched = self.at
        return Seq(table.head)


def _append_all(db: sqlite3.Connection, jobs: Sequence[_Append]) -> list[Seq | KastaError]:
    """Write many events as if one after the other. Nobody else can write meanwhile: the counters are ours."""
    tables = {name: _counters(db, name) for name in {job.change.table for job in jobs}}
    outcomes, rows = list[Seq | KastaError](), []
    for job in jobs:
        table = tables[job.change.table]
        outcomes.append(outcome := job.decide(table))
        if table is not None and not isinstance(outcome, KastaError):
            rows.append((table.id, outcome, *(job.change.event.key or (None, None, None)), *job.sealed, job.at))
    if not _insert_all(db, rows):  # a seat's step is there already: find out which
        half = len(jobs) // 2
        return [*_append_all(db, jobs[:half]), *_append_all(db, jobs[half:])] if half else [Conflict("moved_on")]
    update = "UPDATE tables SET head = ?, turn = ?, owing = ?, guard = ?, touched = ? WHERE id = ?"
    changed = [table for table in tables.values() if table is not None and table.touched]
    db.executemany(update, [(t.head, t.turn, t.owing, t.guard, t.touched, t.id) for t in changed])
    return outcomes


def _insert_all(db: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether all could be written; else none is."""
    db.execute("SAVEPOINT rows")
    try:
        db.executemany(_INSERT, rows)
    except sqlite3.IntegrityError:
        db.execute("ROLLBACK TO rows")
        return False
    finally:
        db.execute("RELEASE rows")
    return True


def _counters(db: sqlite3.Connection, name: str) -> _Counters | None:
    query = "SELECT id, head, turn, owing, guard FROM tables WHERE name = ?"
    found = db.execute(query, (name,)).fetchone()
    return None if found is None else _Counters(*found)


class _Writer(threading.Thread):
    """Commits whatever waits in one transaction. A job refuses before it writes anything; the others stand."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        super().__init__(name="kasta-write", daemon=True)
        self._path, self._loop, self._wake = path, loop, wake
        self._queue: queue.SimpleQueue[tuple[Job | _Append, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._db: sqlite3.Connection | None = None
        self._seen = 0  # SQLite's own count of what other processes have committed
        self._stopped = False

    def do(self, job: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        return self._put(job)

    def append(self, job: _Append) -> asyncio.Future[Seq]:
        return self._put(job)

    def _put(self, job: Job | _Append) -> asyncio.Future[Any]:
        if self._stopped:
            raise Unavailable("store_failed", reason="it is closed")
        done: asyncio.Future[Any] = self._loop.create_future()
        self._queue.put((job, done))
        return done

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
            self._look_for_others()
        if self._db is not None:
            self._db.close()

    def _take(self) -> list[tuple[Job | _Append, asyncio.Future[Any]]] | None:
        """All that waits; nothing after a while of silence; None at the end."""
        batch: list[tuple[Job | _Append, asyncio.Future[Any]]] = []
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

    def _commit(self, jobs: Sequence[Job | _Append]) -> list[Any]:
        """What each job gives, or the error that it or the commit met."""
        try:
            if self._db is None:
                self._db = _connect(self._path)
            self._db.execute("BEGIN IMMEDIATE")
            outcomes = _attempt_all(self._db, jobs)
            self._db.execute("COMMIT")
        except _ERRORS as error:
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
        except _ERRORS:
            return
        if seen != self._seen:
            self._seen = seen
            self._tell(self._wake)

    def _tell(self, callback: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)


def _attempt_all(db: sqlite3.Connection, jobs: Sequence[Job | _Append]) -> list[Any]:
    """In their order; events that come one after the other are written together."""
    outcomes = list[Any]()
    for is_append, run in groupby(jobs, lambda job: isinstance(job, _Append)):
        alike: list[Any] = list(run)
        outcomes += _append_all(db, alike) if is_append else [_attempt(db, job) for job in alike]
    return outcomes


def _attempt(db: sqlite3.Connection, job: Job) -> Any:  # noqa: ANN401 - each job has its own result
    try:
        return job(db)
    except KastaError as error:
        return error


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
    except _ERRORS as error:
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


def _failure(error: sqlite3.Error | UnicodeDecodeError) -> Unavailable:
    code = getattr(
        error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT if isinstance(error, UnicodeDecodeError) else 0
    )
    damaged = code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
    return Unavailable("store_damaged" if damaged else "store_failed", reason=str(error))
