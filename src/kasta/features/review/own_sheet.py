"""Reviews of games that were played without the server: of the own sheet, from the record in its result."""

from __future__ import annotations

import io

from litestar.exceptions import NotFoundException

from kasta.coach.process import Coach
from kasta.coach.review import GHOST, SeatGame
from kasta.coach.reviewed import ReviewedSeat
from kasta.core import Seat
from kasta.errors import Illegal, KastaError
from kasta.i18n import Words
from kasta.record import Header, Step, walk
from kasta.results.model import POCKET, Result
from kasta.results.records import recorder_of
from kasta.results.reviews import Key, Reviews, logger
from kasta.results.store import Results
from kasta.tables.log import Log
from kasta.tables.records import TableRecord, seat_game, sort_out
from kasta.tables.state import Table

ALONE: Seat = 0  # of whoever has the sheet: nobody else is in the record of a result


class OwnSheetReviews(Reviews):
    """They are not kept: a game has one reader, and what a review has found is in its result."""

    def __init__(self, log: Log, coach: Coach) -> None:
        super().__init__(log, self._no_record, coach)
        self._results = Results(log.db)

    async def table(self, device: str, game: str, seat: Seat, words: Words) -> Table:
        """The table that a device's result tells of, with one seat; only such a game has no other review."""
        result = await self._results.own(device, game, seat)
        if result is None or result.kind != POCKET:
            raise NotFoundException
        header, steps = _record_of(result, words.say("You"))
        return recorder_of(f"{game}/{seat}", device, header, steps).table

    async def game_of(self, table: Table, seat: Seat) -> SeatGame:
        game, _, number = table.id.rpartition("/")
        result = await self._results.own(table.host, game, int(number))
        if result is None:
            raise Illegal("no_review")
        return seat_game(table, sort_out(*_record_of(result)), None if seat == GHOST else seat)

    async def _keep(self, key: Key, found: ReviewedSeat) -> None:
        """What it has found, in the result."""
        table, seat = key
        if seat == GHOST:
            return
        game, _, number = table.rpartition("/")
        try:
            await self._results.note_review(game, int(number), found.luck, found.lost)
        except KastaError as error:
            logger.warning("a review could not be noted: %s", error.code)

    async def _no_record(self, _table: str) -> TableRecord:
        raise Illegal("no_review")


def _record_of(result: Result, name: str = "") -> tuple[Header, list[Step]]:
    first, *moments = walk(io.BytesIO(result.lines().encode()))
    steps = [each.step for each in moments if each.step is not None]
    return Header(first.header.game, first.header.rules, (name,)), steps
