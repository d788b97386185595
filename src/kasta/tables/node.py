"""A process among all that serve one store: who is here, at another one, or was until a moment ago."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from kasta.core import Seat
from kasta.errors import Illegal, KastaError
from kasta.tables.cluster_state import (
    BEAT_SECONDS,
    DEAD_SECONDS,
    Around,
    Claim,
    ClusterState,
    Here,
    SignalExchange,
    Stay,
)
from kasta.tables.live import LiveTables
from kasta.tables.rights import AWAY_SECONDS, HOST_AWAY_SECONDS, Silence

logger = logging.getLogger(__name__)

TOGETHER_SECONDS = 0.2  # what changes meanwhile is written together
SWEEP_SECONDS = 60.0
MOST_SEEN = 100_000  # devices whose last stream is remembered
STREAMS_A_DEVICE = 16  # at one table
MOMENT = 0.2  # then it has surely been that long
PAGES = "pages"  # stands for all devices that show a table's page: no device has this name
RETRY_SECONDS = 20  # by then the server knows which streams are gone


@dataclass(frozen=True, slots=True)
class _Seen:
    around: Around
    at: float


class Node:
    """Writes who comes and goes here when it changes, and knows of a table's other nodes what they said last.

    It beats while somebody follows a table here, or while it is the one that acts at a table. `changed` hears of
    tables at which something differs elsewhere.
    """

    def __init__(self, cluster: ClusterState, tables: LiveTables, changed: Callable[[str], None]) -> None:
        self.id = secrets.token_hex(8)
        self._cluster, self._tables, self._changed = cluster, tables, changed
        self._notes: dict[Here, bool] = {}
        self._noted = asyncio.Event()
        self.signals = SignalExchange(cluster, self.id, self._begin_soon)
        self._seen: dict[str, _Seen] = {}
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._acting: set[str] = set()
        self._last_beat = self._last_refresh = -SWEEP_SECONDS
        self._last_sweep = time.monotonic()  # who has just come does not know yet whether a clock was set
        self._beating: asyncio.Task[None] | None = None
        self._closed = False

    def note(self, table: str, device: str, *, is_here: bool) -> None:
        """Somebody has come to a table here, or has gone."""
        self._notes[table, device] = is_here
        self._begin_soon()

    # -- elsewhere ---------------------------------------------------------------------------------------------

    async def refresh(self, table: str, age: float = 0.0) -> None:
        """See what has happened elsewhere; what was seen so many seconds ago is good enough."""
        seen = self._seen.get(table)
        if seen is not None and time.monotonic() - seen.at < age:
            return
        if not age:
            await self._refresh([table])
            return
        if table not in self._refreshing:  # all who come at once share one look
            looking = self._refreshing[table] = asyncio.create_task(self._refresh([table]))
            looking.add_done_callback(lambda done: self._refreshed(table, done))
        await asyncio.shield(self._refreshing[table])

    def _refreshed(self, table: str, done: asyncio.Task[None]) -> None:
        del self._refreshing[table]
        if not done.cancelled():
            done.exception()  # told to those who waited, if any still does

    def stay(self, table: str, device: str) -> Stay | None:
        """When a device was last at a table elsewhere."""
        seen = self._seen.get(table)
        return seen.around.stays.get(device) if seen else None

    def since(self, table: str) -> float:
        """Since when somebody who is at a table elsewhere has been there; now, if nobody is."""
        now, seen = time.monotonic(), self._seen.get(table)
        stays = seen.around.stays.values() if seen else ()
        return min((stay.came for stay in stays if stay.until > now - DEAD_SECONDS), default=now)

    def claims(self, table: str) -> list[Claim]:
        now, seen = time.monotonic(), self._seen.get(table)
        return [claim for claim in seen.around.claims if claim.until > now] if seen else []

    # -- acting by itself --------------------------------------------------------------------------------------

    async def take(self, table: str) -> bool:
        """Whether this node, and no other, lets bots play and clocks run at a table."""
        self._doubt()
        if table not in self._acting and await self._cluster.take(table, self.id):
            self._last_beat = time.monotonic()
            self._acting.add(table)
            self._begin()
        return table in self._acting

    async def give_back(self, *tables: str) -> None:
        """Let other nodes act at tables."""
        given = self._acting.intersection(tables)
        self._acting -= given
        if given:
            await self._cluster.give_back(given, self.id)

    # -- beating -----------------------------------------------------------------------------------------------

    def _begin_soon(self) -> None:
        self._noted.set()
        self._begin()

    def _begin(self) -> None:
        if not self._closed and (self._beating is None or self._beating.done()):
            self._beating = asyncio.create_task(self._beat_on())

    async def _beat_on(self) -> None:
        while self._notes or self.signals or self._acting or self._tables.followed:
            try:
                await self._beat()
            except KastaError as error:
                logger.warning("other nodes could not be told: %s", error.code)
            await asyncio.sleep(TOGETHER_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS - TOGETHER_SECONDS):
                    await self._noted.wait()

    async def _beat(self) -> None:
        self._doubt()
        now = time.monotonic()
        await self._tell()
        self._last_beat = now
        await self.signals.tell()
        if now - self._last_refresh >= BEAT_SECONDS:
            self._last_refresh = now
            await self.give_back(*(name for name in self._acting if not self._tables.is_busy(name)))
            await self._refresh(list(self._tables.followed))
            await self.signals.listen(list(self._tables.followed))
        if now - self._last_sweep >= SWEEP_SECONDS:
            self._last_sweep = now
            await self._cluster.sweep()

    def _doubt(self) -> None:
        """Whoever was silent for so long was taken for dead: others may act by now."""
        if time.monotonic() - self._last_beat > DEAD_SECONDS:
            self._acting.clear()

    async def _tell(self) -> None:
        notes, self._notes = self._notes, {}
        self._noted.clear()
        try:
            await self._cluster.beat(self.id, notes)
        except BaseException:
            self._notes = {**notes, **self._notes}  # what came later is the truth
            raise

    async def _refresh(self, tables: list[str]) -> None:
        now = time.monotonic()
        found = await self._cluster.around(self.id, tables)
        self._seen = {name: seen for name, seen in self._seen.items() if now - seen.at < 2 * BEAT_SECONDS}
        for name in tables:
            before = self._seen.get(name, _Seen(Around(), now))
            after = self._seen[name] = _Seen(found.get(name, Around()), now)
            if _shown(before) != _shown(after):
                self._changed(name)

    async def close(self) -> None:
        """Say goodbye, as far as that is possible: whoever was here is gone, and others may act."""
        self._closed = True
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        with suppress(KastaError):
            if self._notes:
                await self._tell()
            await self.give_back(*self._acting)


def _shown(seen: _Seen) -> tuple[Mapping[str, int], AbstractSet[tuple[Seat, str, int]]]:
    """What pages show of it: who is there, or has not been away for long, and who claims a seat."""
    there = {
        device: sum(seen.at - stay.until > seconds for seconds in (AWAY_SECONDS, HOST_AWAY_SECONDS))
        for device, stay in seen.around.stays.items()
    }
    return there, {(claim.seat, claim.device, claim.digits) for claim in seen.around.claims}


class Presence:
    """Whoever has followed no table for a while is away from it. `changed` hears where this may differ."""

    def __init__(self, node: Node, changed: Callable[[str], None]) -> None:
        self.node, self._changed = node, changed
        self._pages: Counter[str] = Counter()
        self._streams: dict[tuple[str, str], int] = {}
        self._seen: dict[tuple[str, str], float] = {}  # who was here last comes last

    def __len__(self) -> int:
        """How many streams there are."""
        return sum(self._streams.values())

    @contextmanager
    def of(self, table: str, device: str) -> Iterator[None]:
        """Marks the device present at a table while this lasts."""
        key = table, device
        if key not in self._streams and time.monotonic() - self._seen.get(key, -math.inf) > AWAY_SECONDS:
            asyncio.get_running_loop().call_soon(self._changed, table)  # back again
        if key not in self._streams:
            self.node.note(table, device, is_here=True)
        self._streams[key] = self._streams.get(key, 0) + 1
        try:
            yield
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]
                self.node.note(table, device, is_here=False)
                self._seen.pop(key, None)
                self._seen[key] = time.monotonic()
                self.look_later(table)
                while len(self._seen) > MOST_SEEN:
                    del self._seen[next(iter(self._seen))]

    @contextmanager
    def watching(self, table: str) -> Iterator[None]:
        """Marks a table as watched while this lasts: a page shows it."""
        self._pages[table] += 1
        if self._pages[table] == 1:
            self.node.note(table, PAGES, is_here=True)
        try:
            yield
        finally:
            self._pages[table] -= 1
            if not self._pages[table]:
                del self._pages[table]
                self.node.note(table, PAGES, is_here=False)

    def is_watched(self, table: str) -> bool:
        """Whether a page shows a table, here or at another node."""
        stay = self.node.stay(table, PAGES)
        return table in self._pages or (stay is not None and time.monotonic() - stay.until < DEAD_SECONDS)

    def look_later(self, table: str) -> None:
        """Whoever is missing now will be away by and by: let the table be looked at then."""
        for seconds in (AWAY_SECONDS, HOST_AWAY_SECONDS):
            asyncio.get_running_loop().call_later(seconds + MOMENT, self._changed, table)

    def check(self, table: str, device: str) -> None:
        """Refuse one more stream where a device has many."""
        if self._streams.get((table, device), 0) >= STREAMS_A_DEVICE:
            raise Illegal("too_many_streams", most=STREAMS_A_DEVICE, seconds=RETRY_SECONDS)

    def silence(self, table: str, since: float) -> Silence:
        """Seconds since each device's last stream at a table ended, or since that time if none is remembered.

        Where nodes have ended and begun, all had to come back: nobody is away for longer than the others are here.
        """
        since = min(since, self.node.since(table))

        def of(device: str) -> float:
            if (table, device) in self._streams:
                return 0.0
            last, stay = self._seen.get((table, device), since), self.node.stay(table, device)
            return time.monotonic() - (max(last, stay.until) if stay else last)

        return of
