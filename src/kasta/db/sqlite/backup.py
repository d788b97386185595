"""A whole SQLite store, read as it is at one moment, or written in one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kasta.db.sqlite.days import ANSWER, BEGIN, KEEP, SELECT
from kasta.db.sqlite.file import ERRORS, connect, failure
from kasta.db.sqlite.results import insert
from kasta.db.sqlite.writer import INSERT
from kasta.errors import KastaError, Unavailable
from kasta.features.day.store import Answer, Answered, DayDice
from kasta.results.model import PIECE, Result
from kasta.results.rows import COLUMNS, result_of
from kasta.tables.log import SIGNING, ChooseKey, Item, Kept, Snapshot, seal, unseal

T = TypeVar("T")

_TABLES = """
SELECT id, name, head, turn, owing, guard, hidden, taken, secret, code FROM tables
    LEFT JOIN secrets ON secrets.table_id = id LEFT JOIN codes ON codes.table_id = id
    WHERE id > ? ORDER BY id LIMIT 1
"""
_EVENTS = "SELECT seq, body, checksum, at FROM events WHERE table_id = ? ORDER BY seq"
_RESULTS = f"SELECT id, {COLUMNS} FROM results WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - names of ours
_ANSWERS = """
SELECT device, game, number, chosen, rating, at FROM answers
    WHERE (device, game, number) > (?, ?, ?) ORDER BY device, game, number LIMIT ?
"""
_ADD = """
INSERT INTO tables (name, head, turn, owing, guard, touched, hidden, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
"""


@asynccontextmanager
async def snapshot(path: Path) -> AsyncIterator[Snapshot]:
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

        async def rows(query: str, *after: object) -> AsyncIterator[tuple[Any, ...]]:
            """Read in pieces: a row begins with what the next piece comes after."""
            while found := await run(partial(_piece, query=query, after=after)):
                for row in found:
                    yield row
                after = found[-1][: len(after)]

        db = await asyncio.to_thread(connect, path)
        try:
            await run(lambda db: db.execute("BEGIN") and None)
            key = await run(lambda db: db.execute("SELECT key FROM keys WHERE name = ?", (SIGNING,)).fetchone())
            days = await run(lambda db: [DayDice(*row) for row in db.execute(f"{SELECT} ORDER BY day, game")])
            results = (result_of(row[1:]) async for row in rows(_RESULTS, 0))
            answers = (Answered(row[0], Answer(*row[1:])) async for row in rows(_ANSWERS, "", "", 0))
            yield Snapshot(key[0] if key else None, tables(), results, answers, days)
        finally:
            db.close()


def _row(db: sqlite3.Connection, after: int) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = db.execute(_TABLES, (after,)).fetchone()
    return row


def _piece(db: sqlite3.Connection, query: str, after: tuple[object, ...]) -> list[tuple[Any, ...]]:
    return db.execute(query, (*after, PIECE)).fetchall()


def _kept(db: sqlite3.Connection, row: tuple[Any, ...]) -> Kept:
    made, name, head, *counters, hidden, taken, secret, code = row
    turn, owing, guard = counters
    stored = unseal(name, 1, db.execute(_EVENTS, (made,)).fetchall())
    if len(stored) < head or secret is None:
        raise Unavailable("damaged", reason=f"something of table {name} is missing")
    return Kept(name, secret, stored, (turn, owing, guard), code, hidden, bool(taken))


def restore(path: Path, items: Iterable[Item], choose_key: ChooseKey) -> tuple[int, int]:
    try:
        with closing(connect(path)) as db:  # closing rolls back what was not committed
            db.execute("BEGIN IMMEDIATE")
            (is_empty,) = db.execute("SELECT NOT EXISTS (SELECT 1 FROM tables)").fetchone()
            have = db.execute("SELECT key FROM keys WHERE name = ?", (SIGNING,)).fetchone()
            key = choose_key(have[0] if have else None, bool(is_empty))
            if key is not None:
                db.execute(
                    "INSERT INTO keys VALUES (?, ?) ON CONFLICT DO UPDATE SET key = excluded.key", (SIGNING, key)
                )
            tables = results = 0
            for item in items:
                if isinstance(item, Result):
                    results += insert(db, [item])
                elif isinstance(item, DayDice):
                    db.execute(KEEP, item)
                elif isinstance(item, Answered):
                    db.execute(ANSWER, (item.device, *item.answer))
                else:
                    tables += _add(db, item)
            db.execute("COMMIT")
            return tables, results
    except ERRORS as error:
        raise failure(error) from error


def _add(db: sqlite3.Connection, kept: Kept) -> bool:
    """Whether a table was not there already."""
    row = db.execute(_ADD, (kept.name, len(kept.stored), *kept.counters, kept.touched, kept.hidden, kept.is_taken))
    if not row.rowcount:
        return False
    made = row.lastrowid
    db.execute("INSERT INTO secrets VALUES (?, ?)", (made, kept.secret))
    if kept.counted:
        db.execute(BEGIN, kept.counted)
    if kept.code is not None:
        db.execute("INSERT INTO codes VALUES (?, ?) ON CONFLICT DO NOTHING", (kept.code, made))
    rows = [
        (made, each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
        for each in kept.stored
    ]
    db.executemany(INSERT, rows)
    return True
