"""Where tables wait before they are deleted, and what the store remembers of readings of the clock."""

from __future__ import annotations

from typing import NamedTuple

from kasta.sql import Database

_HIDE = """
UPDATE kasta_tables SET hidden = $1 WHERE hidden IS NULL AND touched < $2 AND (turn = 0 OR NOT $3)
"""
_KEEP = """
INSERT INTO kasta_look VALUES (1, $1, $2)
    ON CONFLICT (one) DO UPDATE SET since = excluded.since, last = excluded.last
"""
_BRING_BACK = "UPDATE kasta_tables SET hidden = NULL, touched = $2 WHERE name = $1 AND hidden IS NOT NULL"


class ClockReading(NamedTuple):
    """The clock was looked at last then, and since when it has gone on without a jump or a long pause."""

    since: float
    last: float


class Trash:
    """Hidden tables are as good as gone for all who play, and can be brought back until they are deleted."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def newest(self) -> float | None:
        """When something last happened, at any table."""
        ((newest,),) = await self._db.fetch("SELECT max(touched) FROM kasta_tables")
        return None if newest is None else float(newest)

    async def last_reading(self) -> ClockReading | None:
        rows = await self._db.fetch("SELECT since, last FROM kasta_look")
        return ClockReading(*rows[0]) if rows else None

    async def keep_reading(self, reading: ClockReading) -> None:
        await self._db.execute(_KEEP, *reading)

    async def hide(self, at: float, untouched_since: float, *, unplayed: bool = False) -> int:
        """Hide what nobody has touched since then, or only what nobody has played: how many tables."""
        return await self._db.execute(_HIDE, at, untouched_since, unplayed)

    async def hidden(self) -> dict[str, float]:
        """The hidden tables, and when each was hidden."""
        query = "SELECT name, hidden FROM kasta_tables WHERE hidden IS NOT NULL ORDER BY hidden, id"
        return dict(await self._db.fetch(query))

    async def bring_back(self, table: str, at: float) -> bool:
        """Whether a table was hidden. It counts as touched now."""
        return bool(await self._db.execute(_BRING_BACK, table, at))

    async def delete(self, hidden_before: float) -> None:
        """In pieces: a store gives up what takes long."""
        due = "SELECT id FROM kasta_tables WHERE hidden < $1 LIMIT 100"
        while await self._db.execute(f"DELETE FROM kasta_tables WHERE id IN ({due})", hidden_before):  # noqa: S608
            pass
