"""Notes in PostgreSQL."""

from __future__ import annotations

from kasta.db.key_value import Notes
from kasta.db.postgres.cluster import Connection

_PUT = """
INSERT INTO kasta_notes VALUES ($1, $2, $3, $4, clock_timestamp())
    ON CONFLICT (kind, owner, key) DO UPDATE SET text = excluded.text, at = excluded.at
"""
_HAS = "SELECT EXISTS (SELECT FROM kasta_notes WHERE kind = $1 AND owner = $2 AND key = $3)"
_ALL = "SELECT key, text FROM kasta_notes WHERE kind = $1 AND owner = $2 ORDER BY at DESC, key LIMIT $3"
_DROP = "DELETE FROM kasta_notes WHERE kind = $1 AND owner = $2 AND key = $3 RETURNING true"


class PostgresNotes(Notes):
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def put(self, kind: str, owner: str, key: str, text: str = "") -> None:
        async with self._connection() as db:
            await db.execute(_PUT, kind, owner, key, text)

    async def has(self, kind: str, owner: str, key: str) -> bool:
        async with self._connection() as db:
            return bool(await db.fetchval(_HAS, kind, owner, key))

    async def all(self, kind: str, owner: str, most: int) -> dict[str, str]:
        async with self._connection() as db:
            return dict(await db.fetch(_ALL, kind, owner, most))

    async def drop(self, kind: str, owner: str, key: str) -> bool:
        async with self._connection() as db:
            return bool(await db.fetchval(_DROP, kind, owner, key))
