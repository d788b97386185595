"""Hidden tables and readings of the clock in PostgreSQL."""

from __future__ import annotations

from kasta.db.postgres.cluster import Connection
from kasta.db.trash import ClockReading, Trash

_HIDE = """
WITH gone AS (
    UPDATE kasta_tables SET hidden = $1 WHERE hidden IS NULL AND touched < $2 AND (turn = 0 OR NOT $3)
        RETURNING true
) SELECT count(*) FROM gone
"""
_KEEP = """
INSERT INTO kasta_look VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE
    SET since = excluded.since, last = excluded.last
"""
_BRING_BACK = """
UPDATE kasta_tables SET hidden = NULL, touched = $2 WHERE name = $1 AND hidden IS NOT NULL RETURNING true
"""


class PostgresTrash(Trash):
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def newest(self) -> float | None:
        async with self._connection() as db:
            found: float | None = await db.fetchval("SELECT max(touched) FROM kasta_tables")
        return found

    async def last_reading(self) -> ClockReading | None:
        async with self._connection() as db:
            found = await db.fetchrow("SELECT since, last FROM kasta_look")
        return ClockReading(*found) if found else None

    async def keep_reading(self, reading: ClockReading) -> None:
        async with self._connection() as db:
            await db.execute(_KEEP, *reading)

    async def hide(self, at: float, untouched_since: float, *, unplayed: bool = False) -> int:
        async with self._connection() as db:
            return int(await db.fetchval(_HIDE, at, untouched_since, unplayed))

    async def hidden(self) -> dict[str, float]:
        query = "SELECT name, hidden FROM kasta_tables WHERE hidden IS NOT NULL ORDER BY hidden, id"
        async with self._connection() as db:
            return dict(await db.fetch(query))

    async def bring_back(self, table: str, at: float) -> bool:
        async with self._connection() as db:
            return bool(await db.fetchval(_BRING_BACK, table, at))

    async def delete(self, hidden_before: float) -> None:
        async with self._connection() as db:
            await db.execute("DELETE FROM kasta_tables WHERE hidden < $1", hidden_before)
