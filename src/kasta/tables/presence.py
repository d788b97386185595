"""Who follows which table, here or at another node, and who did until a moment ago."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kasta.errors import Illegal
from kasta.tables.node import Node
from kasta.tables.rights import AWAY_SECONDS, HOST_AWAY_SECONDS, Silence

MOST_SEEN = 100_000  # devices whose last stream is remembered
STREAMS_A_DEVICE = 16  # at one table
MOMENT = 0.2  # then it has surely been that long
RETRY_SECONDS = 20  # by then the server knows which streams are gone


class Presence:
    """Whoever has followed no table for a while is away from it. `changed` hears where this may differ."""

    def __init__(self, node: Node, changed: Callable[[str], None]) -> None:
        self._node, self._changed = node, changed
        self._streams: dict[tuple[str, str], int] = {}
        self._seen: dict[tuple[str, str], float] = {}  # who was here last comes last

    def __len__(self) -> int:
        """How many streams there are."""
        return sum(self._streams.values())

    @contextmanager
    def of(self, table: str, device: str) -> Iterator[None]:
        """Marks the device present at a table while this lasts."""
        key = table, device
        if key not in self._streams and time.monotonic() - self._seen.get(key, -math.inf) > AWAY_SECONDS:
            asyncio.get_running_loop().call_soon(self._changed, table)  # back again
        if key not in self._streams:
            self._node.note(table, device, is_here=True)
        self._streams[key] = self._streams.get(key, 0) + 1
        try:
            yield
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]
                self._node.note(table, device, is_here=False)
                self._seen.pop(key, None)
                self._seen[key] = time.monotonic()
                self.look_later(table)
                while len(self._seen) > MOST_SEEN:
                    del self._seen[next(iter(self._seen))]

    def look_later(self, table: str) -> None:
        """Whoever is missing now will be away by and by: let the table be looked at then."""
        for seconds in (AWAY_SECONDS, HOST_AWAY_SECONDS):
            asyncio.get_running_loop().call_later(seconds + MOMENT, self._changed, table)

    def check(self, table: str, device: str) -> None:
        """Refuse one more stream where a device has many."""
        if self._streams.get((table, device), 0) >= STREAMS_A_DEVICE:
            raise Illegal("too_many_streams", most=STREAMS_A_DEVICE, seconds=RETRY_SECONDS)

    def silence(self, table: str, since: float) -> Silence:
        """Seconds since each device's last stream at a table ended, or since that time if none is remembered.

        Where nodes have ended and begun, all had to come back: nobody is away for longer than the others are here.
        """
        since = min(since, self._node.since(table))

        def of(device: str) -> float:
            if (table, device) in self._streams:
                return 0.0
            last, stay = self._seen.get((table, device), since), self._node.stay(table, device)
            return time.monotonic() - (max(last, stay.until) if stay else last)

        return of
