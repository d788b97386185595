"""Notes in an SQLite file."""

from __future__ import annotations

import time
from typing import Any

from kasta.db.key_value import Notes
from kasta.db.sqlite.cluster import Run

_PUT = """
INSERT INTO notes VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET text = excluded.text, at = excluded.at
"""
_ALL = "SELECT key, text FROM notes WHERE kind = ? AND owner = ? ORDER BY at DESC, key LIMIT ?"
_ONE = "kind = ? AND owner = ? AND key = ?"


class SqliteNotes(Notes):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def put(self, kind: str, owner: str, key: str, text: str = "") -> None:
        await self._write(lambda db: db.execute(_PUT, (kind, owner, key, text, time.time())) and None)

    async def has(self, kind: str, owner: str, key: str) -> bool:
        query = f"SELECT 1 FROM notes WHERE {_ONE}"  # noqa: S608 - our own words
        return await self._look(lambda db: db.execute(query, (kind, owner, key)).fetchone()) is not None

    async def all(self, kind: str, owner: str, most: int) -> dict[str, str]:
        rows: list[Any] = await self._look(lambda db: db.execute(_ALL, (kind, owner, most)).fetchall())
        return dict(rows)

    async def drop(self, kind: str, owner: str, key: str) -> bool:
        query = f"DELETE FROM notes WHERE {_ONE}"  # noqa: S608
        return bool(await self._write(lambda db: db.execute(query, (kind, owner, key)).rowcount))
