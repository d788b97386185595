"""Statements on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar, cast

from kasta.sql import Database, Many, Row, Steps

T = TypeVar("T")
Connection = Callable[[], AbstractAsyncContextManager[Any]]


class PostgresDatabase(Database):
    kind = "postgres"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def fetch(self, text: str, *values: object) -> list[Row]:
        async with self._connection() as db:
            rows: list[Row] = await db.fetch(text, *values)
        return rows

    async def execute(self, text: str, *values: object) -> int:
        async with self._connection() as db:
            status: str = await db.execute(text, *values)
        return int(status.rpartition(" ")[2])

    async def transaction(self, steps: Callable[[], Steps[T]]) -> T:
        running, rows = steps(), cast("list[Row]", None)  # which begins it
        async with self._connection() as db, db.transaction():
            while True:
                try:
                    statement = running.send(rows)
                except StopIteration as end:
                    done: T = end.value
                    return done
                if isinstance(statement, Many):
                    await db.executemany(*statement)
                    rows = []
                else:
                    rows = await db.fetch(*statement)

    async def scrub(self) -> None:
        """That is the server's to do, when it vacuums."""
