"""Open tables that strangers may find, because their hosts want it so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from kasta.db.key_value import KeyValue
from kasta.errors import Illegal
from kasta.tables.rights import are_seats_open
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

MOST = 100
LISTED = "listed"  # owned by nobody; the key is a table


class Listing:
    """Whatever the settings of a table say, it is listed only while somebody may sit down there.

    A crowd is not listed: to read a hundred of thousands from their logs takes seconds.
    """

    def __init__(self, key_value: KeyValue, table: Callable[[str], Awaitable[Table]]) -> None:
        self._key_value, self._table = key_value, table

    async def note(self, table: Table) -> None:
        """A table is new, or its settings are."""
        if table.settings.listed and len(table.places) <= MOST_LISTED:
            await self._key_value.put(LISTED, "", table.id)

    async def tables(self) -> list[Table]:
        """Those that are open, the newest first; the others are not looked at again."""
        found = []
        for name in await self._key_value.all(LISTED, "", MOST):
            with suppress(Illegal):  # it is forgotten by now
                table = await self._table(name)
                if table.settings.listed and are_seats_open(table) and len(table.places) <= MOST_LISTED:
                    found.append(table)
                    continue
            await self._key_value.drop(LISTED, "", name)
        return found
