"""How many event streams may be open at once: in all, and to those at one address who hold no seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from litestar import Request

from kasta.errors import Illegal
from kasta.table.state import Table
from kasta.web.config import Config

RETRY_SECONDS = 30


class Admission:
    """A hall shares one address, so players are counted only in all. Guests are counted by address, too."""

    def __init__(self, config: Config) -> None:
        self._most, self._most_guests = config.streams, config.guests_an_address
        self._open = 0
        self._guests: Counter[str] = Counter()

    def check(self, request: Request[Any, Any, Any], table: Table) -> None:
        """Refuse a stream that would be one too many."""
        if self._open >= self._most:
            raise Illegal("too_many_streams_in_all", seconds=RETRY_SECONDS)
        guest = _guest(request, table)
        if guest is not None and self._guests[guest] >= self._most_guests:
            raise Illegal("too_many_guests", most=self._most_guests, seconds=RETRY_SECONDS)

    @asynccontextmanager
    async def counted(
        self, request: Request[Any, Any, Any], table: Table, held: AbstractAsyncContextManager[None]
    ) -> AsyncGenerator[None]:
        """A stream that counts while it is held."""
        guest = _guest(request, table)
        self._open += 1
        if guest is not None:
            self._guests[guest] += 1
        try:
            async with held:
                yield
        finally:
            self._open -= 1
            if guest is not None:
                self._guests[guest] -= 1
                if not self._guests[guest]:
                    del self._guests[guest]


def _guest(request: Request[Any, Any, Any], table: Table) -> str | None:
    """The address of a visitor without a seat."""
    visit: dict[str, Any] = request.scope["kasta"]  # type: ignore[typeddict-item]
    device = visit["device"]
    return None if device == table.host or table.is_seated(device) else str(visit["address"])
