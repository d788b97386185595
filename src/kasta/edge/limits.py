"""How much of the server one visitor may have. Far more than play needs: each is met only by a flood."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection
from math import ceil
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

MOST_IDLE = 10_000  # keys of a rate limit; then those that have waited long enough are forgotten
ROUNDING = 1e-6  # seconds: times of a clock are not exact


class Rate(NamedTuple):
    """So many at once, and when those are used up so many a second."""

    at_once: int
    a_second: float


class Limits(NamedTuple):
    """A device is a browser or program; a stranger is somebody without a seat at the table that is asked for.

    A hall shares one address, so only strangers are counted by it.
    """

    commands_a_device: Rate = Rate(300, 30)
    commands_a_table: Rate = Rate(20_000, 2_000)  # a hall that picks all at once
    changes_a_table: Rate = Rate(300, 5)  # what is neither play nor sitting down
    reads_a_device: Rate = Rate(600, 60)
    dear_reads_a_device: Rate = Rate(30, 1)  # records, proofs, evenings, pictures and pads
    dear_reads_a_table: Rate = Rate(1_000, 50)
    requests_an_address: Rate = Rate(20_000, 1_000)  # of strangers: a hall that comes in all at once
    # What one address can make the store grow by: the largest halls play all day, and a flood is bounded.
    commands_an_address: Rate = Rate(2_000_000, 25)  # 2 million a day
    seats_an_address: Rate = Rate(
        50_000, 0.6
    )  # 50,000 a day, also by rematches: bots and clocks may play for each
    reviews_an_address: Rate = Rate(20_000, 0.1)  # a hall that looks at its reviews all at once; then 8,640 a day
    streams_a_device: int = 64  # at all tables
    sheets_of_streams: int = 50_000  # on the pages of all streams: for each sheet some 6 KB are remembered
    connections_a_device: int = 64
    connections_an_address: int = 2_000  # of strangers
    files_kept_back: int = 128  # that connections never take: for the store, bots and what else is opened
    streams_of_connections: float = 0.9  # the rest is for what streams make people ask
    pipelined: int = 8  # requests that wait behind another one on their connection
    request_seconds: float = 20.0  # until a request is there, from the connection or its first byte on
    taking_seconds: float = 20.0  # how long an answer or stream may wait for somebody who takes nothing


class RateLimit:
    """One rate for many keys: the generic cell rate algorithm, which remembers one time for each."""

    def __init__(self, rate: Rate) -> None:
        self._each, self._most = 1 / rate.a_second, rate.at_once / rate.a_second
        self._paid: dict[str, float] = {}  # when all that a key has taken will be given back
        self._sweep_at = MOST_IDLE

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._paid)

    def take(self, key: str, now: float, number: int = 1) -> int:
        """Take one, or so many; or how many seconds to wait before there are as many to take."""
        paid = max(self._paid.get(key, now), now) + number * self._each
        if (missing := paid - now - self._most - ROUNDING) > 0:
            return ceil(missing)
        self._paid[key] = paid
        if len(self._paid) > self._sweep_at:
            self._paid = {other: until for other, until in self._paid.items() if until > now}
            self._sweep_at = MOST_IDLE + 2 * len(self._paid)
        return 0


class Shares(Generic[T]):
    """Things that are limited in all, by who holds them, each one's oldest first: who has most gives way."""

    def __init__(self) -> None:
        self._holders: dict[T, str] = {}
        self._held: defaultdict[str, dict[T, None]] = defaultdict(dict)
        self._largest = ""  # who had most when they last got something

    def __len__(self) -> int:
        return len(self._holders)

    def add(self, holder: str, thing: T) -> None:
        self._holders[thing] = holder
        self._held[holder][thing] = None
        self._largest = max(holder, self._largest, key=lambda each: len(self.of(each)))

    def remove(self, thing: T) -> None:
        """Nobody holds it any more, if anybody did."""
        if (holder := self._holders.pop(thing, None)) is not None:
            self._held[holder].pop(thing)
            if not self._held[holder]:
                del self._held[holder]

    def of(self, holder: str) -> Collection[T]:
        return self._held.get(holder, ())

    def of_larger(self, holder: str) -> Collection[T]:
        """What they hold who have most, if that is more than this one would with one more."""
        most = self.of(self._largest)
        return most if len(most) > len(self.of(holder)) + 1 else ()


def most_connections(limits: Limits) -> int:
    """As many as there can be open files, but for some that others need."""
    if sys.platform == "win32":
        return 10_000
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = sys.maxsize if soft == resource.RLIM_INFINITY else soft
    return max(most - limits.files_kept_back, most // 2)
