"""The throws of the day: who makes their secret. A day is one of UTC, by the clock that all nodes share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from kasta import dice
from kasta.dice import day_of
from kasta.errors import Unreadable
from kasta.features.day.store import DayDice, DayStore, read_day
from kasta.games import GAMES
from kasta.series.telling import Telling, Untold
from kasta.series.tries import Tries
from kasta.tables.log import Log
from kasta.tables.state import Table


def end_of(day: str) -> float:
    """When a day is over by the clock."""
    midnight = read_day(day) + timedelta(days=1)
    return datetime(midnight.year, midnight.month, midnight.day, tzinfo=UTC).timestamp()


def day_after(day: str, days: int = 1) -> str:
    """So many days later."""
    return (read_day(day) + timedelta(days=days)).isoformat()


class Days:
    """The throws of the day of all games, the same at every node of a store."""

    def __init__(self, log: Log) -> None:
        self._log, self.book, self.tries = log, DayStore(log.db), Tries(log.db)
        self._prepared, self._telling = "", Telling(self.book)

    async def today(self) -> str:
        return day_of(await self._log.now())

    async def prepare(self) -> str:
        """Publish the commitments of tomorrow, and of today where nobody did yesterday. The date of today."""
        now = await self._log.now()
        today = day_of(now)
        if today == self._prepared:
            return today
        have = {(each.day, each.game) for each in await self.book.since(today)}
        for day in (today, day_after(today)):
            for traits in GAMES.working():
                if (day, traits.name) not in have:
                    await self.book.keep(DayDice(day, traits.name, dice.new_secret(), made=now))
        self._prepared = today
        return today

    async def published(self, dice_id: str, commitment: str) -> str | None:
        """The secret of a day's dice, if they are of this store and everybody may know it."""
        if not dice_id.startswith(dice.DAY):
            return None
        _, day, game = dice_id.split("/", 2)
        found = await self.book.find(day, game)
        return None if found is None or found.commitment != commitment else found.told_secret

    async def known(self, _dice_id: str) -> dice.KnownThrows | None:
        """Nobody has thrown them before."""
        return None

    async def told_at(self, table: Table) -> float | None:
        found = await self._dice_of(table)
        return found.told if found else None

    async def best_total(self, table: Table) -> int | None:
        found = await self._dice_of(table)
        return found.best if found else None

    async def _dice_of(self, table: Table) -> DayDice | None:
        return None if table.day is None else await self.book.find(table.day, table.game.name)

    async def dice(self, day: str, game: str) -> DayDice:
        """The dice of a game on a day: of today and tomorrow always, of an earlier one if there were any."""
        read_day(day)
        if game not in GAMES:
            raise Unreadable("unknown_game", text=game, known=", ".join(GAMES))
        found = await self.book.find(day, game)
        if found is None:
            await self.prepare()
            found = await self.book.find(day, game)
        if found is None:
            raise Unreadable("no_such_day", text=day)
        return found

    async def look(self, now: float, is_sure: bool) -> None:  # noqa: FBT001 - called by whoever looks at the clock
        """Tell the secrets of a day that was over at an earlier look, too, and still is."""
        await self.prepare()
        ended: dict[str, list[float | None]] = {}
        for each in await self.book.untold():
            ended.setdefault(each.day, []).append(each.ended)
        untold = [Untold(day, end_of(day), found) for day, found in ended.items()]
        await self._telling.look(now, untold, is_sure=is_sure)
