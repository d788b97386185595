"""A log in PostgreSQL: each process batches its writes; several processes may serve one table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import chain

import asyncpg

from kasta.db.postgres.append import PendingEvent, append_all, append_in_a_row, append_picks, parts
from kasta.db.postgres.database import PostgresDatabase
from kasta.db.postgres.pool import ConnectionPool
from kasta.errors import Conflict, KastaError, Unavailable
from kasta.sql import Database, Fetch
from kasta.tables.cluster_state import ClusterState
from kasta.tables.events import OpenedEvent
from kasta.tables.log import UNKNOWN, Change, Log, Seq, seal

CHANNEL = "kasta"
TOGETHER_SECONDS = 0.02  # what is written meanwhile is told together
LOOK_SECONDS = 1.0  # how often to look without having been told
MOST_AT_ONCE = 500
LONGEST_NOTICE = 7_000  # PostgreSQL takes 8,000 bytes


class PostgresLog(Log):
    DEVICE_OF = "kasta_device(body)"
    IS_CLOSED = "substring(body FROM 1 FOR 16) = '\\x7b226b696e64223a22636c6f73656422'::bytea"

    def __init__(self, pool: ConnectionPool) -> None:
        super().__init__()
        self._pool, self._connection = pool, pool.connection
        self.db = PostgresDatabase(self._connection)
        self.cluster = ClusterState(self.db, "kasta_now()")
        self._closed = False
        self._queue: list[PendingEvent] = []
        self._asked = asyncio.Event()  # something waits in the queue, or no more will come
        self._written: dict[str, Seq] = {}  # how far tables have come that the others have not been told of
        self._news = asyncio.Event()
        self._batch_since: float | None = None  # since when a batch is being written
        work = (self._write(), self._notify(), self._listen(), self._poll())
        self._tasks = [asyncio.create_task(task) for task in work]
        self._heads: dict[str, Seq] = {}

    @classmethod
    async def open(cls, url: str, *, make: bool = True) -> PostgresLog:
        return cls(await ConnectionPool.open(url, make=make))

    async def now(self) -> float:
        ((now,),) = await self.db.fetch("SELECT kasta_now()")
        return float(now)

    async def create(
        self, opened: OpenedEvent, secret: bytes, at: float | None = None, then: Sequence[Change] = ()
    ) -> None:
        async with self._connection() as db, db.transaction():
            try:
                made = await db.fetchval(_CREATE, opened.table, at)
            except asyncpg.UniqueViolationError:
                raise Conflict("moved_on") from None
            await db.execute("INSERT INTO kasta_secrets VALUES ($1, $2)", made, secret)
            insert = "INSERT INTO kasta_events VALUES ($1, 1, NULL, NULL, NULL, $2, $3, coalesce($4, kasta_now()))"
            await db.execute(insert, made, *seal(opened), at)
            places = await append_in_a_row(db, then, at) if then else []
        self._tell({change.table: Seq(place) for change, place in zip(then, places, strict=True)})

    async def append(self, change: Change, at: float | None = None) -> Seq:
        if self._closed:
            raise Unavailable("store_failed", reason="it is closed")
        done: asyncio.Future[Seq] = asyncio.get_running_loop().create_future()
        self._queue.append(PendingEvent(change, at, done))
        self._asked.set()
        return await done

    async def append_in_a_row(self, changes: Sequence[Change]) -> AsyncGenerator[Seq]:
        """In one commit, all or none."""
        if not changes:
            return
        async with self._connection() as db:
            places = await append_in_a_row(db, changes)
        self._tell({changes[0].table: Seq(places[-1])})
        for place in places:
            yield Seq(place)

    @asynccontextmanager
    async def at_one_moment(self) -> AsyncIterator[Fetch]:
        async with self._pool.unlimited() as db, db.transaction(isolation="repeatable_read", readonly=True):
            yield db.fetch

    @property
    def patient(self) -> Database:
        return PostgresDatabase(self._pool.unlimited)

    async def check(self) -> list[str]:
        asked = "SELECT name, setting FROM pg_settings WHERE name = ANY($1) AND setting <> 'on' ORDER BY name"
        wrong = await self.db.fetch(asked, ["fsync", "full_page_writes"])
        return [f"{name} is {value}: a power failure may lose moves" for name, value in wrong]

    async def ping(self) -> None:
        await self.db.fetch("SELECT 1")

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def waiting_seconds(self) -> float:
        return 0.0 if self._batch_since is None else time.monotonic() - self._batch_since

    async def close(self) -> None:
        self._closed = True
        self._asked.set()
        await asyncio.wait(self._tasks[:1])  # what was asked for before is answered first
        for task in self._tasks:
            task.cancel()  # a broken connection may swallow this: that is why they also look whether it is closed
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._pool.close()

    async def _write(self) -> None:
        """Take all that waits, write it, answer after the commit."""
        while self._queue or not self._closed:
            await self._asked.wait()
            batch, self._queue = self._queue[:MOST_AT_ONCE], self._queue[MOST_AT_ONCE:]
            if not self._queue:
                self._asked.clear()
            self._batch_since = time.monotonic()
            for append, tables in zip((append_picks, append_all), parts(batch), strict=True):
                if not tables:
                    continue
                try:
                    async with self._pool.own() as db:
                        places: Sequence[int | KastaError | None] = await append(db, tables)
                except KastaError as error:
                    places = [error] * sum(map(len, tables))
                self._answer(chain.from_iterable(tables), places)
            self._batch_since = None

    def _answer(self, batch: Iterable[PendingEvent], places: Sequence[int | KastaError | None]) -> None:
        heads = dict[str, Seq]()
        for (change, _, done), place in zip(batch, places, strict=True):
            if isinstance(place, int):
                heads[change.table] = Seq(place)
                if not done.done():
                    done.set_result(Seq(place))
            elif not done.done():
                done.set_exception(place or Conflict("moved_on"))
        self._tell(heads)  # after the answers: who has written need not read it

    def _tell(self, heads: dict[str, Seq]) -> None:
        """Who follows these tables, here and elsewhere, how far they have come."""
        self._written.update(heads)
        self._news.set()
        for table, head in heads.items():
            self.wake(table, head)

    async def _notify(self) -> None:
        """Tell the other processes, after the commits and beside them: inside, notices make commits queue."""
        while not self._closed:
            await self._news.wait()
            self._news.clear()
            written, self._written = self._written, {}
            if not written:
                continue
            notice = " ".join(f"{table}/{head}" for table, head in written.items())
            if len(notice) > LONGEST_NOTICE:
                notice = ""
            with suppress(KastaError):
                async with self._connection() as db:
                    await db.execute(_NOTIFY, CHANNEL, notice)
            await asyncio.sleep(TOGETHER_SECONDS)

    async def _listen(self) -> None:
        """Notices are a hint. When the connection breaks, polling goes on, and listening begins anew."""
        while not self._closed:
            lost = asyncio.Event()
            with suppress(KastaError):
                async with self._pool.unlimited() as db:
                    await db.add_listener(CHANNEL, self._noticed)
                    db.add_termination_listener(lambda _, lost=lost: lost.set())
                    try:
                        await self._pool.watch(db, lost)
                    finally:
                        with self._pool.limited(db):
                            await db.remove_listener(CHANNEL, self._noticed)
            await asyncio.sleep(LOOK_SECONDS)

    def _noticed(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        """One of the processes tells where tables have come to; this one, too, hears itself."""
        for notice in payload.split():
            table, _, head = notice.partition("/")
            self.wake(table, Seq(int(head)) if head.isdecimal() else UNKNOWN)
        if not payload:  # it would have been too long
            self.wake()

    async def _poll(self) -> None:
        while not self._closed:
            await asyncio.sleep(LOOK_SECONDS)
            watched = list(self._watches)
            if not watched:
                continue
            with suppress(KastaError):
                heads = await self.heads(watched)
                for table, head in heads.items():
                    if self._heads.get(table) != head:
                        self.wake(table, head)
                self._heads = heads


_CREATE = """
INSERT INTO kasta_tables (name, head, touched)
    VALUES ($1, 1, coalesce($2, greatest(kasta_now(), (SELECT max(touched) FROM kasta_tables)))) RETURNING id
"""
# A notice need not survive a power failure: it does not wait for the disk.
_NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)"
