"""Finished games in an SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from kasta.core import Seat
from kasta.db.sqlite.cluster import Run
from kasta.results.model import Board, Result, Results, Ruled
from kasta.results.rows import COLUMNS, result_of, row_of

_ADD = f"INSERT INTO results ({COLUMNS}) VALUES ({', '.join('?' * len(COLUMNS.split()))}) ON CONFLICT DO NOTHING"  # noqa: S608 - names of ours
_SELECT = f"SELECT {COLUMNS} FROM results"  # noqa: S608
_LAST_FIRST = "ORDER BY ended DESC, id DESC LIMIT ? OFFSET ?"
_ON_BOARD = "kind = ? AND game = ? AND rules = ?"
_UNTAKEN = """
SELECT name FROM events JOIN tables ON id = table_id
    WHERE events.turn IS NULL AND substr(body, 1, 16) = x'7b226b696e64223a22636c6f73656422'
        AND hidden IS NULL AND NOT taken ORDER BY id
"""
_SPREAD = f"SELECT total, number FROM spreads WHERE {_ON_BOARD} ORDER BY total"  # noqa: S608


def insert(db: sqlite3.Connection, results: Iterable[Result]) -> int:
    """Write results that are not there yet: how many."""
    return db.executemany(_ADD, map(row_of, results)).rowcount


class SqliteResults(Results):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def add(self, table: str, results: Sequence[Result]) -> bool:
        def run(db: sqlite3.Connection) -> bool:
            taken = db.execute("SELECT taken FROM tables WHERE name = ?", (table,)).fetchone()
            if taken and taken[0]:
                return False
            db.execute("UPDATE tables SET taken = 1 WHERE name = ?", (table,))
            insert(db, results)
            return True

        return bool(await self._write(run))

    async def untaken(self) -> list[str]:
        rows: list[Any] = await self._look(lambda db: db.execute(_UNTAKEN).fetchall())
        return [name for (name,) in rows]

    async def of_device(self, device: str, most: int, skip: int = 0, ruled: Ruled | None = None) -> list[Result]:
        where = "WHERE device = ? AND game = ? AND rules = ?" if ruled else "WHERE device = ?"
        return await self._select(f"{where} {_LAST_FIRST}", (device, *(ruled or ()), most, skip))

    async def played(self, device: str) -> dict[Ruled, int]:
        query = (
            "SELECT game, rules, count(*) FROM results WHERE device = ? GROUP BY game, rules ORDER BY 3 DESC, 1, 2"
        )
        rows: list[Any] = await self._look(lambda db: db.execute(query, (device,)).fetchall())
        return {(game, rules): number for game, rules, number in rows}

    async def ranking(self, board: Board, most: int) -> list[Result]:
        where = f"WHERE {_ON_BOARD} AND NOT is_helped ORDER BY total DESC, ended, id LIMIT ?"
        return await self._select(where, (*board, most))

    async def distribution(self, board: Board) -> dict[int, int]:
        rows: list[Any] = await self._look(lambda db: db.execute(_SPREAD, board).fetchall())
        return dict(rows)

    async def show(self, device: str, table: str, name: str | None) -> None:
        query = "UPDATE results SET shown = ? WHERE device = ? AND name = ?"
        await self._write(lambda db: db.execute(query, (name, device, table)) and None)

    async def hide(self, table: str, seat: Seat | None = None) -> None:
        query = "UPDATE results SET shown = NULL WHERE name = :table AND (:seat IS NULL OR seat = :seat)"
        await self._write(lambda db: db.execute(query, {"table": table, "seat": seat}) and None)
        await self._clean()

    async def note_review(self, table: str, seat: Seat, luck: float, lost: float) -> None:
        query = "UPDATE results SET luck = ?, lost = ? WHERE name = ? AND seat = ?"
        await self._write(lambda db: db.execute(query, (luck, lost, table, seat)) and None)

    async def move(self, device: str, to: str) -> int:
        query = "UPDATE results SET device = ? WHERE device = ?"
        return int(await self._write(lambda db: db.execute(query, (to, device)).rowcount))

    async def delete(self, device: str) -> int:
        gone = await self._write(lambda db: db.execute("DELETE FROM results WHERE device = ?", (device,)).rowcount)
        await self._clean()
        return int(gone)

    async def idle(self, since: float) -> list[str]:
        query = "SELECT device FROM results GROUP BY device HAVING max(ended) < ?"
        rows: list[Any] = await self._look(lambda db: db.execute(query, (since,)).fetchall())
        return [device for (device,) in rows]

    async def _clean(self) -> None:
        """What was deleted is overwritten (secure_delete): empty the write-ahead log, too."""
        await self._look(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    async def _select(self, where: str, values: Sequence[object]) -> list[Result]:
        rows: list[Any] = await self._look(lambda db: db.execute(f"{_SELECT} {where}", values).fetchall())
        return [result_of(row) for row in rows]
