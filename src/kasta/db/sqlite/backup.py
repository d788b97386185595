"""A whole SQLite store, read as it is at one moment, or written in one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from kasta.db.sql import Row, Statement
from kasta.db.sqlite.database import in_sqlite
from kasta.db.sqlite.file import ERRORS, failure
from kasta.db.sqlite.writer import INSERT
from kasta.errors import KastaError, Unavailable
from kasta.tables.log import SIGNING, ChooseKey, Item, Kept, Snapshot, seal, unseal

T = TypeVar("T")

_TABLES = """
SELECT id, name, head, turn, owing, guard, hidden, taken, secret, code FROM tables
    LEFT JOIN secrets ON secrets.table_id = id LEFT JOIN codes ON codes.table_id = id
    WHERE id > ? ORDER BY id LIMIT 1
"""
_EVENTS = "SELECT seq, body, checksum, at FROM events WHERE table_id = ? ORDER BY seq"
_ADD = """
INSERT INTO tables (name, head, turn, owing, guard, touched, hidden, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
"""


@asynccontextmanager
async def snapshot(open_copy: Callable[[], sqlite3.Connection]) -> AsyncIterator[Snapshot]:
    """One read transaction, on a connection and in a thread of its own: it keeps nobody from writing."""
    with ThreadPoolExecutor(1, "kasta-snapshot") as thread:

        async def run(query: Callable[[sqlite3.Connection], T]) -> T:
            def attempt() -> T:
                try:
                    return query(db)
                except ERRORS as error:
                    raise failure(error) from error

            return await asyncio.get_running_loop().run_in_executor(thread, attempt)

        async def tables() -> AsyncIterator[Kept | KastaError]:
            after = 0
            while (row := await run(partial(_row, after=after))) is not None:
                after = row[0]
                try:
                    yield await run(partial(_kept, row=row))
                except KastaError as error:
                    yield error

        async def fetch(text: str, *values: object) -> list[Row]:
            return await run(lambda db: db.execute(in_sqlite(text), values).fetchall())

        db = await asyncio.to_thread(open_copy)
        try:
            await run(lambda db: db.execute("BEGIN") and None)
            key = await run(lambda db: db.execute("SELECT key FROM keys WHERE name = ?", (SIGNING,)).fetchone())
            yield Snapshot(key[0] if key else None, tables(), fetch)
        finally:
            db.close()


def _row(db: sqlite3.Connection, after: int) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = db.execute(_TABLES, (after,)).fetchone()
    return row


def _kept(db: sqlite3.Connection, row: tuple[Any, ...]) -> Kept:
    made, name, head, *counters, hidden, taken, secret, code = row
    turn, owing, guard = counters
    stored = unseal(name, 1, db.execute(_EVENTS, (made,)).fetchall())
    if len(stored) < head or secret is None:
        raise Unavailable("damaged", reason=f"something of table {name} is missing")
    return Kept(name, secret, stored, (turn, owing, guard), code, hidden, bool(taken))


def restore(db: sqlite3.Connection, items: Iterable[Item], choose_key: ChooseKey) -> tuple[int, int]:
    """Within a transaction: whoever began it ends it."""
    (is_empty,) = db.execute("SELECT NOT EXISTS (SELECT 1 FROM tables)").fetchone()
    have = db.execute("SELECT key FROM keys WHERE name = ?", (SIGNING,)).fetchone()
    key = choose_key(have[0] if have else None, bool(is_empty))
    if key is not None:
        db.execute("INSERT INTO keys VALUES (?, ?) ON CONFLICT DO UPDATE SET key = excluded.key", (SIGNING, key))
    tables = rows = 0
    for item in items:
        if isinstance(item, Kept):
            tables += _add(db, item)
        else:
            rows += len(_run(db, item))
    return tables, rows


def _run(db: sqlite3.Connection, statement: Statement) -> list[Row]:
    return db.execute(in_sqlite(statement[0]), statement[1:]).fetchall()


def _add(db: sqlite3.Connection, kept: Kept) -> bool:
    """Whether a table was not there already."""
    row = db.execute(_ADD, (kept.name, len(kept.stored), *kept.counters, kept.touched, kept.hidden, kept.is_taken))
    if not row.rowcount:
        return False
    made = row.lastrowid
    db.execute("INSERT INTO secrets VALUES (?, ?)", (made, kept.secret))
    for statement in kept.also:
        _run(db, statement)
    if kept.code is not None:
        db.execute("INSERT INTO codes VALUES (?, ?) ON CONFLICT DO NOTHING", (kept.code, made))
    rows = [
        (made, each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
        for each in kept.stored
    ]
    db.executemany(INSERT, rows)
    return True
