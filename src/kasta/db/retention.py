"""What nobody touches is closed, hidden and deleted: never because of one look at a clock.

A clock may be wrong, for hours or for months. So the store remembers since when looks at it have agreed, and
nothing counts as older than that: whatever is forgotten was left alone for so long while somebody watched.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime

from kasta.db.personal import PersonalData, delete_idle
from kasta.db.trash import ClockReading, Trash
from kasta.errors import KastaError
from kasta.tables.events import Closed
from kasta.tables.log import Log

logger = logging.getLogger(__name__)

DAY = 86_400.0
UNPLAYED_AFTER = DAY
ABANDONED_AFTER = 30 * DAY
FORGOTTEN_AFTER = 90 * DAY
HIDDEN_FOR = 7 * DAY
RESULTS_AFTER = 730 * DAY  # since a device's last finished game, or answer: its cookie has long run out
LONGEST_PAUSE = 8 * DAY  # between two looks: a server that is needed once a week forgets, too
LONGEST_QUIET = 30 * DAY  # since anything happened: until somebody plays, the clock has only itself for a witness
JUMP_SECONDS = 600.0


def _steady() -> float:
    """Seconds that no clock setting changes. Where it is to be had, sleep counts: it is no jump."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Retention:
    """Looks at the clock from time to time. `close` ends an abandoned game; `drop` hears what is gone.

    A table is kept for so many seconds after its last move. All of `looked` hear of every look, and whether it
    agrees with those before and with what was played.
    """

    def __init__(
        self,
        log: Log,
        close: Callable[[str], Awaitable[object]],
        drop: Callable[[str], None],
        kept_seconds: float,
        personal: Sequence[PersonalData] = (),
    ) -> None:
        self._log, self._close, self._drop, self._kept_seconds = log, close, drop, kept_seconds
        self.looked: list[Callable[[float, bool], Awaitable[object]]] = []
        self._personal, self._trash = personal, Trash(log.db)
        self._seen: tuple[float, float] | None = None  # the clock and the steady one, at the last look here
        self._over: set[str] = set()  # tables that need no closing

    async def sweep(self) -> None:
        """Forget what is due, if this look and those before it agree."""
        now = await self._log.now()
        newest = await self._trash.newest()
        last = await self._trash.last_reading()
        doubt = self._doubt(now, newest, last)
        if doubt:
            logger.warning("nothing is forgotten, the days are counted anew: %s", doubt)
        since = now if doubt or last is None else last.since
        await self._trash.keep_reading(ClockReading(since, now))
        is_sure = not doubt and (newest is None or now - newest <= LONGEST_QUIET)
        for hear in self.looked:
            await hear(now, is_sure)
        if newest is not None and now - newest <= LONGEST_QUIET:
            await self._delete(now, since)
            await self._hide(now, since)
            await self._close_abandoned(now, since)
            await self._forget_results(now, since)

    def _doubt(self, now: float, newest: float | None, last: ClockReading | None) -> str | None:
        """Why the clock cannot be believed: by this process, by the store's newest event, by the last look."""
        seen, self._seen = self._seen, (now, _steady())
        if seen and abs(now - seen[0] - (self._seen[1] - seen[1])) > JUMP_SECONDS:
            return "the clock has jumped"
        if newest is not None and newest - now > JUMP_SECONDS:
            return f"the newest event is {_days(newest - now)} after the clock"
        if last is not None and last.last - now > JUMP_SECONDS:
            return f"the last look was {_days(last.last - now)} after the clock"
        if last is not None and now - last.last > LONGEST_PAUSE:
            return f"the last look was {_days(now - last.last)} ago"
        return None

    async def _delete(self, now: float, since: float) -> None:
        """What was hidden for long enough, all of it while the clock was steady."""
        if now - since < HIDDEN_FOR:
            return
        due = [name for name, at in (await self._trash.hidden()).items() if at < now - HIDDEN_FOR]
        if due:
            logger.warning("%d hidden tables are deleted", len(due))
            await self._trash.delete(now - HIDDEN_FOR)

    async def _hide(self, now: float, since: float) -> None:
        for seconds, unplayed in ((UNPLAYED_AFTER, True), (self._kept_seconds, False)):
            count = 0 if now - since < seconds else await self._trash.hide(now, now - seconds, unplayed=unplayed)
            if count:
                logger.warning(
                    "%d tables that nobody has %s for %s are hidden, and deleted after %s: "
                    "`kasta store undelete` lists them and brings them back",
                    count,
                    "played" if unplayed else "touched",
                    _days(seconds),
                    datetime.fromtimestamp(now + HIDDEN_FOR, UTC).date(),
                )
        for name in await self._trash.hidden():
            self._drop(name)

    async def _close_abandoned(self, now: float, since: float) -> None:
        if now - since < ABANDONED_AFTER:
            return
        due = await self._log.tables(now - ABANDONED_AFTER)
        self._over.intersection_update(due)
        for name in due:
            try:
                if name not in self._over and not await self._is_closed(name):
                    await self._close(name)
                self._over.add(name)
            except KastaError as error:
                logger.warning("a table could not be closed: %s", error.code)

    async def _forget_results(self, now: float, since: float) -> None:
        """Nobody comes back for them. Days are not counted anew after a jump: 90 steady ones must do."""
        if now - since < FORGOTTEN_AFTER:
            return
        await delete_idle(self._log.db, self._personal, now - RESULTS_AFTER)

    async def _is_closed(self, name: str) -> bool:
        async with aclosing(self._log.events(name)) as events:
            async for stored in events:
                if isinstance(stored.event, Closed):
                    return True
        return False


def _days(seconds: float) -> str:
    days = round(seconds / DAY)
    return f"{days} days" if days > 1 else "a day" if days else "less than a day"
