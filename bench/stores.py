"""Events per second of the stores beside the bare drivers, cost per pick of large tables, memory per table.

`python bench/stores.py` prints tables for bench/results.md. PostgreSQL is the tests' own, or KASTA_TEST_POSTGRES.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import queue
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg

from kasta.core import Seat
from kasta.db import open_log
from kasta.db.sqlite.memory import MemoryLog
from kasta.tables import events as e
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.log import Change, Log, seal
from kasta.tables.service import Service
from kasta.tables.state import evolve

TABLES = 50
PICK = e.Acted(1, 0, 0, "c3")


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    seconds: float = 1.5
    rounds: int = 3
    waiting: tuple[int, ...] = (1, 64, 1_000)
    seats: tuple[int, ...] = (10, 1_000, 10_000)
    picks: int = 1_000
    tables: int = 300


QUICK = Size(seconds=0.01, rounds=1, waiting=(2,), seats=(10,), picks=10, tables=3)

Append = Callable[[int], Awaitable[object]]


async def rate(append: Append, waiting: int, seconds: float) -> float:
    """Events per second while so many wait for an answer."""
    numbers, end = count(), time.perf_counter() + seconds

    async def one_after_the_other() -> int:
        done = 0
        while time.perf_counter() < end:
            await append(next(numbers))
            done += 1
        return done

    start = time.perf_counter()
    done = sum(await asyncio.gather(*(one_after_the_other() for _ in range(waiting))))
    return done / (time.perf_counter() - start)


# -- the bare drivers: plain inserts of the same rows, committed in groups ----------------------------------------


class BareSqlite(threading.Thread):
    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self._path, self._loop = path, asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[tuple[tuple[Any, ...], asyncio.Future[None]] | None] = queue.SimpleQueue()
        self.start()

    def append(self, number: int) -> asyncio.Future[None]:
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((_row(number), done))
        return done

    def stop(self) -> None:
        self._queue.put(None)
        self.join()

    def run(self) -> None:
        db = sqlite3.connect(self._path, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=4000"):
            db.execute(f"PRAGMA {pragma}")
        db.execute(f"CREATE TABLE events ({_COLUMNS}) WITHOUT ROWID")
        db.execute("CREATE UNIQUE INDEX once ON events (table_id, turn, seat, step)")
        while (first := self._queue.get()) is not None:
            batch = [first]
            while len(batch) < 2_000 and not self._queue.empty():
                if (item := self._queue.get()) is None:
                    self._queue.put(None)
                    break
                batch.append(item)
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [row for row, _ in batch])
            db.execute("COMMIT")
            self._loop.call_soon_threadsafe(_resolve, [done for _, done in batch])
        db.close()


class BarePostgres:
    def __init__(self, db: Any) -> None:  # noqa: ANN401 - asyncpg has no types
        self._db = db
        self._queue: asyncio.Queue[tuple[tuple[Any, ...], asyncio.Future[None]]] = asyncio.Queue()
        self._task = asyncio.create_task(self._write())

    @classmethod
    async def open(cls, url: str) -> BarePostgres:
        db = await asyncpg.connect(url)
        await db.execute(f"DROP TABLE IF EXISTS bare; CREATE TABLE bare ({_COLUMNS.replace('blob', 'bytea')})")
        await db.execute("CREATE UNIQUE INDEX ON bare (table_id, turn, seat, step)")
        return cls(db)

    def append(self, number: int) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((_row(number), done))
        return done

    async def stop(self) -> None:
        self._task.cancel()
        await self._db.close()

    async def _write(self) -> None:
        insert = """INSERT INTO bare SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[],
            $5::int[], $6::bytea[], $7::bigint[], $8::float8[])"""
        while True:
            batch = [await self._queue.get()]
            while len(batch) < 500 and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            await self._db.execute(insert, *zip(*(row for row, _ in batch), strict=True))
            _resolve([done for _, done in batch])


_COLUMNS = """table_id bigint, seq bigint, turn int, seat int, step int, body blob, checksum bigint,
    at double precision, PRIMARY KEY (table_id, seq)"""


def _row(number: int) -> tuple[Any, ...]:
    return (number % TABLES, number // TABLES, 1, number // TABLES, 0, *seal(PICK), 1.0)


def _resolve(futures: list[asyncio.Future[None]]) -> None:
    for done in futures:
        done.set_result(None)


# -- ours ---------------------------------------------------------------------------------------------------------


async def log_append(log: Log) -> Append:
    """Picks of ever new seats at some tables, straight to the log."""
    names = [f"t{number}" for number in range(TABLES)]
    for name in names:
        opened = e.OpenedEvent(name, "knister", "sheet", e.Settings(), "host", "00")
        await log.create(opened, bytes(32))
        table = evolve(None, opened)  # no store looks at it
        await log.append(Change(name, e.Rolled(1, (3, 5)), 0, None, None, 1, 10**9, 0, table, table))

    def append(number: int) -> Awaitable[object]:
        pick = e.Acted(1, Seat(number // TABLES), 0, "c3")
        return log.append(Change(names[number % TABLES], pick, 1, None, None, 1, -1, 0, table, table))

    return append


async def begun(service: Service, seats: int) -> str:
    """A table of Knister with so many seats, at its first throw."""
    table = (await service.open("host", "knister", settings=e.Settings(thrower="host"))).id
    for start in range(0, seats, 500):
        people = range(start, min(seats, start + 500))
        await asyncio.gather(*(service.do(table, Sit(f"d{seat}", f"P{seat}")) for seat in people))
    await service.do(table, Roll("host", 0))
    return table


async def service_picks(log: Log, waiting: int, seconds: float) -> float:
    """Picks per second through the service while so many wait, each at a seat of its own, 20 seats a table."""
    service = Service(log)
    tables = [await begun(service, min(waiting, 20)) for _ in range(-(-waiting // 20))]
    cells = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
    done, spent = 0, 0.0
    for turn, cell in enumerate(cells, 1):
        if spent > seconds:
            break
        seen = [await service.table(table) for table in tables]
        picks = [
            (table.id, Play(place.device, turn, seat, 0, cell))
            for table in seen
            for seat, place in table.places.items()
        ]
        start = time.perf_counter()
        await asyncio.gather(*(service.do(table, pick) for table, pick in picks))
        spent += time.perf_counter() - start
        done += len(picks)
        if turn < len(cells):
            await asyncio.gather(*(service.do(table, Roll("host", turn)) for table in tables))
    await service.close()
    return done / spent


async def compare_sqlite(size: Size) -> None:
    for waiting in size.waiting:
        figures = []
        for _ in range(size.rounds):
            with tempfile.TemporaryDirectory() as folder:
                bare = BareSqlite(Path(folder) / "bare.sqlite")
                plain = await rate(bare.append, waiting, size.seconds)
                bare.stop()
                async with await open_log(f"sqlite:///{folder}/kasta.sqlite") as log:
                    ours = await rate(await log_append(log), waiting, size.seconds)
                    figures.append((plain, ours, await service_picks(log, waiting, size.seconds)))
        print_rates("SQLite", waiting, figures)


async def compare_postgres(url: str, size: Size) -> None:
    for waiting in size.waiting:
        figures = []
        for _ in range(size.rounds):
            bare = await BarePostgres.open(url)
            plain = await rate(bare.append, waiting, size.seconds)
            await bare.stop()
            async with await open_log(url) as log:
                ours = await rate(await log_append(log), waiting, size.seconds)
                figures.append((plain, ours, await service_picks(log, waiting, size.seconds)))
                for name in await log.tables():
                    await log.delete(name)
        print_rates("PostgreSQL", waiting, figures)


def print_rates(store: str, waiting: int, figures: list[tuple[float, float, float]]) -> None:
    plain, ours, service = (statistics.median(column) for column in zip(*figures, strict=True))
    ratio = statistics.median(ours / plain for plain, ours, _ in figures)
    print(f"| {store} | {waiting:,} | {plain:,.0f} | {ours:,.0f} | {ratio:.0%} | {service:,.0f} |", flush=True)


async def cost_per_pick(seats: int, picks: int) -> float:
    """Microseconds for one pick at a table of so many seats, one after the other, without a store."""
    service = Service(MemoryLog())
    costs = []
    for _ in range(max(1, picks // seats)):
        table = await begun(service, seats)
        for seat, place in list((await service.table(table)).places.items())[:picks]:
            start = time.perf_counter()
            await service.do(table, Play(place.device, 1, seat, 0, "c3"))
            costs.append(time.perf_counter() - start)
    return statistics.fmean(costs) * 1e6


async def memory_per_table(*, live: bool, tables: int) -> float:
    """Bytes in memory for a table of four, some rounds on, while it is played or when it was left alone."""
    with tempfile.TemporaryDirectory() as folder:
        async with await open_log(f"sqlite:///{folder}/kasta.sqlite") as log:
            service = Service(log, most_live=tables + 1 if live else 1)
            await begun(service, 4)
            gc.collect()
            tracemalloc.start()
            for _ in range(tables):
                table = await begun(service, 4)
                for turn, cell in enumerate(("c3", "c4", "c5"), 1):
                    for seat, place in (await service.table(table)).places.items():
                        await service.do(table, Play(place.device, turn, seat, 0, cell))
                    await service.do(table, Roll("host", turn))
            gc.collect()
            used = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            await service.close()
    return used / tables


@contextmanager
def postgres() -> Iterator[str]:
    if url := os.environ.get("KASTA_TEST_POSTGRES"):
        yield url
        return
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.stores.pg_server import Server

    server = Server()
    try:
        yield server.url
    finally:
        server.remove()


def main(size: Size) -> None:
    print("| store | waiting | bare driver, events/s | log, events/s | ratio | service, picks/s |")
    print("| --- | --: | --: | --: | --: | --: |")
    asyncio.run(compare_sqlite(size))
    with postgres() as url:
        asyncio.run(compare_postgres(url, size))
    print("\n| seats | µs per pick |\n| --: | --: |")
    for seats in size.seats:
        print(f"| {seats:,} | {asyncio.run(cost_per_pick(seats, size.picks)):.0f} |", flush=True)
    print("\n| a table of four | bytes in memory |\n| --- | --: |")
    for what, live in (("live", True), ("idle, in the store only", False)):
        print(f"| {what} | {asyncio.run(memory_per_table(live=live, tables=size.tables)):,.0f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    main(QUICK if parser.parse_args().quick else Size())
