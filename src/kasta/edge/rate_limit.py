"""How often something may be done: so many at once, then so many a second, for each who does it."""

from __future__ import annotations

from math import ceil

from kasta.edge.limits import Rate

MOST_IDLE = 10_000  # keys; then those that have waited long enough are forgotten


class Rates:
    """One rate for many keys: the generic cell rate algorithm, which remembers one time for each."""

    def __init__(self, rate: Rate) -> None:
        self._each, self._most = 1 / rate.a_second, rate.at_once / rate.a_second
        self._paid: dict[str, float] = {}  # when all that a key has taken will be given back
        self._sweep_at = MOST_IDLE

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._paid)

    def take(self, key: str, now: float) -> int:
        """Take one; or how many seconds to wait before there is one to take."""
        paid = max(self._paid.get(key, now), now) + self._each
        if paid - now > self._most:
            return ceil(paid - now - self._most)
        self._paid[key] = paid
        if len(self._paid) > self._sweep_at:
            self._paid = {other: until for other, until in self._paid.items() if until > now}
            self._sweep_at = MOST_IDLE + 2 * len(self._paid)
        return 0
