"""A log in PostgreSQL: each process batches its writes; several processes may serve one table."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from itertools import chain
from typing import Any

import asyncpg

from kasta.db.cluster import SqlClusterState
from kasta.db.postgres.append import PendingEvent, append_all, append_in_a_row, append_picks, parts
from kasta.db.postgres.backup import restore, snapshot
from kasta.db.postgres.database import PostgresDatabase
from kasta.db.postgres.pool import ConnectionPool
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.tables.events import AnyEvent, OpenedEvent
from kasta.tables.log import UNKNOWN, Change, ChooseKey, Item, Log, Seq, Snapshot, Stored, seal, unseal

CHANNEL = "kasta"
TOGETHER_SECONDS = 0.02  # what is written meanwhile is told together
LOOK_SECONDS = 1.0  # how often to look without having been told
MOST_AT_ONCE = 500
LONGEST_NOTICE = 7_000  # PostgreSQL takes 8,000 bytes


class PostgresLog(Log):
    def __init__(self, pool: ConnectionPool) -> None:
        super().__init__()
        self._pool, self._connection = pool, pool.connection
        self.db = PostgresDatabase(self._connection)
        self.cluster = SqlClusterState(self.db, "kasta_now()")
        self._closed = False
        self._queue: list[PendingEvent] = []
        self._asked = asyncio.Event()  # something waits in the queue, or no more will come
        self._written: dict[str, Seq] = {}  # how far tables have come that the others have not been told of
        self._news = asyncio.Event()
        self._batch_since: float | None = None  # since when a batch is being written
        work = (self._write(), self._notify(), self._listen(), self._poll())
        self._tasks = [asyncio.create_task(task) for task in work]
        self._heads: dict[str, int] = {}

    @classmethod
    async def open(cls, url: str, *, make: bool = True) -> PostgresLog:
        return cls(await ConnectionPool.open(url, make=make))

    async def now(self) -> float:
        async with self._connection() as db:
            return float(await db.fetchval("SELECT kasta_now()"))

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

    async def read(self, table: str, after: Seq = Seq(0), most: int = sys.maxsize) -> list[Stored]:
        where = "table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"
        query = f"SELECT seq, body, checksum, at FROM kasta_events WHERE {where}"  # noqa: S608 - as above
        async with self._connection() as db:
            made, head = await _id_of(db, table)
            stored = unseal(table, after + 1, await db.fetch(query, made, after, most))
        if len(stored) < min(most, head - after):
            raise Unavailable("damaged", reason=f"the last events of table {table} are missing")
        return stored

    async def secret(self, table: str) -> bytes:
        async with self._connection() as db:
            made, _ = await _id_of(db, table)
            found = await db.fetchval("SELECT secret FROM kasta_secrets WHERE table_id = $1", made)
        if found is None:
            raise Unavailable("damaged", reason=f"the dice of table {table} are missing")
        return bytes(found)

    async def key(self, name: str, new: bytes) -> bytes:
        async with self._connection() as db:
            await db.execute("INSERT INTO kasta_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", name, new)
            return bytes(await db.fetchval("SELECT key FROM kasta_keys WHERE name = $1", name))

    async def claim_code(self, table: str, code: str) -> bool:
        async with self._connection() as db:
            made, _ = await _id_of(db, table)
            await db.execute("INSERT INTO kasta_codes VALUES ($1, $2) ON CONFLICT DO NOTHING", code, made)
            query = "SELECT true FROM kasta_codes WHERE code = $1 AND table_id = $2"
            return bool(await db.fetchval(query, code, made))

    async def code_of(self, table: str) -> str | None:
        query = "SELECT code FROM kasta_codes JOIN kasta_tables ON table_id = id WHERE name = $1"
        async with self._connection() as db:
            code: str | None = await db.fetchval(query, table)
        return code

    async def by_code(self, code: str) -> str | None:
        query = (
            "SELECT name FROM kasta_tables JOIN kasta_codes ON table_id = id WHERE code = $1 AND hidden IS NULL"
        )
        async with self._connection() as db:
            name: str | None = await db.fetchval(query, code)
        return name

    async def tables(self, untouched_since: float | None = None) -> list[str]:
        query = """
            SELECT name FROM kasta_tables
                WHERE hidden IS NULL AND ($1::float8 IS NULL OR touched < $1) ORDER BY id
        """
        async with self._connection() as db:
            return [row["name"] for row in await db.fetch(query, untouched_since)]

    async def tables_of(self, device: str, most: int) -> list[str]:
        async with self._connection() as db:
            return [row["name"] for row in await db.fetch(_TABLES_OF, device, most)]

    async def untaken(self) -> list[str]:
        async with self._connection() as db:
            return [row["name"] for row in await db.fetch(_UNTAKEN)]

    async def delete(self, table: str) -> None:
        async with self._connection() as db:
            await db.execute("DELETE FROM kasta_tables WHERE name = $1", table)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        async with self._connection() as db, db.transaction():
            made, _ = await _id_of(db, table)
            query = "UPDATE kasta_events SET body = $3, checksum = $4 WHERE table_id = $1 AND seq = $2"
            await db.executemany(query, [(made, seq, *seal(event)) for seq, event in events])

    async def counters(self, table: str) -> tuple[int, int, int]:
        query = "SELECT turn, owing, guard FROM kasta_tables WHERE name = $1 AND hidden IS NULL"
        async with self._connection() as db:
            found = await db.fetchrow(query, table)
        if found is None:
            raise Illegal("no_such_table")
        return found["turn"], found["owing"], found["guard"]

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        return snapshot(self._pool.unlimited)

    async def restore(self, items: Iterable[Item], choose_key: ChooseKey) -> tuple[int, int]:
        async with self._pool.unlimited() as db:
            return await restore(db, items, choose_key)

    async def check(self) -> list[str]:
        async with self._connection() as db:
            settings = {name: await db.fetchval(f"SHOW {name}") for name in ("fsync", "full_page_writes")}
        return [
            f"{name} is {value}: a power failure may lose moves"
            for name, value in settings.items()
            if value != "on"
        ]

    async def ping(self) -> None:
        async with self._connection() as db:
            await db.execute("SELECT 1")

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
                async with self._connection() as db:
                    rows = await db.fetch("SELECT name, head FROM kasta_tables WHERE name = ANY($1)", watched)
                heads = {row["name"]: row["head"] for row in rows}
                for table, head in heads.items():
                    if self._heads.get(table) != head:
                        self.wake(table, head)
                self._heads = heads


_TABLES_OF = """
SELECT name FROM kasta_tables WHERE id IN (
    SELECT table_id FROM kasta_events WHERE turn IS NULL AND kasta_device(body) = $1
) AND hidden IS NULL ORDER BY touched DESC, id DESC LIMIT $2
"""
_UNTAKEN = """
SELECT name FROM kasta_events AS e JOIN kasta_tables ON id = table_id
    WHERE e.turn IS NULL AND substring(body FROM 1 FOR 16) = '\\x7b226b696e64223a22636c6f73656422'::bytea
        AND hidden IS NULL AND NOT taken ORDER BY id
"""
_CREATE = """
INSERT INTO kasta_tables (name, head, touched)
    VALUES ($1, 1, coalesce($2, greatest(kasta_now(), (SELECT max(touched) FROM kasta_tables)))) RETURNING id
"""
# A notice need not survive a power failure: it does not wait for the disk.
_NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)"


async def _id_of(db: Any, table: str) -> tuple[int, int]:  # noqa: ANN401 - asyncpg has no types
    found = await db.fetchrow("SELECT id, head FROM kasta_tables WHERE name = $1 AND hidden IS NULL", table)
    if found is None:
        raise Illegal("no_such_table")
    return found["id"], found["head"]
