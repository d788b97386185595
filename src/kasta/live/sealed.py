"""Tables that only those see who play there: others may still play the same throws, as in a challenge."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from kasta.edge.visitor import Visitor
from kasta.errors import Illegal, KastaError
from kasta.tables.service import Service
from kasta.tables.state import Table

PLACE = re.compile(r"/(?:t|api/tables)/([^/]+)(?:/([^/]+))?")
FOR_ALL = frozenset({"seat", "move", "qr.svg"})  # how a seat is taken along to another device

ToldAt = Callable[[Table], Awaitable[float | None]]


class Seals:
    """Asked before anything at a table. What is sealed is opened when the secret of its dice is told."""

    def __init__(self, service: Service, told_at: ToldAt) -> None:
        self._service, self._told_at = service, told_at

    async def check(self, path: str, visitor: Visitor) -> None:
        """Refuse what would show a throw, or a sheet, to somebody who may still play."""
        found = PLACE.match(path)
        if found is None or found[2] in FOR_ALL:
            return
        table = await self._table(found[1])
        if table is None or table.challenge is None or visitor.device == table.host:
            return
        if visitor.device not in table.devices and await self._told_at(table) is None:
            raise Illegal("sealed_table")

    async def _table(self, name: str) -> Table | None:
        try:
            return self._service.seen(name) or await self._service.table(name)
        except KastaError:  # whoever is asked says so
            return None
