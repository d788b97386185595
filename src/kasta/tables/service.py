"""The one impure path: load a table, decide, throw the dice, append to the log, and only then say so."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import cast

from kasta import metrics
from kasta.bots.base import find_bot
from kasta.core import Seat, Throw
from kasta.errors import Conflict, Illegal, KastaError
from kasta.structs import replace
from kasta.tables import events as e, rights
from kasta.tables.autoplay import Autoplay, follow_up
from kasta.tables.cluster_state import BEAT_SECONDS
from kasta.tables.commands import (
    Close,
    Command,
    Leave,
    Play,
    Rematch,
    Replace,
    Roll,
    Sit,
    asks_who_is_away,
    decide,
    expand,
)
from kasta.tables.dice_box import DiceBox
from kasta.tables.evening import again
from kasta.tables.live import Live, LiveTables
from kasta.tables.log import PIECE, Change, Log, Seq, change
from kasta.tables.node import Node, Presence
from kasta.tables.opening import GivenDice, opening
from kasta.tables.records import Known, Published, Records, TableRecord, nobody
from kasta.tables.rights import SERVICE, Silence, check
from kasta.tables.seating import Seating
from kasta.tables.state import Table, evolve
from kasta.tables.view import notice

logger = logging.getLogger(__name__)

MOST_LIVE = 2_000  # tables in memory that nobody follows
TRIES = 20  # how often a command is decided anew because something else came first
RECENT_SECONDS = 120.0

Hear = Callable[[Table], Awaitable[None]]
"""Hears of a table at which something has just become durable."""


class Service:
    """Serves the tables of a log. Several processes may serve the same ones."""

    def __init__(
        self,
        log: Log,
        *,
        most_live: int = MOST_LIVE,
        auto_seconds: float = 3.0,
        bot_pace: float = 0.0,
        published: Published = nobody,
        known: Known = nobody,
    ) -> None:
        self._hearing: defaultdict[type[e.Event], list[Hear]] = defaultdict(list)
        self._log, self._dice = log, DiceBox(log, known)
        self._tables = LiveTables(log, most_live, lambda live: self.autoplay.nudge(live))  # noqa: PLW0108 - made below
        self.node = Node(log.cluster, self._tables, self.refresh)
        self._seating = Seating(log, self._tables)
        self.presence = Presence(self.node, self.refresh)
        self.autoplay = Autoplay(self._do, self._tables, self.presence, auto_seconds, bot_pace)
        self._records = Records(log, published, known)

    def on(self, kind: type[e.Event], hear: Hear) -> None:
        """Tell somebody of each event of a kind that this service writes. Whoever asked for it waits meanwhile."""
        self._hearing[kind].append(hear)

    async def _tell(self, kind: type[e.Event], table: Table) -> None:
        for hear in self._hearing.get(kind, ()):
            await hear(table)

    async def open(
        self,
        by: str,
        game: str,
        rules: str | None = None,
        settings: e.Settings | None = None,
        previous: str | None = None,
        given: GivenDice | None = None,
    ) -> Table:
        """A new table. The secret of its dice is that of a series, or made now, and kept apart from the log."""
        self._log.check_room()
        opened, secret = opening(by, game, rules, settings, previous, given)
        await self._log.create(opened, secret)
        return await self._add(evolve(None, opened))

    async def _add(self, table: Table) -> Table:
        """A table that has just been written."""
        metrics.TABLES_OPENED.add(table.game.name)
        self._tables.add(table)
        await self._tell(e.OpenedEvent, table)
        return table

    async def do(self, table: str, command: Command) -> Table:
        """Carry out a device's command, and give the table as it is then. What it returns is durable.

        Acting again on a throw takes back first what was done on it. What follows without a choice is done, too.
        """
        if command.by == SERVICE:
            raise Illegal("not_seated")
        live = await self._tables.get(table)
        after = live.table
        try:
            for step in await self._steps(live, command):
                after = await self._step(live, step)
        except KastaError as error:
            if isinstance(seat := error.params.get("seat"), int) and seat in live.table.places:
                error.of(live.table.places[seat].name)
            raise
        if isinstance(command, Play):
            try:
                while (more := follow_up(after, command)) is not None:
                    after = await self._step(live, more)
            except (Conflict, Illegal):  # somebody else was quicker
                after = live.table
        return after

    async def sit(self, table: str, command: Sit) -> tuple[Seat, Table]:
        """Seat somebody: in which seat, and the table as it is then. They may have left it again."""
        return await self._sit(await self._tables.get(table), command)

    async def _sit(self, live: Live, command: Sit) -> tuple[Seat, Table]:
        self._log.check_room()
        if command.bot is None and (seat := await self._seating.sit(live, command)) is not None:
            await self._tell(e.SeatedEvent, live.table)
            return seat, live.table
        async with live.joining:
            return cast("e.SeatedEvent", await self._carry_out(live, command)).seat, live.table

    async def table(self, table: str) -> Table:
        """The table as its log has it now."""
        if table not in self._tables.followed:  # else who is present elsewhere is seen by and by
            await self.node.refresh(table, BEAT_SECONDS)
        return (await self._tables.fresh(table)).table

    def seen(self, table: str) -> Table | None:
        """The table as this process has last seen it, if it has."""
        return None if (live := self._tables.find(table)) is None else live.table

    async def now(self) -> float:
        """Seconds since 1970, by the clock that all nodes share."""
        return await self._log.now()

    async def tables_of(self, device: str, most: int) -> list[Table]:
        """The tables at which a device plays, waits or hosts; what was played last comes first."""
        found: list[Table] = []
        for name in await self._log.tables_of(device, most):
            try:
                table = await self.table(name)
            except KastaError as error:  # one that cannot be played on hides no other
                logger.warning("a table could not be listed: %s", error.code)
                continue
            if device == table.host or table.is_seated(device) or device in dict(table.waiting):
                found.append(table)
        return found

    async def follow(
        self, table: str, device: str, after: Seq = Seq(0)
    ) -> AsyncGenerator[tuple[Seq, e.AnyEvent], None]:
        """What happens at a table, as the device may hear of it. While it listens, it is not away."""
        with self.presence.of(table, device):
            async with aclosing(self._tables.follow(table)) as changes:
                async for live in changes:
                    while news := await self._tables.since(live, after):
                        for seq, event in news:
                            after = seq
                            yield seq, notice(live.table, event, device)

    async def changes(self, table: str) -> AsyncGenerator[Table, None]:
        """The table now, and whenever a page has something new to show; all that came together counts once."""
        async with aclosing(self._tables.follow(table)) as changes:
            async for live in changes:
                yield live.table

    def is_seated(self, table: str, device: str) -> bool:
        """Whether a device plays or hosts at a table, as far as this process knows it."""
        live = self._tables.find(table)
        return live is not None and (device == live.table.host or live.table.is_seated(device))

    def refresh(self, table: str) -> None:
        """Something beside the log has changed that pages show."""
        if (live := self._tables.find(table)) is not None:
            live.tell()

    def told(self, table: str) -> int:
        """How often a table's followers were told to look: as long as that stays the same, they saw it all."""
        return -1 if (live := self._tables.find(table)) is None else live.told

    def silence(self, table: str) -> Silence:
        """How long each device has had no stream at a table, at most since a node knows it."""
        live = self._tables.find(table)
        return rights.all_present if live is None else self.presence.silence(table, live.since)

    def waits(self, table: str) -> float | None:
        """How many seconds the table waits before it acts: until a bot stands in, or until it throws itself."""
        return None if (live := self._tables.find(table)) is None else self.autoplay.waits(live)

    def counters(self) -> dict[str, int]:
        """For whoever watches the server."""
        return {"tables": len(self._tables), "streams": len(self.presence)}

    async def stand_in(self, table: str, by: str, seat: Seat) -> Table:
        """Let a bot act on this throw for somebody who is away, as the host says."""
        now = await self.table(table)
        await self.node.refresh(table)
        check(rights.still_open(now) or rights.stand_in(now, by, seat, self.silence(table)))
        while now.is_due(seat):
            now = await self._do(table, await self.autoplay.choice(now, seat, stand_in=True))
        return now

    async def remove_recent(self, table: str, by: str) -> Table:
        """Empty the seats of all who came a moment ago, as the host says.

        The host's own stay, and those of devices that a rematch has brought along.
        """
        now, time = await self.table(table), await self._log.now()
        check(rights.still_open(now) or rights.host(now, by))
        stay = {by, *await self._brought_along(now)}
        came = [
            stored.event async for stored in self._log.events(table) if time - RECENT_SECONDS < stored.at <= time
        ]
        for seat in sorted({event.seat for event in came if isinstance(event, e.SeatedEvent)}):
            if seat in now.places and now.places[seat].device not in stay:
                with suppress(Illegal):  # they have just left by themselves
                    now = await self._do(table, Leave(by, seat))
        return now

    async def _brought_along(self, table: Table) -> set[str]:
        """The devices that a rematch has brought along, if this is one and the game before is still known."""
        with suppress(Illegal):
            came = again(await self.table(table.previous)) if table.previous else ()
            return {event.device for event in came if isinstance(event, e.SeatedEvent)}
        return set()

    async def evening(self, table: str, most: int) -> list[Table]:
        """The games that follow on each other, this one among them, the last so many at most; oldest first."""
        games = [await self.table(table)]
        while (following := games[-1].next_table) is not None and len(games) < most:
            games.append(await self.table(following))
        with suppress(Illegal):  # the oldest may be forgotten by now
            while (before := games[0].previous) is not None and len(games) < most:
                games.insert(0, await self.table(before))
        return games

    async def rematch(self, table: str, by: str, game: str | None = None, rules: str | None = None) -> Table:
        """The next game with the same people, the same one or another; the tally of the evening goes on."""
        for _ in range(TRIES):
            old = await self.table(table)
            if old.next_table is not None:
                return await self.table(old.next_table)
            with suppress(Conflict):  # somebody else was quicker
                return await self._rematch(old, by, game or old.game.name, rules if game else old.game.rules)
        raise Conflict("moved_on")

    async def _rematch(self, old: Table, by: str, game: str, rules: str | None) -> Table:
        """Write the next table, everybody's seat and where the old one goes on in one commit."""
        self._log.check_room()
        decide(old, Rematch(by, ""))
        opened, secret = opening(old.host, game, rules, replace(old.settings, first=None), old.id)
        changes = [change(old, decide(old, Rematch(by, opened.table)))]
        new = evolve(None, opened)
        for number, event in enumerate(again(old), 1):
            changes.append(change(new, event))
            new = changes[-1].after
            if not number % PIECE:
                await asyncio.sleep(0)  # others are served in between, however many play
        await self._log.create(opened, secret, then=changes)
        await self._tell(e.Rematched, (await self._tables.fresh(old.id)).table)
        return await self._add(new)

    async def record(self, table: str) -> TableRecord:
        """The game so far as a record, as everybody may see it."""
        return await self._records.get(table, Seq((await self.table(table)).seq))

    async def give_up(self, table: str) -> Table:
        """Close a table that nobody has touched for long."""
        return await self._do(table, Close(SERVICE))

    def drop(self, table: str) -> None:
        """A table is no longer there."""
        self._tables.drop(table)

    async def close(self) -> None:
        await asyncio.gather(*self._tables.stop(), return_exceptions=True)
        self.autoplay.bots.close()
        await self.node.close()

    async def _steps(self, live: Live, command: Command) -> list[Command]:
        """A command as single steps. Where it does not fit, the table may have gone on elsewhere: look again."""
        if not isinstance(command, Play):
            return [command]
        if (command.turn, command.step) != (live.table.turn, live.table.step(command.seat)):
            await self._tables.catch_up(live)
        try:
            return expand(live.table, command)
        except KastaError:
            await self._tables.catch_up(live)
            return expand(live.table, command)

    async def _do(self, table: str, command: Command) -> Table:
        return await self._step(await self._tables.get(table), command)

    async def _step(self, live: Live, command: Command) -> Table:
        if isinstance(command, Sit):
            return (await self._sit(live, command))[1]
        if isinstance(command, Play):
            await self._carry_out(live, command)
        else:
            async with live.joining:  # all but picks conflict with each other: here they queue instead
                await self._carry_out(live, command)
        return live.table

    async def _carry_out(self, live: Live, command: Command) -> e.AnyEvent:
        """Decide on the table as it was seen last. If that fails, see whether there is news, and try again."""
        for _ in range(TRIES):
            seen = live.table
            try:
                made = [await self._change(live, seen, command)]
                if isinstance(command, Play) and self.autoplay.goes_on_at_once(made[0].after):
                    # the other dice fall with it
                    made.append(await self._change(live, made[0].after, Roll(SERVICE, seen.turn)))
                written = await self._write(live, made, command.by)
            except (Conflict, Illegal) as error:
                await self._tables.catch_up(live)
                if live.table is seen and error.code != "moved_on":
                    raise
                continue
            for each in written:
                await self._tell(type(each.event), live.table)
            return made[0].event
        raise Conflict("moved_on")

    async def _change(self, live: Live, table: Table, command: Command) -> Change:
        return change(table, await self._decide(table, await self._informed(live, table, command)))

    async def _decide(self, table: Table, command: Command) -> e.AnyEvent:
        """Who is away matters to few commands. What would depose somebody is looked up."""
        try:
            return decide(table, command)
        except Illegal:
            if not asks_who_is_away(command):
                raise
            await self.node.refresh(table.id)
            return decide(table, command, self.silence(table.id))

    async def _informed(self, live: Live, table: Table, command: Command) -> Command:
        """The command with what only the service knows: the dice, and their secret at the end."""
        match command:
            case Roll():
                expected = table.next()
                if isinstance(expected, Throw) and table.settings.dice == "app":
                    return replace(command, faces=await self._dice.throw(live, table, expected.dice))
            case Sit(bot=str(bot)) | Replace(bot=str(bot)):
                find_bot(bot, table.game)
                self.autoplay.bots.warm(bot, table.game)
            case Close() if table.series is None:  # else others still play with these dice
                return replace(command, secret=(await self._dice.secret(live)).hex())
        return command

    async def _write(self, live: Live, made: list[Change], by: str) -> list[Change]:
        """Together, or only the first of them, after which the others can be decided anew: what was written."""
        began, written = time.perf_counter(), list[Seq]()
        if len(made) == 1:  # what others do is written with it
            written.append(await self._log.append(made[0]))
        else:
            try:
                async for seq in self._log.append_in_a_row(made):
                    written.append(seq)
            except Conflict:
                if not written:
                    raise
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        done = made[: len(written)]
        for each in done:
            self._count(each, by)
        await self._tables.advance(live, *zip(done, written, strict=True))
        return done

    def _count(self, made: Change, by: str) -> None:
        match made.event:
            case e.Acted():
                metrics.MOVES.add(made.after.game.name, "bot" if by == SERVICE else "person")
            case e.Rolled():
                metrics.THROWS.add(made.after.game.name)
