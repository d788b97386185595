"""A log in memory, for tests and games that need not outlive the process: SQLite without a file or a thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from kasta.db.sqlite.file import failures, in_memory, migrate
from kasta.db.sqlite.log import SqliteLog
from kasta.db.sqlite.writer import InlineWriter

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

    @property
    def free_bytes(self) -> None:
        return None

    async def close(self) -> None:
        self._writer.stop()

    def _new_writer(self) -> InlineWriter:
        return InlineWriter(self._memory)

    async def _look(self, query: Callable[[sqlite3.Connection], T], _seconds: float = 0) -> T:
        with failures():
            return query(self._memory)


@cache
def _empty() -> sqlite3.Connection:
    """What every log in memory begins as."""
    db = in_memory()
    migrate(db, ":memory:")
    return db
