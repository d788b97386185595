"""The events of all tables, in whichever database: in order, refused if they can no longer hold, never lost."""

from __future__ import annotations

import asyncio
import logging
import math
import sys
import zlib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import ClassVar, NewType, Self

from kasta.errors import Illegal, Unavailable
from kasta.sql import Database, Fetch, Many, Row, Steps
from kasta.structs import Struct
from kasta.tables.cluster_state import ClusterState
from kasta.tables.events import (
    Acted,
    AnyEvent,
    Closed,
    Extended,
    Hinted,
    Left,
    OpenedEvent,
    Rolled,
    TakenBack,
    decode,
    encode,
)
from kasta.tables.state import Table, evolve

logger = logging.getLogger(__name__)

Seq = NewType("Seq", int)

LEAST_FREE = 500_000_000  # bytes on the store's disk: with less, nothing new is begun
SIGNING = "signing"  # the name of the key that signs who is who
PIECE = 100  # events that are read together where a log may be long
UNKNOWN = Seq(sys.maxsize)  # how far a log has come, for all we know

_READ = """
SELECT seq, body, checksum, at, head FROM kasta_tables LEFT JOIN kasta_events ON table_id = id AND seq > $2
    WHERE name = $1 AND hidden IS NULL ORDER BY seq LIMIT $3
"""
_DICE = """
SELECT secret FROM kasta_tables LEFT JOIN kasta_secrets ON table_id = id WHERE name = $1 AND hidden IS NULL
"""
_COUNTERS = "SELECT turn, owing, guard FROM kasta_tables WHERE name = $1 AND hidden IS NULL"
_ID = "SELECT id FROM kasta_tables WHERE name = $1 AND hidden IS NULL"
KEY = "SELECT key FROM kasta_keys WHERE name = $1"
NEW_KEY = "INSERT INTO kasta_keys VALUES ($1, $2) ON CONFLICT (name) DO"
NEW_CODE = "INSERT INTO kasta_codes VALUES ($1, $2) ON CONFLICT DO NOTHING"
_HAS_CODE = "SELECT 1 FROM kasta_codes WHERE code = $1 AND table_id = $2"
_BY_CODE = "SELECT name FROM kasta_tables JOIN kasta_codes ON table_id = id WHERE code = $1 AND hidden IS NULL"
_CODE_OF = "SELECT code FROM kasta_codes JOIN kasta_tables ON table_id = id WHERE name = $1"
_TABLES = "SELECT name FROM kasta_tables WHERE hidden IS NULL AND touched < $1 ORDER BY id"
_TABLES_OF = """
SELECT name FROM kasta_tables WHERE id IN (SELECT table_id FROM kasta_events WHERE turn IS NULL AND {} = $1)
    AND hidden IS NULL ORDER BY touched DESC, id DESC LIMIT $2
"""
_UNTAKEN = """
SELECT name FROM kasta_events AS e JOIN kasta_tables ON id = table_id
    WHERE e.turn IS NULL AND {} AND hidden IS NULL AND NOT taken ORDER BY id
"""
_REWRITE = "UPDATE kasta_events SET body = $3, checksum = $4 WHERE table_id = $1 AND seq = $2"


@dataclass(frozen=True, slots=True)
class Stored:
    """An event with its place in the log, counted from 1 without gaps, and when it came."""

    seq: Seq
    event: AnyEvent
    at: float


class Change(Struct, frozen=True):
    """An event for a table, and what must still hold when it is written; None: need not.

    Only what the rules need is expected. A pick needs its turn, which also counts when seats change hands and when
    the table is closed (`Table.picking`); picks of other seats may come first. A throw, a take-back, more time, a
    hint and leaving also need the number of seats that still owe: who has acted may ask for nothing, and nobody
    leaves a game that is over. All but picks need the guard.
    `owing` is changed by a difference, because picks that know nothing of each other change it. `before` and
    `after` are the table that the event was decided on and the one that it makes; they are not stored.
    """

    table: str
    event: AnyEvent
    turn: int
    owing: int | None
    guard: int | None
    turn_after: int
    owing_more: int
    guard_more: int
    before: Table
    after: Table


_AFTER_PICKS = Rolled | TakenBack | Extended | Hinted | Left | Closed


