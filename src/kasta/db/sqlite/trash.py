"""Hidden tables and readings of the clock in an SQLite file."""

from __future__ import annotations

from typing import Any

from kasta.db.sqlite.cluster import Run
from kasta.db.trash import ClockReading, Trash

_HIDE = """
UPDATE tables SET hidden = :at WHERE hidden IS NULL AND touched < :since AND (turn = 0 OR NOT :unplayed)
"""
_KEEP = "INSERT INTO look VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET since = excluded.since, last = excluded.last"
_BRING_BACK = "UPDATE tables SET hidden = NULL, touched = ? WHERE name = ? AND hidden IS NOT NULL"


class SqliteTrash(Trash):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def newest(self) -> float | None:
        found: tuple[float | None] = await self._look(
            lambda db: db.execute("SELECT max(touched) FROM tables").fetchone()
        )
        return found[0]

    async def last_reading(self) -> ClockReading | None:
        found = await self._look(lambda db: db.execute("SELECT since, last FROM look").fetchone())
        return ClockReading(*found) if found else None

    async def keep_reading(self, reading: ClockReading) -> None:
        await self._write(lambda db: db.execute(_KEEP, reading) and None)

    async def hide(self, at: float, untouched_since: float, *, unplayed: bool = False) -> int:
        values = {"at": at, "since": untouched_since, "unplayed": unplayed}
        return int(await self._write(lambda db: db.execute(_HIDE, values).rowcount))

    async def hidden(self) -> dict[str, float]:
        query = "SELECT name, hidden FROM tables WHERE hidden IS NOT NULL ORDER BY hidden, id"
        rows: list[Any] = await self._look(lambda db: db.execute(query).fetchall())
        return dict(rows)

    async def bring_back(self, table: str, at: float) -> bool:
        return bool(await self._write(lambda db: db.execute(_BRING_BACK, (at, table)).rowcount))

    async def delete(self, hidden_before: float) -> None:
        query = "DELETE FROM tables WHERE hidden < ?"
        await self._write(lambda db: db.execute(query, (hidden_before,)) and None)
