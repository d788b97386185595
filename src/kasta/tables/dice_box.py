"""Throws the dice of tables as they were fixed beforehand."""

from __future__ import annotations

from kasta import dice
from kasta.core import Faces
from kasta.errors import Unavailable
from kasta.tables.live import Live
from kasta.tables.log import Log
from kasta.tables.records import Known, clockwise, proof
from kasta.tables.state import Table


class DiceBox:
    """Knows the secrets of the dice, which a log keeps apart from its events."""

    def __init__(self, log: Log, known: Known) -> None:
        self._log, self._known = log, known

    async def throw(self, live: Live, table: Table, count: int) -> Faces:
        """The next throw at a table as it is now or about to be, fixed since the last seat was taken."""
        secret = await self.secret(live)
        if live.salt is None or table.turn == 0:
            given = proof(table, clockwise(table))
            live.known = await self._known(given.table) if table.series else None
            live.salt = dice.salt(*(live.known or (given.table, given.entropy))[:2])
        number = table.next_number if live.known is None else live.known.number(table.next_number)
        return dice.throw(secret, live.salt, number, count)

    async def secret(self, live: Live) -> bytes:
        if live.secret is None:
            secret = await self._log.secret(live.table.id)
            if dice.commitment(secret) != live.table.commitment:
                reason = f"the dice of table {live.table.id} are not those it began with"
                raise Unavailable("damaged", reason=reason)
            live.secret = secret
        return live.secret
