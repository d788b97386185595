"""The one thread that writes into an SQLite file: it commits what waits together, and answers after the commit."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from kasta.db.sqlite.file import BUSY_SECONDS, ERRORS, connect, failure, failures, savepoint
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.tables.log import Change, Seq

Job = Callable[[sqlite3.Connection], Any]

LOOK_SECONDS = 0.2  # how often to look whether another process has written
LEAST_SECONDS = 0.02  # between two looks, however often this one writes
MOST_AT_ONCE = 2_000
ANSWER_SECONDS = BUSY_SECONDS + 10  # a disk that hangs keeps nobody waiting for ever
PATIENT_SECONDS = 86_400.0
INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(slots=True)
class _Counters:
    """A table's row, as far as a batch has come."""

    id: int
    head: int
    turn: int
    owing: int
    guard: int
    touched: float
    is_changed: bool = False


class Append(Struct, frozen=True):
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
        table.touched = max(table.touched, self.at)
        table.is_changed = True
        return Seq(table.head)

    def row(self, table: int, seq: Seq) -> tuple[Any, ...]:
        return table, seq, *(self.change.event.key or (None, None, None)), *self.sealed, self.at


def _append_all(db: sqlite3.Connection, jobs: Sequence[Append]) -> list[Seq | KastaError]:
    """Write many events as if one after the other. Nobody else can write meanwhile: the counters are ours."""
    tables = {name: _counters(db, name) for name in {job.change.table for job in jobs}}
    outcomes, rows = list[Seq | KastaError](), []
    for job in jobs:
        table = tables[job.change.table]
        outcomes.append(outcome := job.decide(table))
        if table is not None and not isinstance(outcome, KastaError):
            rows.append(job.row(table.id, outcome))
    if not _insert_all(db, rows):  # a seat's step is there already: find out which
        half = len(jobs) // 2
        return [*_append_all(db, jobs[:half]), *_append_all(db, jobs[half:])] if half else [Conflict("moved_on")]
    _update(db, [table for table in tables.values() if table is not None and table.is_changed])
    return outcomes


def append_in_a_row(db: sqlite3.Connection, jobs: Sequence[Append]) -> list[Seq]:
    """Write events of one table, each decided on the one before, up to the first that no longer holds."""
    table, written = _counters(db, jobs[0].change.table), list[Seq]()
    if table is None:
        raise Illegal("no_such_table")
    for job in jobs:
        if isinstance(outcome := job.decide(table), KastaError):
            break
        written.append(outcome)
    if not _insert_all(db, [job.row(table.id, seq) for job, seq in zip(jobs, written, strict=False)]):
        return []
    _update(db, [table])
    return written


def append_or_refuse(db: sqlite3.Connection, jobs: Sequence[Append]) -> None:
    """Write events of several tables, or tell which error the first one met that no longer holds."""
    for outcome in _append_all(db, jobs) if jobs else ():
        if isinstance(outcome, KastaError):
            raise outcome


def _update(db: sqlite3.Connection, tables: Sequence[_Counters]) -> None:
    update = "UPDATE tables SET head = ?, turn = ?, owing = ?, guard = ?, touched = ? WHERE id = ?"
    db.executemany(update, [(t.head, t.turn, t.owing, t.guard, t.touched, t.id) for t in tables])


def _insert_all(db: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether all could be written; else none is."""
    try:
        with savepoint(db):
            db.executemany(INSERT, rows)
    except sqlite3.IntegrityError:
        return False
    return True


def _counters(db: sqlite3.Connection, name: str) -> _Counters | None:
    query = "SELECT id, head, turn, owing, guard, touched FROM tables WHERE name = ? AND hidden IS NULL"
    found = db.execute(query, (name,)).fetchone()
    return None if found is None else _Counters(*found)


def commit(db: sqlite3.Connection, jobs: Sequence[Job | Append]) -> list[Any]:
    """What each job gives, or the error that it met. Whoever asks says what a failure of the database means."""
    db.execute("BEGIN IMMEDIATE")
    outcomes = _attempt_all(db, jobs)
    db.execute("COMMIT")
    return outcomes


class WriterThread(threading.Thread):
    """Commits whatever waits in one transaction. A job refuses before it writes anything; the others stand."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        super().__init__(name="kasta-write", daemon=True)
        self._path, self._loop, self._wake = path, loop, wake
        self._queue: queue.SimpleQueue[tuple[Job | Append, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._db: sqlite3.Connection | None = None
        self._seen = 0  # SQLite's own count of what other processes have committed
        self._looked = 0.0
        self._stopped = False

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def do(self, job: Job | Append, seconds: float = ANSWER_SECONDS) -> asyncio.Future[Any]:
        """What a job gives. Whoever waits longer is told that the store does not answer; it may yet be done."""
        if not self.ident:
            self.start()
        if self._stopped:
            raise Unavailable("store_failed", reason="it is closed")
        done: asyncio.Future[Any] = self._loop.create_future()
        self._queue.put((job, done))
        timer = self._loop.call_later(seconds, _give_up, done)
        done.add_done_callback(lambda _: timer.cancel())
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
            if not batch or time.monotonic() - self._looked > LEAST_SECONDS:
                self._look_for_others()
        if self._db is not None:
            self._db.close()

    def _take(self) -> list[tuple[Job | Append, asyncio.Future[Any]]] | None:
        """All that waits; nothing after a while of silence; None at the end."""
        batch: list[tuple[Job | Append, asyncio.Future[Any]]] = []
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

    def _commit(self, jobs: Sequence[Job | Append]) -> list[Any]:
        """What each job gives, or the error that it or the commit met."""
        try:
            if self._db is None:
                self._db = connect(self._path)
            return commit(self._db, jobs)
        except ERRORS as error:
            if self._db is not None:
                self._db.close()  # rolls back; the next batch tries with a fresh connection
                self._db = None
            return [failure(error)] * len(jobs)

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
        self._looked = time.monotonic()
        try:
            seen = self._db.execute("PRAGMA data_version").fetchone()[0] if self._db else 0
        except ERRORS:
            return
        if seen != self._seen:
            self._seen = seen
            self._tell(self._wake)

    def _tell(self, callback: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(callback)


class InlineWriter:
    """Does everything at once: there is no disk to wait for."""

    waiting = 0

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def do(self, job: Job | Append, _seconds: float = 0) -> Any:  # noqa: ANN401 - as above
        with failures():
            (outcome,) = commit(self._db, [job])
        if isinstance(outcome, KastaError):
            raise outcome
        return outcome

    def stop(self) -> None:
        self._db.close()


def _give_up(done: asyncio.Future[Any]) -> None:
    if not done.done():
        done.set_exception(Unavailable("store_failed", reason="it does not answer"))


def _attempt_all(db: sqlite3.Connection, jobs: Sequence[Job | Append]) -> list[Any]:
    """In their order; events that come one after the other are written together."""
    outcomes = list[Any]()
    for is_append, run in groupby(jobs, lambda job: isinstance(job, Append)):
        alike: list[Any] = list(run)
        outcomes += _append_all(db, alike) if is_append else [_attempt(db, job) for job in alike]
    return outcomes


def _attempt(db: sqlite3.Connection, job: Job) -> Any:  # noqa: ANN401 - each job has its own result
    try:
        return job(db)
    except KastaError as error:
        return error
