"""Connections to PostgreSQL, none of which is waited for without end: a failover may take them without a word."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import asyncpg

from kasta.db.schema import steps
from kasta.errors import Unavailable

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 10.0  # after so long without an answer a connection is given up
WATCH_SECONDS = 30.0  # how often an idle connection is asked whether it is still there
MIGRATION_LOCK = 0x6B61737461  # "kasta": one process at a time brings the schema up to date


class ConnectionPool:
    """asyncpg's pool, with one connection kept for who writes: taking one for each batch costs nearly as much."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._writing: Any = None
        self._expiring: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, *, make: bool = True) -> ConnectionPool:
        with failures():
            pool = await asyncpg.create_pool(
                url,
                min_size=2,
                max_size=8,
                server_settings={"synchronous_commit": "on"},
                reset=_leave_as_it_is,
                timeout=CONNECT_SECONDS,
            )
            try:
                await migrate(pool, make=make)
            except BaseException:
                await pool.close()
                raise
        return cls(pool)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """A connection for a moment."""
        async with self.unlimited() as db:
            with self.limited(db):
                yield db

    @asynccontextmanager
    async def unlimited(self) -> AsyncIterator[Any]:
        """A connection for as long as it takes: to read a backup, to tidy up, to listen."""
        with failures():
            async with self._pool.acquire(timeout=CONNECT_SECONDS) as db:
                yield db

    @asynccontextmanager
    async def own(self) -> AsyncIterator[Any]:
        """The connection of who writes. After a failure there is a new one."""
        try:
            with failures():
                if self._writing is not None and _is_lost(self._writing):
                    await self._let_go()
                if self._writing is None:
                    self._writing = await self._pool.acquire(timeout=CONNECT_SECONDS)
                with self.limited(self._writing):
                    yield self._writing
        except Unavailable:
            await self._let_go()
            raise

    async def watch(self, db: Any, lost: asyncio.Event) -> None:  # noqa: ANN401 - asyncpg has no types
        """Return once a connection that listens is lost, which it may not notice by itself."""
        while not lost.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(WATCH_SECONDS):
                    await lost.wait()
            if not lost.is_set():
                with self.limited(db):
                    await db.execute("SELECT 1")

    async def close(self) -> None:
        await self._let_go()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    @contextmanager
    def limited(self, db: Any) -> Iterator[None]:  # noqa: ANN401 - asyncpg has no types
        """Whoever waits for too long hears that the connection is lost. Cancelling would wait for the network."""
        timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._give_up, db)
        try:
            yield
        finally:
            timer.cancel()

    def _give_up(self, db: Any) -> None:  # noqa: ANN401 - asyncpg has no types
        logger.warning("PostgreSQL has not answered for %d seconds: all connections are made anew", ANSWER_SECONDS)
        db.terminate()
        self._expiring = asyncio.create_task(self._pool.expire_connections())

    async def _let_go(self) -> None:
        """Give the connection of who writes back, if it has not been taken away."""
        writing, self._writing = self._writing, None
        if writing is not None:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await self._pool.release(writing)


async def _leave_as_it_is(_connection: object) -> None:
    """Nobody here changes a connection's settings: setting them back would cost a round trip each time."""


async def migrate(pool: asyncpg.Pool, *, make: bool) -> None:
    async with pool.acquire() as db, db.transaction():
        if not (make or await db.fetchval("SELECT to_regclass('kasta_schema')")):
            raise Unavailable("no_such_store", place=await db.fetchval("SELECT current_database()"))
        await db.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        await db.execute("CREATE TABLE IF NOT EXISTS kasta_schema (version integer NOT NULL)")
        have = await db.fetchval("SELECT coalesce(max(version), 0) FROM kasta_schema")
        for version, script in steps("postgres", have):
            await db.execute(script)
            await db.execute("INSERT INTO kasta_schema VALUES ($1)", version)


def _is_lost(connection: Any) -> bool:  # noqa: ANN401 - asyncpg has no types
    """Whether it is closed. The pool takes a broken connection away, and then it cannot even be asked."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:
        return True


@contextmanager
def failures() -> Iterator[None]:
    """Whatever goes wrong with the server is one error of ours."""
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        raise Unavailable("store_failed", reason=str(error) or type(error).__name__) from error
