"""How many event streams may be open at once: in all, to a device, and to those at one address without a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from kasta.edge.config import Config
from kasta.edge.limits import most_connections
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.tables.state import Table

RETRY_SECONDS = 30


class Admission:
    """A hall shares one address, so players are counted only in all, and each by device.

    Guests are counted by address, too. Streams leave some connections to what they make people ask.
    """

    def __init__(self, config: Config) -> None:
        limits = config.limits
        self._most = min(config.streams, int(most_connections(limits) * limits.streams_of_connections))
        self._most_guests, self._most_a_device = config.guests_an_address, limits.streams_a_device
        self._open = 0
        self._by: Counter[str] = Counter()  # device, and guests' address

    def check(self, visitor: Visitor, table: Table) -> None:
        """Refuse a stream that would be one too many."""
        device, guest = _who(visitor, table)
        if self._open >= self._most:
            raise Illegal("too_many_streams_in_all", seconds=RETRY_SECONDS)
        if self._by[device] >= self._most_a_device:
            raise Illegal("too_many_streams", most=self._most_a_device, seconds=RETRY_SECONDS)
        if guest and self._by[guest] >= self._most_guests:
            raise Illegal("too_many_guests", most=self._most_guests, seconds=RETRY_SECONDS)

    @asynccontextmanager
    async def counted(
        self, visitor: Visitor, table: Table, held: AbstractAsyncContextManager[None]
    ) -> AsyncGenerator[None]:
        """A stream that counts while it is held."""
        who = [each for each in _who(visitor, table) if each]
        self._open += 1
        self._by.update(who)
        try:
            async with held:
                yield
        finally:
            self._open -= 1
            for each in who:
                self._by[each] -= 1
                if not self._by[each]:
                    del self._by[each]


def _who(visitor: Visitor, table: Table) -> tuple[str, str]:
    """The visitor's device, and, without a seat, the address."""
    device = visitor.known_device
    return device, "" if device == table.host or table.is_seated(device) else f"@{visitor.address}"
