"""Small things that a store keeps beside its tables, such as named tokens."""

from __future__ import annotations

from kasta.sql import Database

_PUT = """
INSERT INTO kasta_notes VALUES ($1, $2, $3, $4, clock_timestamp())
    ON CONFLICT (kind, owner, key) DO UPDATE SET text = excluded.text, at = excluded.at
"""
_HAS = "SELECT 1 FROM kasta_notes WHERE kind = $1 AND owner = $2 AND key = $3"
_ALL = "SELECT key, text FROM kasta_notes WHERE kind = $1 AND owner = $2 ORDER BY at DESC, key LIMIT $3"
_DROP = "DELETE FROM kasta_notes WHERE kind = $1 AND owner = $2 AND key = $3"


class KeyValue:
    """Texts by kind, owner and key. They are no part of a backup."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def put(self, kind: str, owner: str, key: str, text: str = "") -> None:
        """Keep a text, in place of the one that was there."""
        await self._db.execute(_PUT, kind, owner, key, text)

    async def has(self, kind: str, owner: str, key: str) -> bool:
        return bool(await self._db.fetch(_HAS, kind, owner, key))

    async def all(self, kind: str, owner: str, most: int) -> dict[str, str]:
        """Texts by their keys, the newest first."""
        return dict(await self._db.fetch(_ALL, kind, owner, most))

    async def drop(self, kind: str, owner: str, key: str) -> bool:
        """False where there was nothing to drop."""
        return bool(await self._db.execute(_DROP, kind, owner, key))
