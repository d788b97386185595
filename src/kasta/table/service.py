"""The one impure path: load a table, decide, throw the dice, append to the log, and only then say so."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from string import ascii_letters

from msgspec.structs import replace

from kasta import dice
from kasta.bots.base import find_bot
from kasta.core import Faces, Over, Pick, Seat, Throw
from kasta.errors import Conflict, Illegal, KastaError, Unavailable, Unreadable
from kasta.games import find_game
from kasta.record import Header, Step
from kasta.table import events as e
from kasta.table.bot_process import BotProcess
from kasta.table.commands import SERVICE, Close, Command, Host, Leave, Play, Rematch, Replace, Roll, Sit, decide
from kasta.table.export import clockwise, proof, record
from kasta.table.log import Log, Seq, change
from kasta.table.presence import Presence
from kasta.table.state import Table, evolve, replay
from kasta.table.view import TableView, notice, view

logger = logging.getLogger(__name__)

MOST_LIVE = 2_000  # tables in memory; others come back from the log when they are asked for
CLOCK_SECONDS = 0.5  # how often a table's clock is looked at
TRIES = 20  # how often a command is decided anew because something else came first
AWAY_SECONDS = 20.0
HOST_AWAY_SECONDS = 60.0
RECENT_SECONDS = 120.0
STAND_IN = "greedy"
FORGOTTEN_AFTER = 90 * 86_400.0
ABANDONED_AFTER = 30 * 86_400.0
UNPLAYED_AFTER = 86_400.0


@dataclass(slots=True, eq=False)
class _Live:
    """A table in memory, as far as this process has seen its log."""

    table: Table
    seq: Seq
    since: float = field(default_factory=time.monotonic)
    secret: bytes | None = None
    salt: bytes | None = None
    joining: asyncio.Lock = field(default_factory=asyncio.Lock)
    robot: asyncio.Task[None] | None = None
    clock: asyncio.Task[None] | None = None


def _new_id() -> str:
    """For a table: nobody guesses it, and it begins with a letter, because commands take a dash for an option."""
    return secrets.choice(ascii_letters) + secrets.token_urlsafe(16)[1:]


class Service:
    """Serves the tables of a log. Several processes may serve the same ones."""

    def __init__(self, log: Log, *, most_live: int = MOST_LIVE, auto_seconds: float = 3.0) -> None:
        self._log = log
        self._live: OrderedDict[str, _Live] = OrderedDict()
        self._most_live = most_live
        self._auto_seconds = auto_seconds
        self._bots = BotProcess()
        self.presence = Presence()

    async def open(
        self,
        by: str,
        game: str,
        rules: str = "sheet",
        settings: e.Settings | None = None,
        previous: str | None = None,
    ) -> Table:
        """A new table. The secret of its dice is made now, and kept apart from the log."""
        find_game(game, rules)
        if settings and settings.pace is not None and settings.pace < 1:
            raise Unreadable("pace_too_short")
        secret = dice.new_secret()
        opened = e.Opened(
            table=_new_id(),
            game=game,
            rules=rules,
            settings=settings or e.Settings(),
            host=by,
            commitment=dice.commitment(secret),
            previous=previous,
        )
        await self._log.create(opened, secret)
        return evolve(None, opened)

    async def do(self, table: str, command: Command) -> Table:
        """Carry out what a device wishes, and give the table as it is then. What it returns is durable."""
        if command.by == SERVICE:
            raise Illegal("not_seated")
        return await self._do(table, command)

    async def table(self, table: str) -> Table:
        return (await self.state(table))[0]

    async def state(self, table: str) -> tuple[Table, Seq]:
        """The table as its log has it now, and how far that is."""
        live = await self._get(table)
        await self._catch_up(live)
        return live.table, live.seq

    async def view(self, table: str, device: str) -> TableView:
        return view(await self.table(table), device)

    async def follow(
        self, table: str, device: str, after: Seq = Seq(0)
    ) -> AsyncGenerator[tuple[Seq, e.AnyEvent], None]:
        """What happens at a table, as the device may hear of it. While it listens, it is not away."""
        with self.presence.of(table, device):
            async for stored in self._log.follow(table, after):
                live = await self._get(table)
                if live.seq < stored.seq:
                    await self._catch_up(live)
                yield stored.seq, notice(live.table, stored.event, device)

    async def arrivals(self, table: str, after: Seq) -> AsyncGenerator[Seq, None]:
        """Where the log has come to, again and again; what came at the same time is told once."""
        async for seq in self._log.heads(table, after):
            yield seq

    def counters(self) -> dict[str, int]:
        """For whoever watches the server."""
        return {"tables": len(self._live), "streams": len(self.presence)}

    async def stand_in(self, table: str, by: str, seat: Seat) -> Table:
        """Let a bot act on this throw for somebody who is away, as the host wishes."""
        now = await self.table(table)
        if by != now.host:
            raise Illegal("host_only")
        if seat not in now.places:
            raise Illegal("no_such_seat", seat=seat, last=now.seats - 1)
        if not self.is_away(table, now.places[seat].device):
            raise Illegal("not_away", seat=seat)
        while isinstance(expected := now.next(), Pick) and expected.is_due(seat):
            now = await self._do(table, await self._choice(now, seat, stand_in=True))
        return now

    async def remove_recent(self, table: str, by: str) -> Table:
        """Empty the seats of all who came a moment ago, as the host wishes.

        The host's own stay, and those of devices that a rematch has brought along.
        """
        now, since = await self.table(table), time.time() - RECENT_SECONDS
        if by != now.host:
            raise Illegal("host_only")
        stay = {by, *await self._brought_along(now)}
        came = [stored.event for stored in await self._log.read(table) if stored.at > since]
        for seat in sorted({event.seat for event in came if isinstance(event, e.Seated)}):
            if seat in now.places and now.places[seat].device not in stay:
                with suppress(Illegal):  # they have just left by themselves
                    await self._do(table, Leave(by, seat))
                now = await self.table(table)
        return now

    async def _brought_along(self, table: Table) -> set[str]:
        """The devices that a rematch has brought along, if this is one and the game before is still known."""
        with suppress(Illegal):
            return (
                {seated.device for seated in _again(await self.table(table.previous))} if table.previous else set()
            )
        return set()

    async def rematch(self, table: str, by: str) -> Table:
        """The next game with the same people; the tally of the evening goes on."""
        old = await self.table(table)
        if old.next_table is not None:
            return await self.table(old.next_table)
        decide(old, Rematch(by, ""))
        new = await self.open(old.host, old.game.name, old.game.rules, replace(old.settings, first=None), old.id)
        for seated in _again(old):
            await self._append(new.id, seated)
        try:
            await self._do(table, Rematch(by, new.id))
        except Conflict as error:
            await self._log.delete(new.id)
            return await self.table(str(error.params["table"]))
        return await self.table(new.id)

    async def record(self, table: str) -> tuple[Header, list[Step]]:
        """The game so far as a record, as everybody may see it."""
        return record((stored.event for stored in await self._log.read(table)), open_picks=False)

    async def tidy(self, now: float | None = None) -> int:
        """Delete what nobody has touched for long, sooner if it was never played, and close what was abandoned.

        How many tables were deleted.
        """
        now = time.time() if now is None else now
        old = set(await self._log.tables(now - FORGOTTEN_AFTER))
        abandoned = set(await self._log.tables(now - ABANDONED_AFTER))
        for name in await self._log.tables(now - UNPLAYED_AFTER):
            try:
                table = replay(stored.event for stored in await self._log.read(name))
                if table.turn == 0:
                    old.add(name)
                elif name in abandoned - old and not table.is_closed:
                    await self._do(name, Close(SERVICE))
            except KastaError as error:
                logger.warning("a table could not be tidied: %s", error.code)
        for name in old:
            await self._log.delete(name)
            self._live.pop(name, None)
        return len(old)

    def is_away(self, table: str, device: str, seconds: float = AWAY_SECONDS) -> bool:
        """Whether a device has had no stream for a while, or none since this process knows the table."""
        live = self._live.get(table)
        return live is not None and self.presence.silence(table, device, live.since) > seconds

    async def close(self) -> None:
        tasks = [task for live in self._live.values() for task in (live.robot, live.clock) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._bots.close()
        self._live.clear()

    # -- one command -------------------------------------------------------------------------------------------

    async def _do(self, table: str, command: Command) -> Table:
        live = await self._get(table)
        if isinstance(command, Play):
            return await self._carry_out(live, command)
        async with live.joining:  # all but picks conflict with each other: here they queue instead
            return await self._carry_out(live, command)

    async def _carry_out(self, live: _Live, command: Command) -> Table:
        """Decide on the table as it was seen last. If that fails, see whether there is news, and try again."""
        for _ in range(TRIES):
            informed = await self._informed(live, command)
            seen = live.seq
            try:
                event = decide(live.table, informed)
                seq = await self._log.append(change(live.table, event))
            except (Conflict, Illegal) as error:
                await self._catch_up(live)
                if live.seq == seen and error.code != "moved_on":
                    raise
                continue
            await self._advance(live, seq, event)
            return live.table
        raise Conflict("moved_on")

    async def _informed(self, live: _Live, command: Command) -> Command:
        """The command with what only the service knows: the dice, who is away, the secret at the end."""
        table = live.table
        match command:
            case Roll(faces=faces):
                expected = table.next()
                if not isinstance(expected, Throw):
                    return command
                away = self.is_away(table.id, table.places[expected.roller].device)
                own = table.settings.dice == "own"
                return replace(
                    command,
                    faces=faces if own else await self._throw(live, expected.dice),
                    roller_away=away,
                )
            case Sit(bot=str(bot)) | Replace(bot=str(bot)):
                find_bot(bot, table.game)
                self._bots.warm(bot, table.game)
            case Host():
                return replace(command, host_away=self.is_away(table.id, table.host, HOST_AWAY_SECONDS))
            case Close():
                return replace(command, secret=(await self._secret(live)).hex())
        return command

    async def _throw(self, live: _Live, count: int) -> Faces:
        """The table's next throw, fixed since it was opened and since the last seat was taken."""
        secret = await self._secret(live)
        if live.salt is None or live.table.turn == 0:
            given = proof(live.table, clockwise(live.table)).entropy
            live.salt = dice.salt(live.table.id, given)
        return dice.throw(secret, live.salt, live.table.turn, count)

    async def _secret(self, live: _Live) -> bytes:
        if live.secret is None:
            secret = await self._log.secret(live.table.id)
            if dice.commitment(secret) != live.table.commitment:
                raise Unavailable(
                    "damaged", reason=f"the dice of table {live.table.id} are not those it began with"
                )
            live.secret = secret
        return live.secret

    async def _append(self, table: str, event: e.AnyEvent) -> None:
        """Write what needs no decision."""
        live = await self._get(table)
        await self._advance(live, await self._log.append(change(live.table, event)), event)

    # -- tables in memory --------------------------------------------------------------------------------------

    async def _get(self, table: str) -> _Live:
        live = self._live.get(table)
        if live is None:
            seen: Table | None = None
            stored = await self._log.read(table)
            for each in stored:
                seen = evolve(seen, each.event)
            if seen is None:
                raise Illegal("no_such_table")
            live = self._live.setdefault(table, _Live(seen, stored[-1].seq))
            self._nudge(live)
        self._live.move_to_end(table)
        while len(self._live) > self._most_live:
            self._live.popitem(last=False)
        return live

    async def _catch_up(self, live: _Live) -> None:
        for stored in await self._log.read(live.table.id, live.seq):
            if stored.seq == live.seq + 1:
                live.table, live.seq = evolve(live.table, stored.event), stored.seq
        self._nudge(live)

    async def _advance(self, live: _Live, seq: Seq, event: e.AnyEvent) -> None:
        if seq == live.seq + 1:
            live.table, live.seq = evolve(live.table, event), seq
            self._nudge(live)
        elif seq > live.seq:
            await self._catch_up(live)

    # -- what the service does by itself -----------------------------------------------------------------------

    def _nudge(self, live: _Live) -> None:
        """Let bots play, throw by itself where that is set, watch the clock, and close what is over."""
        if (live.robot is None or live.robot.done()) and self._own_move(live.table) is not None:
            live.robot = asyncio.create_task(self._play_on(live))
        if live.table.settings.pace and not live.table.is_closed and (live.clock is None or live.clock.done()):
            live.clock = asyncio.create_task(self._watch_clock(live))

    async def _play_on(self, live: _Live) -> None:
        refused = 0
        while refused < TRIES and (command := self._own_move(live.table)) is not None:
            if isinstance(command, Roll) and live.table.settings.thrower == "auto":
                await asyncio.sleep(self._auto_seconds)
            try:
                if not isinstance(command, Command):
                    command = await self._choice(live.table, command)
                await self._do(live.table.id, command)
            except (Conflict, Illegal):
                refused += 1  # somebody else was quicker: look again
                await asyncio.sleep(0)
            except KastaError as error:
                logger.warning("a table waits until somebody looks at it again: %s", error.code)
                return

    async def _watch_clock(self, live: _Live) -> None:
        """Where there is a limit, a bot stands in for those who are late. After a restart the time begins anew."""
        turn, since = -1, 0.0
        while (pace := live.table.settings.pace) and self._live.get(live.table.id) is live:
            if turn != live.table.turn or not live.table.owing:
                turn, since = live.table.turn, time.monotonic()
            if time.monotonic() - since > pace * (1 + live.table.more_time):
                await self._hurry(live, turn)
            if live.table.is_closed:
                return
            await asyncio.sleep(CLOCK_SECONDS)

    async def _hurry(self, live: _Live, turn: int) -> None:
        for seat in list(live.table.places):
            try:
                while live.table.turn == turn and isinstance(due := live.table.next(), Pick) and due.is_due(seat):
                    stand_in = seat not in live.table.bots
                    await self._do(live.table.id, await self._choice(live.table, seat, stand_in=stand_in))
            except (Conflict, Illegal):
                continue  # they were just in time
            except KastaError as error:
                logger.warning("nobody could stand in: %s", error.code)
                return

    def _own_move(self, table: Table) -> Command | Seat | None:
        """What the service has to do at a table now, or for which bot, if anything."""
        if table.is_closed or table.turn == 0:
            return None
        match table.next():
            case Over():
                return Close(SERVICE)
            case Throw(_, roller):
                thrower, dice_of = table.settings.thrower, table.settings.dice
                by_itself = thrower == "auto" or (thrower == "turn" and roller in table.bots)
                return Roll(SERVICE, table.turn) if by_itself and dice_of == "app" else None
            case Pick(_, is_due):
                return next((seat for seat in table.bots if is_due(seat)), None)

    async def _choice(self, table: Table, seat: Seat, *, stand_in: bool = False) -> Play:
        do = await self._bots.choose(table.places[seat].bot or STAND_IN, table, seat)
        return Play(SERVICE, table.turn, seat, table.step(seat), do, stand_in)


def _again(old: Table) -> Iterator[e.Seated]:
    """Everybody who played, in their old order, one more win for the best."""
    stayed = [seat for seat in sorted(old.places) if not old.game.has_left(old.play, seat)]
    totals = {seat: old.game.total(old.play, seat) for seat in stayed}
    for number, seat in enumerate(stayed):
        place = old.places[seat]
        won = totals[seat] == max(totals.values())
        yield e.Seated(
            number,
            place.name,
            place.device,
            place.bot,
            secrets.token_hex(8),
            wins=place.wins + won,
            points=place.points + totals[seat],
        )
