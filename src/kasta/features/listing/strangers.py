"""Play with somebody: sit down where a stranger waits, or wait for one; a bot comes instead if it is wished."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress

from kasta.bots.base import at_level
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.features.listing.service import Listing
from kasta.games import GAMES
from kasta.jobs.background import Background
from kasta.live.joining import Joining
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.names import bot_name
from kasta.tables.rights import AWAY_SECONDS, are_seats_open
from kasta.tables.service import Service
from kasta.tables.state import Table

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 30.0
MOST_STRANGERS = 4  # at a table: whoever comes then opens another one
BOT_LEVEL = "middling"


class Strangers(Background):
    """Brings people together who do not know each other, at tables that everybody finds."""

    def __init__(
        self, listing: Listing, service: Service, joining: Joining, patience: float = PATIENCE_SECONDS
    ) -> None:
        super().__init__()
        self._listing, self._service, self._joining, self._patience = listing, service, joining, patience

    async def play(self, visitor: Visitor, game: str, name: str, *, with_bot: bool) -> Table:
        """A table with somebody, or one where somebody may come. With a bot, if nobody has come after a while."""
        if game not in GAMES:
            raise Unreadable("unknown_game", text=game, known=", ".join(GAMES))
        self._joining.count_seats(visitor.address)
        device = visitor.own_device
        wanted = game, next(iter(GAMES[game].rule_sets))
        for table in reversed(await self._listing.tables()):  # whoever waits longest comes first
            if (table.game.name, table.game.rules) == wanted and self._waits(table, device):
                with suppress(Illegal):  # somebody else was quicker
                    return await self._sit(table, device, name)
        await self._joining.count_opening(visitor.address)
        table = await self._service.open(device, game, settings=Settings(listed=True))
        table = await self._sit(table, device, name)
        await self._joining.give_code(table.id)  # so its page waits for others
        if with_bot:
            self.start(self._send_bot(table.id, device))
        return table

    def _waits(self, table: Table, device: str) -> bool:
        """Whether somebody else waits there now, for whoever comes."""
        is_there = self._service.silence(table.id)(table.host) <= AWAY_SECONDS
        return is_there and not table.is_seated(device) and 0 < len(table.places) < MOST_STRANGERS

    async def _sit(self, table: Table, device: str, name: str) -> Table:
        """Sit down; where somebody has that name already, under the one that is offered."""
        try:
            return (await self._service.sit(table.id, Sit(device, name, entropy=secrets.token_hex(8))))[1]
        except Illegal as error:
            if error.code != "name_taken":
                raise
            offered = Sit(device, str(error.params["offer"]), entropy=secrets.token_hex(8))
            return (await self._service.sit(table.id, offered))[1]

    async def _send_bot(self, name: str, host: str) -> None:
        """Wait, and seat a bot if nobody has come, the game has not begun, and whoever waits is still there."""
        await asyncio.sleep(self._patience)
        try:
            table = await self._service.table(name)
            if len(table.places) == 1 and table.host == host and are_seats_open(table):
                bot = at_level(BOT_LEVEL, table.game)
                await self._service.do(name, Sit(host, bot_name(table.names), bot=bot))
        except KastaError as error:
            logger.warning("no bot could sit down with somebody who waits: %s", error.code)
