"""What a log does alike in every database: all but to write events, and to hear of those that others write."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import ClassVar

from kasta.db.sql import Many, Row, Steps
from kasta.errors import Illegal, Unavailable
from kasta.tables.events import AnyEvent
from kasta.tables.log import Log, Seq, Stored, seal, unseal

_READ = """
SELECT head, seq, body, checksum, at FROM kasta_tables LEFT JOIN kasta_events ON table_id = id AND seq > $2
    WHERE name = $1 AND hidden IS NULL ORDER BY seq LIMIT $3
"""
_DICE = """
SELECT secret FROM kasta_tables LEFT JOIN kasta_secrets ON table_id = id WHERE name = $1 AND hidden IS NULL
"""
_COUNTERS = "SELECT turn, owing, guard FROM kasta_tables WHERE name = $1 AND hidden IS NULL"
_ID = "SELECT id FROM kasta_tables WHERE name = $1 AND hidden IS NULL"
KEY = "SELECT key FROM kasta_keys WHERE name = $1"
NEW_KEY = "INSERT INTO kasta_keys VALUES ($1, $2) ON CONFLICT (name) DO"
NEW_CODE = "INSERT INTO kasta_codes VALUES ($1, $2) ON CONFLICT DO NOTHING"
_HAS_CODE = "SELECT 1 FROM kasta_codes WHERE code = $1 AND table_id = $2"
_BY_CODE = "SELECT name FROM kasta_tables JOIN kasta_codes ON table_id = id WHERE code = $1 AND hidden IS NULL"
_CODE_OF = "SELECT code FROM kasta_codes JOIN kasta_tables ON table_id = id WHERE name = $1"
_TABLES = "SELECT name FROM kasta_tables WHERE hidden IS NULL AND touched < $1 ORDER BY id"
_TABLES_OF = """
SELECT name FROM kasta_tables WHERE id IN (SELECT table_id FROM kasta_events WHERE turn IS NULL AND {} = $1)
    AND hidden IS NULL ORDER BY touched DESC, id DESC LIMIT $2
"""
_UNTAKEN = """
SELECT name FROM kasta_events AS e JOIN kasta_tables ON id = table_id
    WHERE e.turn IS NULL AND {} AND hidden IS NULL AND NOT taken ORDER BY id
"""
_REWRITE = "UPDATE kasta_events SET body = $3, checksum = $4 WHERE table_id = $1 AND seq = $2"


class SqlLog(Log):
    DEVICE_OF: ClassVar[str]
    """The device that an event names, as the index on it has it."""
    IS_CLOSED: ClassVar[str]
    """Whether an event ends its table, as the index on that has it."""

    async def read(self, table: str, after: Seq = Seq(0), most: int = sys.maxsize) -> list[Stored]:
        rows = await self._of(_READ, table, after, most)
        stored = unseal(table, after + 1, [row[1:] for row in rows if row[1] is not None])
        if len(stored) < min(most, rows[0][0] - after):
            raise Unavailable("damaged", reason=f"the last events of table {table} are missing")
        return stored

    async def secret(self, table: str) -> bytes:
        ((secret,),) = await self._of(_DICE, table)
        if secret is None:
            raise Unavailable("damaged", reason=f"the dice of table {table} are missing")
        return bytes(secret)

    async def counters(self, table: str) -> tuple[int, int, int]:
        ((turn, owing, guard),) = await self._of(_COUNTERS, table)
        return turn, owing, guard

    async def _of(self, text: str, table: str, *values: object) -> list[Row]:
        return _found(await self.db.fetch(text, table, *values))

    async def key(self, name: str, new: bytes) -> bytes:
        await self.db.execute(f"{NEW_KEY} NOTHING", name, new)
        ((key,),) = await self.db.fetch(KEY, name)
        return bytes(key)

    async def claim_code(self, table: str, code: str) -> bool:
        def steps() -> Steps[bool]:
            ((made,),) = _found((yield _ID, table))
            yield NEW_CODE, code, made
            return bool((yield _HAS_CODE, code, made))

        return await self.db.transaction(steps)

    async def code_of(self, table: str) -> str | None:
        return next(iter(await self._column(_CODE_OF, table)), None)

    async def by_code(self, code: str) -> str | None:
        return next(iter(await self._column(_BY_CODE, code)), None)

    async def heads(self, tables: list[str]) -> dict[str, Seq]:
        """How far each log has come, of those that there are."""
        return dict(await self.db.fetch("SELECT name, head FROM kasta_tables WHERE name = ANY($1)", tables))

    async def tables(self, untouched_since: float = math.inf) -> list[str]:
        return await self._column(_TABLES, untouched_since)

    async def tables_of(self, device: str, most: int) -> list[str]:
        return await self._column(_TABLES_OF.format(self.DEVICE_OF), device, most)

    async def untaken(self) -> list[str]:
        return await self._column(_UNTAKEN.format(self.IS_CLOSED))

    async def _column(self, text: str, *values: object) -> list[str]:
        return [value for (value,) in await self.db.fetch(text, *values)]

    async def delete(self, table: str) -> None:
        await self.db.execute("DELETE FROM kasta_tables WHERE name = $1", table)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        def steps() -> Steps[None]:
            ((made,),) = _found((yield _ID, table))
            yield Many(_REWRITE, [(made, seq, *seal(event)) for seq, event in events])

        await self.db.transaction(steps)
        await self.db.scrub()


def _found(rows: list[Row]) -> list[Row]:
    if not rows:
        raise Illegal("no_such_table")
    return rows
