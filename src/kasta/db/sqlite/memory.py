"""A log in memory, for tests and games that need not outlive the process: SQLite without a file or a thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from kasta.db.sqlite.file import ERRORS, failure, in_memory, migrate
from kasta.db.sqlite.log import SqliteLog
from kasta.db.sqlite.writer import Append, Job, commit
from kasta.errors import KastaError
from kasta.tables.log import Seq

T = TypeVar("T")


class MemoryLog(SqliteLog):
    def __init__(self) -> None:
        self._memory = in_memory()
        _empty().backup(self._memory)
        super().__init__(Path(":memory:"))

    def _copy(self) -> sqlite3.Connection:
        copied = in_memory()
        self._memory.backup(copied)
        return copied

    async def close(self) -> None:
        self._writer.stop()

    def _new_writer(self) -> InlineWriter:
        return InlineWriter(self._memory)

    async def _look(self, query: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return query(self._memory)
        except ERRORS as error:
            raise failure(error) from error


class InlineWriter:
    """Does everything at once: there is no disk to wait for."""

    waiting = 0

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        done: T = self._commit(job)
        return done

    async def append(self, job: Append) -> Seq:
        return Seq(self._commit(job))

    def stop(self) -> None:
        self._db.close()

    def _commit(self, job: Job | Append) -> Any:  # noqa: ANN401 - each job has its own result
        try:
            (outcome,) = commit(self._db, [job])
        except ERRORS as error:
            raise failure(error) from error
        if isinstance(outcome, KastaError):
            raise outcome
        return outcome


@cache
def _empty() -> sqlite3.Connection:
    """What every log in memory begins as."""
    db = in_memory()
    migrate(db, ":memory:")
    return db
