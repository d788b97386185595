"""The throws of the day in PostgreSQL."""

from __future__ import annotations

from kasta.db.postgres.cluster import Connection
from kasta.features.day.store import Answer, DayBook, DayDice, DayDone

KEEP = "INSERT INTO kasta_days VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"
SELECT = "SELECT day, game, secret, made, ended, told, best FROM kasta_days"
BEGIN = "INSERT INTO kasta_tries VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
ANSWER = "INSERT INTO kasta_answers VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
_TELL = "UPDATE kasta_days SET told = $2 WHERE day = $1 AND told IS NULL"

_DONE = """
SELECT substr(kind, 5), game, name, total, shown FROM kasta_results
    WHERE device = $1 AND kind LIKE 'day/%' ORDER BY kind DESC, game
"""

_GIVE = """
INSERT INTO kasta_answers SELECT $2, game, number, chosen, rating, at FROM kasta_answers WHERE device = $1
    ON CONFLICT DO NOTHING
"""


class PostgresDays(DayBook):
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def keep(self, dice: DayDice) -> DayDice:
        await self._change(KEEP, *dice)
        return (await self._all("WHERE day = $1 AND game = $2", *dice[:2]))[0]

    async def find(self, day: str, game: str) -> DayDice | None:
        found = await self._all("WHERE day = $1 AND game = $2", day, game)
        return found[0] if found else None

    async def since(self, day: str) -> list[DayDice]:
        return await self._all("WHERE day >= $1 ORDER BY day DESC, game", day)

    async def untold(self) -> list[DayDice]:
        return await self._all("WHERE told IS NULL ORDER BY day, game")

    async def set_ended(self, day: str, at: float | None) -> None:
        await self._change("UPDATE kasta_days SET ended = $2 WHERE day = $1 AND told IS NULL", day, at)

    async def tell(self, day: str, at: float) -> None:
        async with self._connection() as db, db.transaction():
            await db.execute(_TELL, day, at)
            await db.execute("DELETE FROM kasta_tries WHERE day = $1", day)

    async def set_best(self, day: str, game: str, total: int) -> None:
        await self._change("UPDATE kasta_days SET best = $3 WHERE day = $1 AND game = $2", day, game, total)

    async def begin(self, day: str, game: str, device: str, table: str) -> str:
        await self._change(BEGIN, day, game, device, table)
        return (await self.counted(day, device))[game]

    async def counted(self, day: str, device: str) -> dict[str, str]:
        query = "SELECT game, name FROM kasta_tries WHERE day = $1 AND device = $2"
        async with self._connection() as db:
            return dict(await db.fetch(query, day, device))

    async def done(self, device: str) -> list[DayDone]:
        async with self._connection() as db:
            return [DayDone(*row) for row in await db.fetch(_DONE, device)]

    async def answer(self, device: str, answer: Answer) -> None:
        await self._change(ANSWER, device, *answer)

    async def answers(self, device: str) -> list[Answer]:
        query = "SELECT game, number, chosen, rating, at FROM kasta_answers WHERE device = $1 ORDER BY at"
        async with self._connection() as db:
            return [Answer(*row) for row in await db.fetch(query, device)]

    async def silent(self, since: float) -> list[str]:
        query = "SELECT device FROM kasta_answers GROUP BY device HAVING max(at) < $1"
        async with self._connection() as db:
            return [device for (device,) in await db.fetch(query, since)]

    async def forget(self, device: str, to: str | None = None) -> None:
        if to is not None:
            await self._change(_GIVE, device, to)
        await self._change("DELETE FROM kasta_answers WHERE device = $1", device)

    async def _all(self, where: str, *values: object) -> list[DayDice]:
        async with self._connection() as db:
            return [DayDice(*row) for row in await db.fetch(f"{SELECT} {where}", *values)]

    async def _change(self, query: str, *values: object) -> None:
        async with self._connection() as db:
            await db.execute(query, *values)
