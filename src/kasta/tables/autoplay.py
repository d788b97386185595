"""What the service does at a table by itself: bots, throws, clocks, the end, and what leaves no choice."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from kasta import metrics
from kasta.bots.base import look
from kasta.core import Over, Pick, Seat
from kasta.errors import Conflict, Illegal, KastaError
from kasta.jobs.bots import BotProcesses
from kasta.tables.cluster_state import BEAT_SECONDS
from kasta.tables.commands import Close, Command, Play, Roll
from kasta.tables.live import Live, LiveTables
from kasta.tables.node import Node
from kasta.tables.rights import SERVICE, goes_on, throws_itself
from kasta.tables.state import Table

logger = logging.getLogger(__name__)

CLOCK_SECONDS = 0.5  # how often a table's clock is looked at
REFUSALS = 20  # in a row, until a table is left alone
PATIENCE = 2  # how often a node where nobody follows a table waits for another to act there

Do = Callable[[str, Command], Awaitable[Table]]


def own_move(table: Table) -> Command | list[Seat] | None:
    """What the service has to do at a table now, or for which bots, if anything."""
    if table.is_closed or table.turn == 0:
        return None
    match table.next():
        case Over():
            return Close(SERVICE)
        case Pick(_, is_due):
            return [seat for seat in table.bots if is_due(seat)] or None
    return Roll(SERVICE, table.turn) if throws_itself(table) else None


def follow_up(table: Table, play: Play) -> Command | None:
    """What follows on what a seat did, before it is asked again: its next throw, and what leaves it no choice."""
    if goes_on(table):
        return Roll(SERVICE, table.turn)
    if not table.is_due(play.seat):
        return None
    game = table.game
    only = game.traits.follow_up(game.solo, game.sheet(table.play, play.seat))
    return None if only is None else Play(play.by, table.turn, play.seat, table.step(play.seat), str(only))


async def _due(live: Live) -> Command | list[Seat] | None:
    """The same, once those who are about to act here have: whoever keeps some dice throws on."""
    async with live.joining:
        return own_move(live.table)


def _is_at_once(table: Table, move: Command | list[Seat]) -> bool:
    """Whether it costs nothing to try: the log takes it once, whichever node is quickest."""
    return isinstance(move, Close) or (isinstance(move, Roll) and goes_on(table))


class Autoplay:
    """Does `own_move` at tables, whenever they have changed, and watches their clocks: one node for each table."""

    def __init__(self, do: Do, tables: LiveTables, node: Node, auto_seconds: float) -> None:
        self._do, self._tables, self._node, self.auto_seconds = do, tables, node, auto_seconds
        self.bots = BotProcesses()
        self._asked = 0
        metrics.BOTS_WAITING.ask = lambda: self._asked

    def nudge(self, live: Live) -> None:
        """A table has changed: let bots play, throw, watch the clock, and close what is over."""
        if (live.bots is None or live.bots.done()) and own_move(live.table) is not None:
            live.bots = asyncio.create_task(self._play_on(live))
        if live.table.settings.pace and not live.table.is_closed and (live.clock is None or live.clock.done()):
            live.clock = asyncio.create_task(self._watch_clock(live))

    async def choice(self, table: Table, seat: Seat, *, stand_in: bool = False) -> Play:
        """What a bot does in a seat of its own, or for a person."""
        bot, began = table.places[seat].bot, time.perf_counter()
        self._asked += 1
        try:
            sight, legal = look(table.game, table.play, seat), table.game.legal(table.play, seat)
            do = await self.bots.choose(bot, sight, legal, table.host)
        finally:
            self._asked -= 1
            metrics.BOT_SECONDS.observe(time.perf_counter() - began, bot or "stand-in")
        return Play(SERVICE, table.turn, seat, table.step(seat), do, stand_in)

    async def _choices(self, table: Table, seats: list[Seat]) -> list[Play]:
        """What bots do on the same throw: as many of them as can think at once."""
        return await asyncio.gather(*(self.choice(table, seat) for seat in seats[: self.bots.most]))

    async def _play_on(self, live: Live) -> None:
        refused = waited = 0
        while refused < REFUSALS and (move := await _due(live)) is not None:
            try:
                if _is_at_once(live.table, move) or await self._node.take(live.table.id):
                    await self._act(live, move)
                    continue
                if waited == PATIENCE and not live.followers:
                    return  # who acts there sees what happens
                waited += 1
                await asyncio.sleep(BEAT_SECONDS)
                await self._tables.catch_up(live)
            except (Conflict, Illegal):
                refused += 1  # somebody else was quicker: look again
                await asyncio.sleep(0)
            except KastaError as error:
                if error.code != "store_failed" or not live.followers:
                    logger.warning("a table waits until somebody looks at it again: %s", error.code)
                    return
                await asyncio.sleep(BEAT_SECONDS)  # those who look at it already need not look again
        if not live.followers:
            with suppress(KastaError):
                await self._node.give_back(live.table.id)

    async def _act(self, live: Live, move: Command | list[Seat]) -> None:
        if isinstance(move, Roll) and live.table.settings.thrower == "auto" and not goes_on(live.table):
            await asyncio.sleep(self.auto_seconds)
        for command in [move] if isinstance(move, Command) else await self._choices(live.table, move):
            await self._do(live.table.id, command)

    async def _watch_clock(self, live: Live) -> None:
        """Where there is a limit, a bot stands in for those who are late. After a restart the time begins anew."""
        while live.table.settings.pace and self._tables.find(live.table.id) is live:
            left = live.seconds_left
            if left is not None and left < 0:
                await self._hurry(live, live.table.turn)
            if live.table.is_closed:
                return
            await asyncio.sleep(CLOCK_SECONDS)

    async def _hurry(self, live: Live, turn: int) -> None:
        for seat in list(live.table.places):
            try:
                if not await self._node.take(live.table.id):
                    return
                while live.table.turn == turn and live.table.is_due(seat):
                    stand_in = seat not in live.table.bots
                    await self._do(live.table.id, await self.choice(live.table, seat, stand_in=stand_in))
            except (Conflict, Illegal):
                continue  # they were just in time
            except KastaError as error:
                logger.warning("nobody could stand in: %s", error.code)
                return
