"""Processor time for each event in PostgreSQL, of client and server together: our log beside the bare driver.

`python bench/postgres_cost.py` prints a table for bench/results.md. A busy machine hardly changes it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from itertools import count
from pathlib import Path

import psutil
from stores import Append, BarePostgres, log_append

from kasta.db import open_log

ROUNDS = 9
SIZES = ((1, 600), (64, 12_000), (1_000, 30_000))  # how many wait, and how many are written
QUICK = ((2, 20),)


def used(pid: int) -> float:
    """Seconds of processor time of this process and of the database, with all that it has started."""
    server = psutil.Process(pid)
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    ended = times[0].children_user + times[0].children_system
    return float(time.process_time() + ended + sum(each.user + each.system for each in times))


async def cost(pid: int, append: Append, waiting: int, events: int) -> float:
    numbers, before = count(), used(pid)

    async def one_after_the_other() -> None:
        while (number := next(numbers)) < events:
            await append(number)

    await asyncio.gather(*(one_after_the_other() for _ in range(waiting)))
    return (used(pid) - before) / events * 1e6


async def compare(url: str, pid: int, waiting: int, events: int) -> None:
    plain, ours = [], []
    for _ in range(ROUNDS):
        bare = await BarePostgres.open(url)
        plain.append(await cost(pid, bare.append, waiting, events))
        await bare.stop()
        async with await open_log(url) as log:
            ours.append(await cost(pid, await log_append(log), waiting, events))
            for name in await log.tables():
                await log.delete(name)
    driver, log_cost = statistics.median(plain), statistics.median(ours)
    print(f"| {waiting:,} | {driver:.0f} | {log_cost:.0f} | {driver / log_cost:.0%} |", flush=True)


def main(sizes: tuple[tuple[int, int], ...]) -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.stores.pg_server import Server

    server = Server()
    try:
        print("| waiting | bare driver, µs an event | log, µs an event | ratio |\n| --: | --: | --: | --: |")
        for waiting, events in sizes:
            asyncio.run(compare(server.url, server.pid, waiting, events))
    finally:
        server.remove()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    main(QUICK if parser.parse_args().quick else SIZES)
