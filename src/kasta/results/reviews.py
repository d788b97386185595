"""The reviews of the tables that a process serves: made once, shown while they grow, kept in the store."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import aclosing

from kasta.coach.process import Coach
from kasta.coach.review import GHOST, SeatGame
from kasta.coach.reviewed import ReviewedSeat, decode, encode
from kasta.core import Seat
from kasta.errors import KastaError, Unavailable
from kasta.games.traits import AnyGame
from kasta.jobs.background import Background
from kasta.results.review_store import ReviewStore
from kasta.results.store import Results
from kasta.tables.log import Log
from kasta.tables.records import SortedRecord, TableRecord, seat_game, sort_out
from kasta.tables.state import Table

logger = logging.getLogger(__name__)

MOST_REMEMBERED = 100  # reviews that were looked at last, of some 200 KB
MOST_SORTED = 4  # records
MOST_STEPS = 100_000  # in all of them, of some 200 bytes
MOST_FAILED = 1_000

Key = tuple[str, Seat]
Count = Callable[[], object]
"""Called before a review is begun; raises why it must not be."""


class Reviews:
    """A table has one review under way at a time; its seats wait in the order in which they were asked for."""

    def __init__(self, log: Log, record: Callable[[str], Awaitable[TableRecord]], coach: Coach) -> None:
        self._log, self._record, self._coach = log, record, coach
        self._wanted: dict[str, dict[Seat, None]] = {}
        self._growing: dict[Key, ReviewedSeat] = {}
        self._remembered: OrderedDict[Key, ReviewedSeat] = OrderedDict()
        self._failed: OrderedDict[Key, KastaError] = OrderedDict()
        self._sorted: OrderedDict[str, SortedRecord] = OrderedDict()
        self._values: dict[tuple[str, str], str] = {}  # the fingerprints that hold now, by game and rules
        self._background = Background()

    async def get_or_start(self, table: Table, seat: Seat, count: Count | None = bool) -> ReviewedSeat | None:
        """A review of a finished game as far as it has come.

        It is made, or made again, if it has to be, unless there is nothing to count it by.
        """
        key = table.id, seat
        if (error := self._failed.get(key)) is not None:
            raise error
        if key in self._growing:
            return self._growing[key]
        found = await self._find(key)
        game = table.game
        values = self._values.get((game.name, game.rules))
        if count and (found is None or values not in {None, found.values}):
            if seat not in self._wanted.get(table.id, ()):
                count()
            self._want(table, seat)
        elif found is not None and values is None:
            self._background.start(
                self._learn_values(game)
            )  # if they are others by now, who looks again sees it grow
        return found

    def before(self, table: str, seat: Seat) -> int:
        """How many seats of the table are reviewed before this one."""
        wanted = self._wanted.get(table, {})
        return list(wanted).index(seat) if seat in wanted else 0

    async def game_of(self, table: Table, seat: Seat) -> SeatGame:
        """What a seat played."""
        if table.id not in self._sorted:
            record = await self._record(table.id)
            self._sorted[table.id] = sort_out(record.header, record.steps)
            while len(self._sorted) > MOST_SORTED or (len(self._sorted) > 1 and self._steps() > MOST_STEPS):
                self._sorted.popitem(last=False)
        return seat_game(table, self._sorted[table.id], None if seat == GHOST else seat)

    def _steps(self) -> int:
        return sum(len(each.steps) for each in self._sorted.values())

    async def close(self) -> None:
        await self._background.close()

    async def _find(self, key: Key) -> ReviewedSeat | None:
        if key in self._remembered:
            self._remembered.move_to_end(key)
            return self._remembered[key]
        body = await ReviewStore(self._log.db).find(*key)
        found = decode(body) if body else None
        if found is not None:
            self._remember(key, found)
        return found

    def _remember(self, key: Key, review: ReviewedSeat) -> None:
        self._remembered[key] = review
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def _want(self, table: Table, seat: Seat) -> None:
        if table.id in self._wanted:
            self._wanted[table.id].setdefault(seat)
        else:
            self._wanted[table.id] = {seat: None}
            self._background.start(self._make_all(table))

    async def _make_all(self, table: Table) -> None:
        wanted = self._wanted[table.id]
        try:
            while wanted:
                seat = next(iter(wanted))
                await self._make(table, seat)
                del wanted[seat]
        finally:
            del self._wanted[table.id]

    async def _make(self, table: Table, seat: Seat) -> None:
        key = table.id, seat
        try:
            async with aclosing(self._coach.review(table.id, await self.game_of(table, seat))) as growing:
                async for review in growing:
                    self._growing[key] = review
            found = self._growing[key]
            self._values[table.game.name, table.game.rules] = found.values
            self._remember(key, found)
            await self._keep(key, found)
        except KastaError as error:
            self._fail(key, error)
            logger.warning("a game could not be reviewed: %s", error.code)
        except Exception:
            logger.exception("a game could not be reviewed")
            self._fail(key, Unavailable("no_review"))
        finally:
            self._growing.pop(key, None)

    async def _keep(self, key: Key, found: ReviewedSeat) -> None:
        """Where the store does not answer now, the review is shown all the same, and made again some day."""
        try:
            await ReviewStore(self._log.db).keep(*key, encode(found))
            await Results(self._log.db).note_review(*key, found.luck, found.lost)
        except KastaError as error:
            logger.warning("a review could not be kept: %s", error.code)

    def _fail(self, key: Key, error: KastaError) -> None:
        """Remember what cannot be reviewed; a store that does not answer now may answer soon."""
        if error.code == "store_failed":
            return
        self._failed[key] = error
        if len(self._failed) > MOST_FAILED:
            self._failed.popitem(last=False)

    async def _learn_values(self, game: AnyGame) -> None:
        try:
            self._values[game.name, game.rules] = await self._coach.values(game)
        except KastaError as error:
            logger.warning("the coach does not know a game's values: %s", error.code)
