"""Statements on an SQLite file."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar, cast

from kasta.db.sqlite.file import failures, savepoint
from kasta.sql import Database, Many, Row, Steps

T = TypeVar("T")
Run = Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]
"""Runs a job on a connection: one that writes, or one that only reads."""


@cache
def in_sqlite(text: str) -> str:
    """A statement as SQLite has it: tables have no prefix here, values another sign, and lists are JSON."""
    text = re.sub(r"= ANY\((\$\d+)\)", r"IN (SELECT value FROM json_each(\1))", text)
    return re.sub(r"\$(\d+)", r"?\1", text).replace("kasta_", "")


def run(db: sqlite3.Connection, text: str, *values: object) -> sqlite3.Cursor:
    given = [json.dumps(value) if isinstance(value, list) else value for value in values]
    return db.execute(in_sqlite(text), given)


class SqliteDatabase(Database):
    kind = "sqlite"

    def __init__(self, write: Run, read: Run) -> None:
        self._write, self._read = write, read

    async def fetch(self, text: str, *values: object) -> list[Row]:
        rows: list[Row] = await self._read(lambda db: run(db, text, *values).fetchall())
        return rows

    async def execute(self, text: str, *values: object) -> int:
        return int(await self._do(lambda db: run(db, text, *values).rowcount))

    async def transaction(self, steps: Callable[[], Steps[T]]) -> T:
        done: T = await self._do(lambda db: _drive(db, steps()))
        return done

    async def scrub(self) -> None:
        """What was deleted is overwritten (secure_delete): empty the write-ahead log, too."""
        await self.fetch("PRAGMA wal_checkpoint(TRUNCATE)")

    async def _do(self, work: Callable[[sqlite3.Connection], Any]) -> Any:  # noqa: ANN401 - whatever it gives
        """All of the work or nothing. Whatever is wrong with it, others in the same commit stand."""

        def attempt(db: sqlite3.Connection) -> tuple[Any, Exception | None]:
            try:
                with savepoint(db):
                    return work(db), None
            except Exception as error:  # noqa: BLE001 - raised below, where it was asked for
                return None, error

        result, error = await self._write(attempt)
        with failures():
            if error is not None:
                raise error
        return result


def _drive(db: sqlite3.Connection, steps: Steps[T]) -> T:
    rows = cast("list[Row]", None)  # which begins it
    while True:
        try:
            statement = steps.send(rows)
        except StopIteration as end:
            done: T = end.value
            return done
        if isinstance(statement, Many):
            rows = db.executemany(in_sqlite(statement.text), statement.rows).fetchall()
        else:
            rows = run(db, *statement).fetchall()
