"""How often an address may open tables or guess codes. Seats have limits of their own in `table.rights`."""

from __future__ import annotations

import math
import time
from collections import deque

WINDOW_SECONDS = 600.0
MOST_ADDRESSES = 10_000


class Limit:
    """So many times in ten minutes. What is forgotten first is who came first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: dict[str, deque[float]] = {}

    def is_over(self, address: str) -> bool:
        times = self._times.get(address)
        now = time.monotonic()
        while times and now - times[0] > WINDOW_SECONDS:
            times.popleft()
        return times is not None and len(times) >= self._most

    def wait(self, address: str) -> int:
        """Seconds until it is no longer over."""
        times = self._times.get(address)
        return math.ceil(WINDOW_SECONDS - (time.monotonic() - times[0])) if times else 0

    def count(self, address: str) -> None:
        self._times.setdefault(address, deque(maxlen=self._most)).append(time.monotonic())
        while len(self._times) > MOST_ADDRESSES:
            del self._times[next(iter(self._times))]
