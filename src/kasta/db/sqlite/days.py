"""The throws of the day in an SQLite file."""

from __future__ import annotations

import sqlite3
from typing import Any

from kasta.db.sqlite.cluster import Run
from kasta.features.day.store import Answer, DayBook, DayDice, DayDone

KEEP = "INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
BEGIN = "INSERT INTO tries VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
SELECT = "SELECT day, game, secret, made, ended, told, best FROM days"

_DONE = """
SELECT substr(kind, 5), game, name, total, shown FROM results
    WHERE device = ? AND kind LIKE 'day/%' ORDER BY kind DESC, game
"""


class SqliteDays(DayBook):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def keep(self, dice: DayDice) -> DayDice:
        def run(db: sqlite3.Connection) -> DayDice:
            db.execute(KEEP, dice)
            return DayDice(*db.execute(f"{SELECT} WHERE day = ? AND game = ?", dice[:2]).fetchone())

        kept: DayDice = await self._write(run)
        return kept

    async def find(self, day: str, game: str) -> DayDice | None:
        found = await self._all("WHERE day = ? AND game = ?", day, game)
        return found[0] if found else None

    async def since(self, day: str) -> list[DayDice]:
        return await self._all("WHERE day >= ? ORDER BY day DESC, game", day)

    async def untold(self) -> list[DayDice]:
        return await self._all("WHERE told IS NULL ORDER BY day, game")

    async def set_ended(self, day: str, at: float | None) -> None:
        await self._change("UPDATE days SET ended = ? WHERE day = ? AND told IS NULL", at, day)

    async def tell(self, day: str, at: float) -> None:
        def run(db: sqlite3.Connection) -> None:
            db.execute("UPDATE days SET told = ? WHERE day = ? AND told IS NULL", (at, day))
            db.execute("DELETE FROM tries WHERE day = ?", (day,))

        await self._write(run)

    async def set_best(self, day: str, game: str, total: int) -> None:
        await self._change("UPDATE days SET best = ? WHERE day = ? AND game = ?", total, day, game)

    async def begin(self, day: str, game: str, device: str, table: str) -> str:
        await self._change(BEGIN, day, game, device, table)
        return (await self.counted(day, device))[game]

    async def counted(self, day: str, device: str) -> dict[str, str]:
        query = "SELECT game, name FROM tries WHERE day = ? AND device = ?"
        return dict(await self._look(lambda db: db.execute(query, (day, device)).fetchall()))

    async def done(self, device: str) -> list[DayDone]:
        rows: list[Any] = await self._look(lambda db: db.execute(_DONE, (device,)).fetchall())
        return [DayDone(*row) for row in rows]

    async def answer(self, device: str, answer: Answer) -> None:
        await self._change(ANSWER, device, *answer)

    async def answers(self, device: str) -> list[Answer]:
        query = "SELECT game, number, chosen, rating, at FROM answers WHERE device = ? ORDER BY at"
        rows: list[Any] = await self._look(lambda db: db.execute(query, (device,)).fetchall())
        return [Answer(*row) for row in rows]

    async def silent(self, since: float) -> list[str]:
        query = "SELECT device FROM answers GROUP BY device HAVING max(at) < ?"
        rows: list[Any] = await self._look(lambda db: db.execute(query, (since,)).fetchall())
        return [device for (device,) in rows]

    async def forget(self, device: str, to: str | None = None) -> None:
        if to is not None:
            await self._change("UPDATE OR IGNORE answers SET device = ? WHERE device = ?", to, device)
        await self._change("DELETE FROM answers WHERE device = ?", device)

    async def _all(self, where: str, *values: object) -> list[DayDice]:
        rows: list[Any] = await self._look(lambda db: db.execute(f"{SELECT} {where}", values).fetchall())
        return [DayDice(*row) for row in rows]

    async def _change(self, query: str, *values: object) -> None:
        await self._write(lambda db: db.execute(query, values) and None)
