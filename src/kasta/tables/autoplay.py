"""What the service does at a table by itself: bots, throws, clocks, the end, and what leaves no choice."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from kasta import metrics
from kasta.bots.base import look
from kasta.core import Over, Pick, Seat, Throw
from kasta.errors import Conflict, Illegal, KastaError
from kasta.jobs.bots import BotProcesses
from kasta.tables.cluster_state import BEAT_SECONDS
from kasta.tables.commands import Close, Command, Play, Roll
from kasta.tables.live import Live, LiveTables
from kasta.tables.node import Presence
from kasta.tables.rights import SERVICE, Refusal, check, goes_on, host, take_back, throws_itself
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

logger = logging.getLogger(__name__)

CLOCK_SECONDS = 0.5  # how often a table's clock is looked at
REFUSALS = 20  # in a row, until a table is left alone
PATIENCE = 2  # how often a node where nobody follows a table waits for another to act there
MOST_SKIPPED = 500  # steps of bots at once

# Seconds at pace 1. Dice fly for nearly one of them, so each throw lies for at least 0.6 s before the next one.
TAKE_BACK = 3.0  # before a bot throws on what a person has just done, and may still take back
BEGIN = 0.9  # before a bot throws otherwise
LOOK = 1.1  # at a throw, before some of its dice are kept
KEPT = 0.6  # between what is kept and the throw of the other dice
FILL = 1.35  # at a throw, before a box is filled
WHOLE_TURN = 2.3  # the same at the first throw: no turn is shorter

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


def is_bots_turn(table: Table) -> bool:
    """Whether all wait for a bot to throw, or to choose where players take turns. No crowd does."""
    if len(table.places) > MOST_LISTED:
        return False
    move, expected = own_move(table), table.next()
    if isinstance(move, Roll) and isinstance(expected, Throw):  # automatic throws have a clock of their own
        return expected.roller in table.bots and (goes_on(table) or table.settings.thrower != "auto")
    return isinstance(move, list) and not table.game.hides_picks


def seconds_before(table: Table, command: Command) -> float:
    """How long a bot's step waits after what happened before it, at pace 1."""
    if not is_bots_turn(table):
        return 0.0
    match command:
        case Roll() if goes_on(table):
            return KEPT
        case Roll():
            return TAKE_BACK if any(_may_take_back(table, seat) for seat in table.places) else BEGIN
        case Play(do=do) if table.game.traits.spot(table.game.solo.read_action(do)).dice is not None:
            return LOOK
        case Play():
            is_first = table.game.solo.rests(table.game.sheet(table.before, table.roller))
            return WHOLE_TURN if is_first else FILL
    return 0.0


def _skip(table: Table, by: str) -> Refusal:
    """Whoever plays here, or hosts, need not watch the bots."""
    return None if table.is_seated(by) else host(table, by)


def _may_take_back(table: Table, seat: Seat) -> bool:
    place = table.places[seat]
    return place.bot is None and take_back(table, place.device, seat) is None


async def _due(live: Live) -> Command | list[Seat] | None:
    """The same, once those who are about to act here have: whoever keeps some dice throws on."""
    async with live.joining:
        return own_move(live.table)


def _is_at_once(table: Table, move: Command | list[Seat]) -> bool:
    """Whether it costs nothing to try: the log takes it once, whichever node is quickest."""
    return isinstance(move, Close) or (isinstance(move, Roll) and goes_on(table) and not is_bots_turn(table))


class Autoplay:
    """Does `own_move` at tables, whenever they have changed, and watches their clocks: one node for each table.

    Where somebody watches, bots take `bot_pace` times as long as `seconds_before` says.
    """

    def __init__(
        self, do: Do, tables: LiveTables, presence: Presence, auto_seconds: float, bot_pace: float
    ) -> None:
        self._do, self._tables, self._presence, self._node = do, tables, presence, presence.node
        self._auto_seconds, self._bot_pace = auto_seconds, bot_pace
        self.bots = BotProcesses()
        self._asked = 0
        metrics.BOTS_WAITING.ask = lambda: self._asked

    def nudge(self, live: Live) -> None:
        """A table has changed: let bots play, throw, watch the clock, and close what is over."""
        live.nudged.set()
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

    async def _act(self, live: Live, move: Command | list[Seat], *, is_skipped: bool = False) -> None:
        commands = [move] if isinstance(move, Command) else await self._choices(live.table, move)
        if is_skipped or await self._is_time(live, commands[0]):
            for command in commands:
                await self._do(live.table.id, command)

    async def _is_time(self, live: Live, command: Command) -> bool:
        """Wait until it is time for a step. Whether nothing else has been played meanwhile."""
        seen = live.table.play
        while (left := live.played + self._seconds(live.table, command) - time.monotonic()) > 0:
            live.nudged.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await live.nudged.wait()
            if live.table.play is not seen:
                return False
        return True

    def _seconds(self, table: Table, command: Command) -> float:
        """How long a step waits after what was played before it."""
        if isinstance(command, Roll) and table.settings.thrower == "auto" and not goes_on(table):
            return self._auto_seconds
        return self._bot_pace * seconds_before(table, command) if self._is_watched(table) else 0.0

    def _is_watched(self, table: Table) -> bool:
        """Whether somebody sees what bots do, so that they take their time."""
        return self._bot_pace > 0 and self._presence.is_watched(table.id)

    def idle_seconds(self, table: str) -> float:
        """How long nothing was thrown, done or taken back, as far as this process has seen."""
        live = self._tables.find(table)
        return 0.0 if live is None else time.monotonic() - live.played

    def waits(self, live: Live) -> float | None:
        """How many seconds a table waits before it acts by itself, as its settings say."""
        if live.table.is_closed:
            return None
        is_auto = live.table.settings.thrower == "auto" and throws_itself(live.table)
        return self._auto_seconds if is_auto else live.seconds_left

    def goes_on_at_once(self, table: Table) -> bool:
        """Whether a turn goes on, and nobody is to see first what a bot has kept."""
        return goes_on(table) and not (is_bots_turn(table) and self._is_watched(table))

    def may_skip(self, table: Table, by: str) -> bool:
        """Whether a device may let bots do at once what they take their time for."""
        return self._bot_pace > 0 and is_bots_turn(table) and _skip(table, by) is None

    async def skip(self, table: str, by: str) -> Table:
        """Do what bots have to do before somebody else's turn comes: at once, whichever node acts at the table."""
        live = await self._tables.fresh(table)
        check(_skip(live.table, by))
        for _ in range(MOST_SKIPPED):
            if not is_bots_turn(live.table) or (move := await _due(live)) is None:
                break
            with suppress(Conflict, Illegal):  # it was time for that step just now
                await self._act(live, move, is_skipped=True)
        return live.table

    async def _watch_clock(self, live: Live) -> None:
        """Where there is a limit, a bot stands in for those who are late. After a restart the time begins anew."""
        while live.table.settings.pace and self._tables.find(live.table.id) is live:
            left = live.seconds_left
            if left is not None and left < 0:
                await self._late(live)
            if live.table.is_closed:
                return
            await asyncio.sleep(CLOCK_SECONDS)

    async def _late(self, live: Live) -> None:
        """Somebody may have been given more time at another node, of which this one has not heard."""
        with suppress(KastaError):
            await self._tables.catch_up(live)
            left = live.seconds_left
            if left is not None and left < 0:
                await self._hurry(live, live.table.turn)

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
