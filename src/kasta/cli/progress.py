"""How far a long run is, where no terminal shows a bar: a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

EVERY = 60.0  # seconds


class ProgressLines:
    """Says at most once a minute how much is done, and how long the rest may take.

    What was done when it began, by an earlier run, tells nothing about that.
    """

    def __init__(
        self, what: str, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._tell, self._clock = what, tell, clock
        self._began = self._told = clock()
        self._before: int | None = None

    def __call__(self, done: int, of: int) -> None:
        if self._before is None:
            self._before = done
        now = self._clock()
        if now - self._told < EVERY or done == self._before:
            return
        self._told = now
        left = (now - self._began) / (done - self._before) * (of - done)
        self._tell(f"{self._what}: {100 * done // of} %, {timedelta(seconds=round(left))}")
