"""Reviews of a device's finished games, from the records in its results: luck, and what was given away."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from contextlib import aclosing

from kasta.coach.process import Coach
from kasta.coach.review import SeatGame
from kasta.errors import Illegal, KastaError
from kasta.jobs.background import Background
from kasta.record import walk
from kasta.results.model import Result
from kasta.results.store import Results
from kasta.tables.log import Log

logger = logging.getLogger(__name__)

AT_ONCE = 20  # games of a device
MOST_DEVICES = 50  # that wait
MOST_FAILED = 1_000


class OwnReviews:
    """Devices take turns at the coach, as tables do; each has one game under way."""

    def __init__(self, log: Log, coach: Coach) -> None:
        self._log, self._coach = log, coach
        self._wanted: dict[str, list[Result]] = {}
        self._failed: dict[tuple[str, int], None] = {}
        self._background = Background()

    def waiting(self, device: str) -> int:
        """How many games of a device are still to be reviewed."""
        return len(self._wanted.get(device, ()))

    def wanting(self, results: Sequence[Result]) -> list[Result]:
        """Those without a review that can have one."""
        return [each for each in results if each.luck is None and (each.table, each.seat) not in self._failed]

    def ask(self, device: str, results: Sequence[Result]) -> None:
        """Have some of a device's games reviewed, unless some are already."""
        due = self.wanting(results)[:AT_ONCE]
        if device in self._wanted or not due:
            return
        if len(self._wanted) >= MOST_DEVICES:
            raise Illegal("too_many_questions")
        self._wanted[device] = due
        self._background.start(self._make(device))

    async def settled(self) -> None:
        """Return once nothing is being reviewed."""
        await self._background.settled()

    async def close(self) -> None:
        await self._background.close()

    async def _make(self, device: str) -> None:
        due = self._wanted[device]
        try:
            while due:
                await self._review(device, due[0])
                due.pop(0)
        except Exception:
            logger.exception("the games of a device could not be reviewed")
        finally:
            del self._wanted[device]

    async def _review(self, device: str, result: Result) -> None:
        try:
            async with aclosing(self._coach.review(f"games {device}", _played(result))) as growing:
                async for review in growing:
                    found = review
            await Results(self._log.db).note_review(result.table, result.seat, found.luck, found.lost)
        except KastaError as error:
            logger.warning("a finished game could not be reviewed: %s", error.code)
            self._failed[result.table, result.seat] = None
            if len(self._failed) > MOST_FAILED:
                del self._failed[next(iter(self._failed))]


def _played(result: Result) -> SeatGame:
    """The game as if it had been played alone."""
    first, *moments = walk(io.BytesIO(result.lines().encode()))
    return SeatGame(first.header, [(each.line, each.step) for each in moments if each.step is not None], 0)
