"""Reviews in PostgreSQL."""

from __future__ import annotations

from kasta.core import Seat
from kasta.db.postgres.cluster import Connection
from kasta.features.review.store import ReviewStore

_FIND = """
SELECT body FROM kasta_reviews JOIN kasta_tables ON table_id = id WHERE name = $1 AND hidden IS NULL AND seat = $2
"""
_KEEP = """
INSERT INTO kasta_reviews SELECT id, $2, $3 FROM kasta_tables WHERE name = $1 AND hidden IS NULL
    ON CONFLICT (table_id, seat) DO UPDATE SET body = excluded.body
"""


class PostgresReviews(ReviewStore):
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def find(self, table: str, seat: Seat) -> bytes | None:
        async with self._connection() as db:
            found: bytes | None = await db.fetchval(_FIND, table, seat)
        return found

    async def keep(self, table: str, seat: Seat, body: bytes) -> None:
        async with self._connection() as db:
            await db.execute(_KEEP, table, seat, body)
