"""Where a store keeps reviews: beside the logs, because they can be made again, and gone with their table."""

from __future__ import annotations

import zlib

from kasta.core import Seat
from kasta.sql import Database

_FIND = """
SELECT body FROM kasta_reviews JOIN kasta_tables ON table_id = id WHERE name = $1 AND hidden IS NULL AND seat = $2
"""
_KEEP = """
INSERT INTO kasta_reviews SELECT id, $2, $3 FROM kasta_tables WHERE name = $1 AND hidden IS NULL
    ON CONFLICT (table_id, seat) DO UPDATE SET body = excluded.body
"""


PACKED = b"x"  # how zlib begins: what was kept before is not packed


class ReviewStore:
    """One review a seat, packed. They are in no backup: whoever asks for one after a restore has it made again."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def find(self, table: str, seat: Seat) -> bytes | None:
        """The review that was kept last, if there is one."""
        rows = await self._db.fetch(_FIND, table, seat)
        if not rows:
            return None
        body = bytes(rows[0][0])
        return zlib.decompress(body) if body.startswith(PACKED) else body

    async def keep(self, table: str, seat: Seat, body: bytes) -> None:
        """Put a review in place of the last one; nothing is kept for a table that is gone."""
        await self._db.execute(_KEEP, table, seat, zlib.compress(body))
