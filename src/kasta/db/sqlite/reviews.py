"""Reviews in an SQLite file."""

from __future__ import annotations

from kasta.core import Seat
from kasta.db.sqlite.cluster import Run
from kasta.features.review.store import ReviewStore

_FIND = "SELECT body FROM reviews JOIN tables ON table_id = id WHERE name = ? AND hidden IS NULL AND seat = ?"
_KEEP = """
INSERT INTO reviews SELECT id, ?, ? FROM tables WHERE name = ? AND hidden IS NULL
    ON CONFLICT DO UPDATE SET body = excluded.body
"""


class SqliteReviews(ReviewStore):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def find(self, table: str, seat: Seat) -> bytes | None:
        found = await self._look(lambda db: db.execute(_FIND, (table, seat)).fetchone())
        return bytes(found[0]) if found else None

    async def keep(self, table: str, seat: Seat, body: bytes) -> None:
        await self._write(lambda db: db.execute(_KEEP, (seat, body, table)) and None)
