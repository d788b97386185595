"""A store's time in this process's, also right after somebody has set the store's clock."""

from __future__ import annotations

import math
import time

from kasta.sql import Fetch
from kasta.tables.cluster_state import KEPT_SECONDS

JUMP_SECONDS = 1.0


class StoreTime:
    """How far the store's clock is ahead of ours, now and before it was set.

    What was written before belongs to the old clock. Nobody can tell for sure which of the two a time is of: it is
    taken for the later moment that is not in the future. So nobody seems to be gone for longer than they are.
    """

    def __init__(self, clock: str) -> None:
        self._ask = f"SELECT {clock}"
        self._least, self._most = -math.inf, math.inf  # how far it is ahead, as exactly as the way there tells
        self._before: float | None = None
        self._set = -math.inf

    async def read(self, fetch: Fetch) -> None:
        asked = time.monotonic()
        ((theirs,),) = await fetch(self._ask)
        answered = time.monotonic()
        least, most = theirs - answered, theirs - asked
        if least > self._most + JUMP_SECONDS or most < self._least - JUMP_SECONDS:
            self._before, self._set = self._least, answered
        elif answered - self._set > KEPT_SECONDS:
            self._before = None
        self._least, self._most = least, most

    @property
    def was_set_lately(self) -> bool:
        return time.monotonic() - self._set < KEPT_SECONDS

    def here(self, theirs: float) -> float:
        """A time of the store as one of `time.monotonic()`."""
        now = time.monotonic()
        ours = [theirs - ahead for ahead in (self._least, self._before) if ahead is not None]
        return max((moment for moment in ours if moment <= now + JUMP_SECONDS), default=now)
