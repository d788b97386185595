"""A whole PostgreSQL store, read as it is at one moment, or written in one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from kasta.db.postgres.cluster import Connection
from kasta.db.postgres.days import ANSWER, BEGIN, KEEP, SELECT
from kasta.db.postgres.results import insert
from kasta.errors import KastaError, Unavailable
from kasta.features.day.store import Answer, Answered, DayDice
from kasta.results.model import PIECE, Result
from kasta.results.rows import COLUMNS, result_of
from kasta.tables.log import SIGNING, ChooseKey, Item, Kept, Snapshot, seal, unseal

_TABLES = """
SELECT id, name, head, turn, owing, guard, hidden, taken, secret, code FROM kasta_tables
    LEFT JOIN kasta_secrets AS s ON s.table_id = id LEFT JOIN kasta_codes AS c ON c.table_id = id
    WHERE id > $1 ORDER BY id LIMIT 1
"""
_EVENTS = "SELECT seq, body, checksum, at FROM kasta_events WHERE table_id = $1 ORDER BY seq"
_KEY = "SELECT key FROM kasta_keys WHERE name = $1"
_SET_KEY = "INSERT INTO kasta_keys VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET key = excluded.key"
_RESULTS = f"SELECT id, {COLUMNS} FROM kasta_results ORDER BY id"  # noqa: S608 - names of ours
_ANSWERS = "SELECT device, game, number, chosen, rating, at FROM kasta_answers ORDER BY device, game, number"
_ADD = """
INSERT INTO kasta_tables (name, head, turn, owing, guard, touched, hidden, taken)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING RETURNING id
"""


@asynccontextmanager
async def snapshot(connection: Connection) -> AsyncIterator[Snapshot]:
    async with connection() as db, db.transaction(isolation="repeatable_read", readonly=True):
        key = await db.fetchval(_KEY, SIGNING)
        days = [DayDice(*row) for row in await db.fetch(f"{SELECT} ORDER BY day, game")]
        yield Snapshot(key, _tables(db), _results(db), _answers(db), days)


async def _tables(db: Any) -> AsyncIterator[Kept | KastaError]:  # noqa: ANN401 - asyncpg has no types
    after = 0
    while (row := await db.fetchrow(_TABLES, after)) is not None:
        after = row["id"]
        try:
            yield _kept(row, await db.fetch(_EVENTS, after))
        except KastaError as error:
            yield error


async def _results(db: Any) -> AsyncIterator[Result]:  # noqa: ANN401 - asyncpg has no types
    async for _, *row in db.cursor(_RESULTS, prefetch=PIECE):
        yield result_of(row)


async def _answers(db: Any) -> AsyncIterator[Answered]:  # noqa: ANN401 - asyncpg has no types
    async for device, *row in db.cursor(_ANSWERS, prefetch=PIECE):
        yield Answered(device, Answer(*row))


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
        tables = results = 0
        waiting = list[Result]()
        for item in items:
            if isinstance(item, Result):
                waiting.append(item)
            elif isinstance(item, DayDice):
                await db.execute(KEEP, *item)
            elif isinstance(item, Answered):
                await db.execute(ANSWER, item.device, *item.answer)
            else:
                tables += await _add(db, item)
            if len(waiting) == PIECE:
                results += await insert(db, waiting)
                waiting.clear()
        return tables, results + await insert(db, waiting)


async def _add(db: Any, kept: Kept) -> bool:  # noqa: ANN401 - asyncpg has no types
    """Whether a table was not there already."""
    made = await db.fetchval(
        _ADD, kept.name, len(kept.stored), *kept.counters, kept.touched, kept.hidden, kept.is_taken
    )
    if made is None:
        return False
    await db.execute("INSERT INTO kasta_secrets VALUES ($1, $2)", made, kept.secret)
    if kept.counted:
        await db.execute(BEGIN, *kept.counted)
    if kept.code is not None:
        await db.execute("INSERT INTO kasta_codes VALUES ($1, $2) ON CONFLICT DO NOTHING", kept.code, made)
    rows = [
        (made, each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
        for each in kept.stored
    ]
    await db.copy_records_to_table("kasta_events", records=rows)
    return True
