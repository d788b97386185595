"""When secrets are told: when two looks at the clock, hours apart, have found a series over.

Neither a jump of the clock nor what was played since may speak against them. The first look is by a process that
has watched the clock since before the end, or for nearly a day: one that has just begun may have begun with a
wrong clock.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

logger = logging.getLogger(__name__)

SURE_AFTER = 2 * 3_600.0  # seconds between the two looks that agree
WATCHED_FOR = 22 * 3_600.0


class Untold(NamedTuple):
    """Secrets that are told together: when that may be, and when each was first found over."""

    key: str
    ends: float
    found: Sequence[float | None]


class SecretBook(Protocol):
    """Where secrets are kept."""

    async def set_ended(self, key: str, at: float | None) -> None:
        """A look has found something over that no look before had, or a later one takes that back."""

    async def tell(self, key: str, at: float) -> None:
        """Publish secrets."""


class Telling:
    """What one process has seen of the clock."""

    def __init__(self, book: SecretBook) -> None:
        self._book = book
        self._since = math.inf  # when this process first saw the clock, which was steady ever since

    async def look(self, now: float, untold: Iterable[Untold], *, is_sure: bool) -> None:
        """Tell the secrets of what was over at an earlier look, too, and still is."""
        self._since = min(self._since, now) if is_sure else now
        for each in untold:
            await self._look_at(each, now, is_sure=is_sure)

    async def _look_at(self, one: Untold, now: float, *, is_sure: bool) -> None:
        found = [at for at in one.found if at is not None]
        if not is_sure or now < one.ends:
            if found:
                logger.warning("the clock is not sure any more that %s is over", one.key)
                await self._book.set_ended(one.key, None)
        elif len(found) < len(one.found):
            if self._since < one.ends or now - self._since >= WATCHED_FOR:
                await self._book.set_ended(one.key, now)
        elif now - max(found) >= SURE_AFTER:
            logger.info("the secrets of %s are told", one.key)
            await self._book.tell(one.key, now)
