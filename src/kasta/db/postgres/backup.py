"""A whole PostgreSQL store, read as it is at one moment, or written in one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from kasta.db.postgres.database import Connection
from kasta.errors import KastaError, Unavailable
from kasta.tables.log import SIGNING, ChooseKey, Item, Kept, Snapshot, seal, unseal

_TABLES = """
SELECT id, name, head, turn, owing, guard, hidden, taken, secret, code FROM kasta_tables
    LEFT JOIN kasta_secrets AS s ON s.table_id = id LEFT JOIN kasta_codes AS c ON c.table_id = id
    WHERE id > $1 ORDER BY id LIMIT 1
"""
_EVENTS = "SELECT seq, body, checksum, at FROM kasta_events WHERE table_id = $1 ORDER BY seq"
_KEY = "SELECT key FROM kasta_keys WHERE name = $1"
_SET_KEY = "INSERT INTO kasta_keys VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET key = excluded.key"
_ADD = """
INSERT INTO kasta_tables (name, head, turn, owing, guard, touched, hidden, taken)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING RETURNING id
"""


@asynccontextmanager
async def snapshot(connection: Connection) -> AsyncIterator[Snapshot]:
    async with connection() as db, db.transaction(isolation="repeatable_read", readonly=True):
        key = await db.fetchval(_KEY, SIGNING)
        yield Snapshot(key, _tables(db), db.fetch)


async def _tables(db: Any) -> AsyncIterator[Kept | KastaError]:  # noqa: ANN401 - asyncpg has no types
    after = 0
    while (row := await db.fetchrow(_TABLES, after)) is not None:
        after = row["id"]
        try:
            yield _kept(row, await db.fetch(_EVENTS, after))
        except KastaError as error:
            yield error


def _kept(row: Any, events: list[Any]) -> Kept:  # noqa: ANN401 - asyncpg has no types
    stored = unseal(row["name"], 1, events)
    if len(stored) < row["head"] or row["secret"] is None:
        raise Unavailable("damaged", reason=f"something of table {row['name']} is missing")
    counters = row["turn"], row["owing"], row["guard"]
    return Kept(row["name"], row["secret"], stored, counters, row["code"], row["hidden"], row["taken"])


async def restore(
    db: Any,  # noqa: ANN401 - asyncpg has no types
    items: Iterable[Item],
    choose_key: ChooseKey,
) -> tuple[int, int]:
    async with db.transaction():
        is_empty = await db.fetchval("SELECT NOT EXISTS (SELECT FROM kasta_tables)")
        key = choose_key(await db.fetchval(_KEY, SIGNING), is_empty)
        if key is not None:
            await db.execute(_SET_KEY, SIGNING, key)
        tables = rows = 0
        for item in items:
            if isinstance(item, Kept):
                tables += await _add(db, item)
            else:
                rows += len(await db.fetch(*item))
        return tables, rows


async def _add(db: Any, kept: Kept) -> bool:  # noqa: ANN401 - asyncpg has no types
    """Whether a table was not there already."""
    made = await db.fetchval(
        _ADD, kept.name, len(kept.stored), *kept.counters, kept.touched, kept.hidden, kept.is_taken
    )
    if made is None:
        return False
    await db.execute("INSERT INTO kasta_secrets VALUES ($1, $2)", made, kept.secret)
    for statement in kept.also:
        await db.execute(*statement)
    if kept.code is not None:
        await db.execute("INSERT INTO kasta_codes VALUES ($1, $2) ON CONFLICT DO NOTHING", kept.code, made)
    rows = [
        (made, each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
        for each in kept.stored
    ]
    await db.copy_records_to_table("kasta_events", records=rows)
    return True