def change(table: Table, event: AnyEvent) -> Change:
    """What the log is asked to take, decided on a table as it was seen."""
    after = evolve(table, event)
    return Change(
        table.id,
        event,
        turn=table.picking,
        owing=table.owing if isinstance(event, _AFTER_PICKS) else None,
        guard=None if isinstance(event, Acted) else table.guard,
        turn_after=after.picking,
        owing_more=after.owing - table.owing,
        guard_more=after.guard - table.guard,
        before=table,
        after=after,
    )


Told = Callable[[str, Seq], None]
"""Hears of a table how far its log has come, or may have."""


class Log(ABC):
    """The events of all tables. What `append` has returned is durable.

    `cluster` is what its nodes tell each other beside, `db` runs statements for what is kept beside. Databases
    have their own writers, and their own way to hear of what other processes write.
    """

    DEVICE_OF: ClassVar[str]
    """The device that an event names, as the index on it has it."""
    IS_CLOSED: ClassVar[str]
    """Whether an event ends its table, as the index on that has it."""

    cluster: ClusterState
    db: Database

    def __init__(self) -> None:
        self._watches: defaultdict[str, set[Told]] = defaultdict(set)
        self._woken: dict[str, Seq] = {}

    @abstractmethod
    async def now(self) -> float:
        """Seconds since 1970, by the clock that all processes share that serve this store."""

    @abstractmethod
    async def create(
        self, opened: OpenedEvent, secret: bytes, at: float | None = None, then: Sequence[Change] = ()
    ) -> None:
        """Begin a log, now or as of a time. The secret of its dice is kept apart from it.

        The changes that follow, of this table or of others, are written in the same commit: all, or Conflict and
        no table. Those of one table come one after the other, each decided on the one before.
        What is new is never older than the rest: a clock that was set back makes no table due to be forgotten.
        """

    @abstractmethod
    async def append(self, change: Change, at: float | None = None) -> Seq:
        """The event's place in the log; Conflict if what it expects no longer holds."""

    @abstractmethod
    def append_in_a_row(self, changes: Sequence[Change]) -> AsyncGenerator[Seq]:
        """The places of events of one table, each decided on the one before; Conflict from the first that fails.

        The guard alone would let an event in whose forerunner was refused, if another process wrote meanwhile.
        """

    async def read(self, table: str, after: Seq = Seq(0), most: int = sys.maxsize) -> list[Stored]:
        """What follows on a place in the log, or the first of it."""
        rows = await self._of(_READ, table, after, most)
        first, *_, head = rows[0]
        stored = unseal(table, after + 1, rows if first is not None else ())
        if len(stored) < min(most, head - after):
            raise Unavailable("damaged", reason=f"the last events of table {table} are missing")
        return stored

    async def secret(self, table: str) -> bytes:
        ((secret,),) = await self._of(_DICE, table)
        if secret is None:
            raise Unavailable("damaged", reason=f"the dice of table {table} are missing")
        return bytes(secret)

    async def counters(self, table: str) -> tuple[int, int, int]:
        """What changes are compared with: the turn, how many seats owe, the guard."""
        ((turn, owing, guard),) = await self._of(_COUNTERS, table)
        return turn, owing, guard

    async def _of(self, text: str, table: str, *values: object) -> list[Row]:
        return _found(await self.db.fetch(text, table, *values))

    async def key(self, name: str, new: bytes) -> bytes:
        """A key of that name that all processes share: the new one, if there was none."""
        await self.db.execute(f"{NEW_KEY} NOTHING", name, new)
        ((key,),) = await self.db.fetch(KEY, name)
        return bytes(key)

    async def claim_code(self, table: str, code: str) -> bool:
        """Make a table known by a short code; False if that is another's."""

        def steps() -> Steps[bool]:
            ((made,),) = _found((yield _ID, table))
            yield NEW_CODE, code, made
            return bool((yield _HAS_CODE, code, made))

        return await self.db.transaction(steps)

    async def code_of(self, table: str) -> str | None:
        return next(iter(await self._column(_CODE_OF, table)), None)

    async def by_code(self, code: str) -> str | None:
        """The table that is known by a code."""
        return next(iter(await self._column(_BY_CODE, code)), None)

    async def heads(self, tables: list[str]) -> dict[str, Seq]:
        """How far each log has come, of those that there are."""
        return dict(await self.db.fetch("SELECT name, head FROM kasta_tables WHERE name = ANY($1)", tables))

    async def tables(self, untouched_since: float = math.inf) -> list[str]:
        """All tables, or those where nothing happened since then."""
        return await self._column(_TABLES, untouched_since)

    async def tables_of(self, device: str, most: int) -> list[str]:
        """The tables that a device has opened, or has ever had a seat at; what was played last comes first."""
        return await self._column(_TABLES_OF.format(self.DEVICE_OF), device, most)

    async def untaken(self) -> list[str]:
        """Closed tables whose results were not taken yet."""
        return await self._column(_UNTAKEN.format(self.IS_CLOSED))

    async def _column(self, text: str, *values: object) -> list[str]:
        return [value for (value,) in await self.db.fetch(text, *values)]

    async def delete(self, table: str) -> None:
        await self.db.execute("DELETE FROM kasta_tables WHERE name = $1", table)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        """Put other bodies in place of some events: names are forgotten in this way, and nothing else."""

        def steps() -> Steps[None]:
            ((made,),) = _found((yield _ID, table))
            yield Many(_REWRITE, [(made, seq, *seal(event)) for seq, event in events])

        await self.db.transaction(steps)
        await self.db.scrub()

    @abstractmethod
    def at_one_moment(self) -> AbstractAsyncContextManager[Fetch]:
        """Read the store as it is now, whatever others write meanwhile."""

    @property
    def patient(self) -> Database:
        """Runs statements that may take long."""
        return self.db

    @abstractmethod
    async def check(self) -> list[str]:
        """What the store itself finds wrong with its files."""

    @abstractmethod
    async def ping(self) -> None:
        """Return once the store has answered; Unavailable if it cannot be used."""

    @property
    def free_bytes(self) -> int | None:
        """On the disk of the store, if this process can see that."""
        return None

    def check_room(self) -> None:
        """Refuse tables and seats while the disk is nearly full: what is left is for games under way."""
        if (free := self.free_bytes) is not None and free < LEAST_FREE:
            logger.warning("new tables and seats are refused: %d MB are free on the disk", free // 1_000_000)
            raise Illegal("no_room")

    @property
    @abstractmethod
    def waiting(self) -> int:
        """How much waits to be written."""

    @property
    def waiting_seconds(self) -> float:
        """How long the oldest of it has been waited for, where `ping` would not wait for the same."""
        return 0.0

    @abstractmethod
    async def close(self) -> None: ...

    async def events(self, table: str) -> AsyncGenerator[Stored]:
        """A log from its beginning, read in pieces: others are served in between, however long it is."""
        seq, is_more = Seq(0), True
        while is_more:
            piece = await self.read(table, seq, PIECE)
            for stored in piece:
                yield stored
            seq, is_more = Seq(seq + PIECE), len(piece) == PIECE
            await asyncio.sleep(0)

    def watch(self, table: str, told: Told) -> None:
        """Be told how far the log may have come: at once, and whenever there is more."""
        self._watches[table].add(told)
        self.wake(table)

    def unwatch(self, table: str, told: Told) -> None:
        self._watches[table].discard(told)
        if not self._watches[table]:
            del self._watches[table]

    def wake(self, table: str | None = None, head: Seq = UNKNOWN) -> None:
        """A table's log has come so far, or may have; or any table's.

        What comes together is told once, and a moment later: who has written it has taken it up by then.
        """
        for name in list(self._watches) if table is None else [table]:
            if name in self._watches:
                if not self._woken:
                    asyncio.get_running_loop().call_soon(self._tell_woken)
                self._woken[name] = max(self._woken.get(name, Seq(0)), head)

    def _tell_woken(self) -> None:
        woken, self._woken = self._woken, {}
        for name, head in woken.items():
            for told in list(self._watches.get(name, ())):
                told(name, head)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()


def seal(event: AnyEvent) -> tuple[bytes, int]:
    """An event as it is stored, with a checksum: a store's files may be damaged without its noticing."""
    body = encode(event)
    return body, zlib.crc32(body)


def unseal(table: str, expected: int, rows: Sequence[Row]) -> list[Stored]:
    """The stored events of rows that must follow on each other without a gap: seq, body, checksum, time, table."""
    found = []
    for seq, body, checksum, at, _ in rows:
        if seq != expected:
            raise Unavailable("damaged", table=table, reason=f"event {expected} of table {table} is missing")
        if not isinstance(body, bytes) or zlib.crc32(body) != checksum:
            raise Unavailable("damaged", table=table, reason=f"event {seq} of table {table} was altered")
        found.append(Stored(Seq(seq), decode(body), at))
        expected += 1
    return found


def _found(rows: list[Row]) -> list[Row]:
    if not rows:
        raise Illegal("no_such_table")
    return rows
