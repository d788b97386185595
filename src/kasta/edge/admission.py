"""How many event streams may be open at once: in all, to a device, and to those at one address without a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from kasta.edge.config import Config
from kasta.edge.limits import Shares, most_connections
from kasta.edge.sse import EventQueue
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

RETRY_SECONDS = 30


class Admission:
    """A hall shares one address, so players are counted only in all, and each by device; guests by address, too.

    When the server is full, of streams or of what their pages show, the address with the most streams gives way to
    others: nobody has all of it. Streams leave some connections to what they make people ask.
    """

    def __init__(self, config: Config) -> None:
        limits = config.limits
        self._most = min(config.streams, int(most_connections(limits) * limits.streams_of_connections))
        self._most_guests, self._most_a_device = config.guests_an_address, limits.streams_a_device
        self._by: Counter[str] = Counter()  # device, and guests' address
        self._streams = Shares[EventQueue]()  # by address
        self._most_sheets, self._sheets = limits.sheets_of_streams, 0

    def check(self, visitor: Visitor, table: Table) -> None:
        """Refuse a stream that would be one too many."""
        device, guest = _who(visitor, table)
        is_full = len(self._streams) >= self._most or self._sheets + _sheets(table) > self._most_sheets
        if is_full and not self._make_room(visitor.address):
            raise Illegal("too_many_streams_in_all", seconds=RETRY_SECONDS)
        if self._by[device] >= self._most_a_device:
            raise Illegal("too_many_streams", most=self._most_a_device, seconds=RETRY_SECONDS)
        if guest and self._by[guest] >= self._most_guests:
            raise Illegal("too_many_guests", most=self._most_guests, seconds=RETRY_SECONDS)

    @asynccontextmanager
    async def counted(
        self, visitor: Visitor, table: Table, queue: EventQueue, held: AbstractAsyncContextManager[None]
    ) -> AsyncGenerator[None]:
        """A stream that counts while it is held."""
        who, sheets = [each for each in _who(visitor, table) if each], _sheets(table)
        self._by.update(who)
        self._sheets += sheets
        self._streams.add(visitor.address, queue)
        try:
            async with held:
                yield
        finally:
            self._streams.remove(queue)
            self._sheets -= sheets
            for each in who:
                self._by[each] -= 1
                if not self._by[each]:
                    del self._by[each]

    def _make_room(self, address: str) -> bool:
        """End the oldest stream of an address that has more of them than this one will."""
        for oldest in self._streams.of_larger(address):
            self._streams.remove(oldest)
            oldest.close()
            return True
        return False


def _sheets(table: Table) -> int:
    """How many a page shows: what it shows is remembered. Of a crowd, it is only one's own."""
    return max(1, len(table.places)) if len(table.places) <= MOST_LISTED else 1


def _who(visitor: Visitor, table: Table) -> tuple[str, str]:
    """The visitor's device, and, without a seat, the address."""
    device = visitor.known_device
    return device, "" if device == table.host or table.is_seated(device) else f"@{visitor.address}"
