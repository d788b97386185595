"""The one try of a device that counts, in a series and a game."""

from __future__ import annotations

from collections.abc import Sequence

from kasta.dice import DAY
from kasta.sql import Database, Statement, insert

_NEW = """
INSERT INTO kasta_tries (day, game, device, name)
    SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS text), CAST($4 AS text)
    WHERE (SELECT count(*) FROM kasta_tries WHERE day = $1) < CAST($5 AS bigint)
    ON CONFLICT DO NOTHING
"""


def key_of(series: str) -> str:
    """How a series is called among the tries: a day by its date alone."""
    return series.removeprefix(DAY)


class Tries:
    """Which table is the try that counts, until it need not be known any more."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, series: str, game: str, device: str, table: str, most: int | None = None) -> str | None:
        """The table of a device's try that counts: this one, if it has not begun any.

        None if it has not, and as many as may be at the `most` have.
        """
        if most is None:
            await self._db.execute(*new_try(series, game, device, table))
        else:
            await self._db.execute(_NEW, key_of(series), game, device, table, most)
        return (await self.counted(series, device)).get(game)

    async def counted(self, series: str, device: str) -> dict[str, str]:
        """The tables of a device's counted tries by game."""
        query = "SELECT game, name FROM kasta_tries WHERE day = $1 AND device = $2"
        return dict(await self._db.fetch(query, key_of(series), device))

    async def begun(self, several: Sequence[str], game: str, device: str) -> dict[str, str]:
        """The tables of a device's counted tries of a game, by their series."""
        query = "SELECT day, name FROM kasta_tries WHERE day = ANY($1) AND game = $2 AND device = $3"
        found = dict(await self._db.fetch(query, [key_of(each) for each in several], game, device))
        return {each: found[key_of(each)] for each in several if key_of(each) in found}


def new_try(series: str, game: str, device: str, table: str) -> Statement:
    return insert("kasta_tries", "day, game, device, name", [(key_of(series), game, device, table)])


def forget_tries(series: str) -> Statement:
    """Whose try counted need not be known any more."""
    return "DELETE FROM kasta_tries WHERE day = $1", key_of(series)
