"""Tables in memory: each is read once for all who ask for it in this process, and for all who follow it."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from kasta.core import Seat
from kasta.dice import KnownThrows
from kasta.errors import Illegal, KastaError
from kasta.tables.commands import Sit
from kasta.tables.events import AnyEvent
from kasta.tables.log import Change, Log, Seq
from kasta.tables.state import Table, evolve

MOST_RECENT = 256  # events of a table that are kept beside it while somebody follows
MOST_SEATS = 50_000  # at all tables that nobody follows: one of thousands takes as much memory as thousands of two

Numbered = tuple[Seq, AnyEvent]


@dataclass(frozen=True, slots=True)
class PendingSit:
    """Somebody sits down, and waits to hear in which seat; None if that has to be found out alone."""

    command: Sit
    done: asyncio.Future[Seat | None]


@dataclass(slots=True, eq=False)
class Live:
    """A table as far as this process has seen its log, and what goes on at it here."""

    table: Table
    recent: deque[Numbered] = field(default_factory=lambda: deque(maxlen=MOST_RECENT))
    since: float = field(default_factory=time.monotonic)
    asked: float = field(default_factory=time.monotonic)  # when the picks that are owed now were first owed
    played: float = field(default_factory=time.monotonic)  # when something was last thrown, done or taken back
    secret: bytes | None = None
    salt: bytes | None = None
    known: KnownThrows | None = None
    joining: asyncio.Lock = field(default_factory=asyncio.Lock)
    sitting: list[PendingSit] = field(default_factory=list)
    seating: asyncio.Task[None] | None = None  # while somebody waits for a seat
    bots: asyncio.Task[None] | None = None
    nudged: asyncio.Event = field(default_factory=asyncio.Event)  # the table has changed while they waited
    clock: asyncio.Task[None] | None = None
    followers: set[asyncio.Event] = field(default_factory=set)
    told: int = 0  # how often they were told to look
    head: Seq = Seq(0)  # how far the log is said to have come
    watch: asyncio.Task[None] | None = None  # while it is read because of that
    failure: KastaError | None = None  # of the watch
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_read: asyncio.Task[None] | None = None  # of the log, which has not begun

    def become(self, table: Table, event: AnyEvent) -> None:
        if (
            table.turn != self.table.turn
            or not self.table.owing
            or table.settings.pace != self.table.settings.pace
        ):
            self.asked = time.monotonic()
        if table.play is not self.table.play:
            self.played = time.monotonic()
        self.table = table
        if self.followers:
            self.recent.append((Seq(table.seq), event))

    @property
    def seconds_left(self) -> float | None:
        """How long those who owe a pick still have; None where nothing is owed, or time is not limited."""
        pace, table = self.table.settings.pace, self.table
        if not pace or not table.owing:
            return None
        return self.asked + pace * (1 + table.more_time) - time.monotonic()

    def tell(self) -> None:
        """Let all who follow look at the table."""
        self.told += 1
        for told in self.followers:
            told.set()


class LiveTables:
    """At most so many tables that nobody follows; the others come back from the log when they are asked for."""

    def __init__(self, log: Log, most: int, changed: Callable[[Live], None]) -> None:
        self._log, self._most, self._changed = log, most, changed
        self._idle: OrderedDict[str, Live] = OrderedDict()
        self._followed: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._going_on = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._idle) + len(self._followed)

    def __iter__(self) -> Iterator[Live]:
        return chain(self._idle.values(), self._followed.values())

    @property
    def followed(self) -> Collection[str]:
        """The tables that somebody follows."""
        return self._followed.keys()

    def is_busy(self, name: str) -> bool:
        """Whether a table is still played, and followed or acted at."""
        live = self.find(name)
        at_work = live is not None and live.bots is not None and not live.bots.done()
        return live is not None and not live.table.is_closed and (name in self._followed or at_work)

    def find(self, name: str) -> Live | None:
        return self._followed.get(name) or self._idle.get(name)

    def add(self, table: Table) -> None:
        """A table that has just been opened."""
        self._keep(Live(table))

    async def get(self, name: str) -> Live:
        """A table as it was seen last."""
        live = self.find(name) or await self._load(name)
        if name in self._idle:
            self._idle.move_to_end(name)
        return live

    async def fresh(self, name: str) -> Live:
        """A table as its log has it now."""
        live = self.find(name)
        if live is None:
            return await self._load(name)
        await self.catch_up(live)
        return live

    async def catch_up(self, live: Live) -> None:
        """See what others have written. All who ask before the log is read share it, a whole hall if need be."""
        if not live.reading.locked():
            await self._read_on(live)
            return
        if live.next_read is None:
            live.next_read = asyncio.create_task(self._read_on(live))
        await asyncio.shield(live.next_read)
        async with self._going_on:  # else all of them would make their pages in one round of the event loop
            await asyncio.sleep(0)

    async def _read_on(self, live: Live) -> None:
        async with live.reading:
            live.next_read = None
            before = live.table
            for stored in await self._log.read(before.id, Seq(before.seq)):
                if stored.seq == live.table.seq + 1:
                    live.become(evolve(live.table, stored.event), stored.event)
        if live.table is not before:
            live.tell()
        self._changed(live)

    async def advance(self, live: Live, *written: tuple[Change, Seq]) -> None:
        """Take up what was written here. Other picks may have come first, of this process or another."""
        before = live.table
        for change, seq in written:
            if seq > live.table.seq + 1:
                await self.catch_up(live)
            elif seq == live.table.seq + 1:
                as_seen = live.table is change.before
                live.become(change.after if as_seen else evolve(live.table, change.event), change.event)
        if live.table is not before:
            live.tell()
            self._changed(live)

    async def follow(self, name: str) -> AsyncGenerator[Live]:
        """A table now, and whenever it may have changed; what comes at the same time counts once."""
        live, told = await self.get(name), asyncio.Event()
        live.followers.add(told)
        if name not in self._followed:
            self._idle.pop(name, None)
            self._followed[name] = live
            self._log.watch(name, self._told)
        try:
            while True:
                told.clear()
                if live.failure is not None:
                    raise live.failure
                yield live
                await told.wait()
        finally:
            live.followers.discard(told)
            if not live.followers:
                self._unfollow(live)

    async def since(self, live: Live, after: Seq) -> list[Numbered]:
        """What has happened at a table after a place in its log, or the first of it."""
        if after >= live.table.seq:
            return []
        if live.recent and live.recent[0][0] <= after + 1:
            return [(seq, event) for seq, event in live.recent if seq > after]
        stored = await self._log.read(live.table.id, after, MOST_RECENT)
        return [(each.seq, each.event) for each in stored if each.seq <= live.table.seq]

    def drop(self, name: str) -> None:
        """A table that is no longer there."""
        live = self._followed.get(name) or self._idle.pop(name, None)
        if live is not None:
            live.failure = Illegal("no_such_table")
            live.tell()

    def stop(self) -> list[asyncio.Task[Any]]:
        """Cancel all that goes on, and forget all tables."""
        tasks: list[asyncio.Task[Any]] = [
            task
            for live in self
            for task in (live.bots, live.clock, live.watch, live.seating, live.next_read)
            if task
        ]
        tasks += self._loading.values()
        for task in tasks:
            task.cancel()
        self._idle.clear()
        self._followed.clear()
        return tasks

    async def _load(self, name: str) -> Live:
        """Once, however many ask for it meanwhile."""
        if name not in self._loading:
            loading = self._loading[name] = asyncio.create_task(self._replay(name))
            loading.add_done_callback(lambda done: self._loaded(name, done))
        return await asyncio.shield(self._loading[name])

    def _loaded(self, name: str, done: asyncio.Task[Live]) -> None:
        del self._loading[name]
        if not done.cancelled():
            done.exception()  # told to those who waited, if any still does

    async def _replay(self, name: str) -> Live:
        seen: Table | None = None
        async for stored in self._log.events(name):
            seen = evolve(seen, stored.event)
        if seen is None:
            raise Illegal("no_such_table")
        if (live := self.find(name)) is None:  # nobody else was quicker
            live = Live(seen)
            self._keep(live)
            self._changed(live)
        return live

    def _keep(self, live: Live) -> None:
        self._idle[live.table.id] = live
        seats = sum(len(each.table.places) for each in self._idle.values())
        while len(self._idle) > self._most or (seats > MOST_SEATS and len(self._idle) > 1):
            _, gone = self._idle.popitem(last=False)
            seats -= len(gone.table.places)

    def _told(self, name: str, head: Seq) -> None:
        """The log of a table that is followed may hold more than this process has seen."""
        if (live := self._followed.get(name)) is not None:
            live.head = max(live.head, head)
            if live.head > live.table.seq and live.watch is None:
                live.watch = asyncio.create_task(self._watch(live))

    async def _watch(self, live: Live) -> None:
        try:
            while live.head > live.table.seq:
                live.head = Seq(0)
                await self.catch_up(live)
        except KastaError as error:
            live.failure = error
            live.tell()
        finally:
            live.watch = None

    def _unfollow(self, live: Live) -> None:
        if live.watch is not None:
            live.watch.cancel()
        live.recent.clear()
        self._log.unwatch(live.table.id, self._told)
        if self._followed.pop(live.table.id, None) is live and live.failure is None:
            self._keep(live)
