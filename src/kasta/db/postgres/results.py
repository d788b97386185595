"""Finished games in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kasta.core import Seat
from kasta.db.postgres.cluster import Connection
from kasta.results.model import Board, Result, Results, Ruled
from kasta.results.rows import COLUMNS, result_of, row_of

_TYPES = ("text", "int", *4 * ["text"], "float8", *4 * ["int"], "bool", "text", "bytea", "text", *2 * ["float8"])
_LISTS = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(_TYPES, 1))
_ADD = f"""
WITH added AS (
    INSERT INTO kasta_results ({COLUMNS}) SELECT * FROM unnest({_LISTS}) ON CONFLICT DO NOTHING RETURNING true
) SELECT count(*) FROM added
"""  # noqa: S608 - names of ours
_SELECT = f"SELECT {COLUMNS} FROM kasta_results"  # noqa: S608
_TAKE = "UPDATE kasta_tables SET taken = true WHERE name = $1 AND NOT taken RETURNING true"
_UNTAKEN = """
SELECT name FROM kasta_events AS e JOIN kasta_tables ON id = table_id
    WHERE e.turn IS NULL AND substring(body FROM 1 FOR 16) = '\\x7b226b696e64223a22636c6f73656422'::bytea
        AND hidden IS NULL AND NOT taken ORDER BY id
"""
_PLAYED = """
SELECT game, rules, count(*) FROM kasta_results WHERE device = $1 GROUP BY game, rules ORDER BY 3 DESC, 1, 2
"""
_SPREAD = """
SELECT total, number FROM kasta_spreads WHERE kind = $1 AND game = $2 AND rules = $3 AND number > 0 ORDER BY total
"""


async def insert(db: Any, results: Sequence[Result]) -> int:  # noqa: ANN401 - asyncpg has no types
    """Write results that are not there yet: how many."""
    return int(await db.fetchval(_ADD, *zip(*map(row_of, results), strict=True))) if results else 0


class PostgresResults(Results):
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add(self, table: str, results: Sequence[Result]) -> bool:
        async with self._connection() as db, db.transaction():
            is_taken = "SELECT true FROM kasta_tables WHERE name = $1 AND taken"
            if not await db.fetchval(_TAKE, table) and await db.fetchval(is_taken, table):
                return False
            await insert(db, results)
            return True

    async def untaken(self) -> list[str]:
        return [name for (name,) in await self._fetch(_UNTAKEN)]

    async def of_device(self, device: str, most: int, skip: int = 0, ruled: Ruled | None = None) -> list[Result]:
        where = "device = $1 AND game = $4 AND rules = $5" if ruled else "device = $1"
        query = f"{_SELECT} WHERE {where} ORDER BY ended DESC, id DESC LIMIT $2 OFFSET $3"
        return [result_of(row) for row in await self._fetch(query, device, most, skip, *(ruled or ()))]

    async def played(self, device: str) -> dict[Ruled, int]:
        return {(game, rules): number for game, rules, number in await self._fetch(_PLAYED, device)}

    async def ranking(self, board: Board, most: int) -> list[Result]:
        where = "kind = $1 AND game = $2 AND rules = $3 AND NOT is_helped"
        query = f"{_SELECT} WHERE {where} ORDER BY total DESC, ended, id LIMIT $4"
        return [result_of(row) for row in await self._fetch(query, *board, most)]

    async def distribution(self, board: Board) -> dict[int, int]:
        return dict(await self._fetch(_SPREAD, *board))

    async def show(self, device: str, table: str, name: str | None) -> None:
        await self._fetch(
            "UPDATE kasta_results SET shown = $1 WHERE device = $2 AND name = $3", name, device, table
        )

    async def hide(self, table: str, seat: Seat | None = None) -> None:
        query = "UPDATE kasta_results SET shown = NULL WHERE name = $1 AND ($2::int IS NULL OR seat = $2)"
        await self._fetch(query, table, seat)

    async def note_review(self, table: str, seat: Seat, luck: float, lost: float) -> None:
        query = "UPDATE kasta_results SET luck = $3, lost = $4 WHERE name = $1 AND seat = $2"
        await self._fetch(query, table, seat, luck, lost)

    async def move(self, device: str, to: str) -> int:
        return len(
            await self._fetch("UPDATE kasta_results SET device = $2 WHERE device = $1 RETURNING true", device, to)
        )

    async def delete(self, device: str) -> int:
        return len(await self._fetch("DELETE FROM kasta_results WHERE device = $1 RETURNING true", device))

    async def idle(self, since: float) -> list[str]:
        query = "SELECT device FROM kasta_results GROUP BY device HAVING max(ended) < $1"
        return [device for (device,) in await self._fetch(query, since)]

    async def _fetch(self, query: str, *values: object) -> list[Any]:
        async with self._connection() as db:
            found: list[Any] = await db.fetch(query, *values)
        return found
