"""How long bots take: four of the best at one table, and one beside a client with many tables.

`python bench/players/bots.py`, or, where a machine is busy with other things, `--pretend`: then a thought is half
a second of sleep, and what is measured is how thoughts are shared out among tables and processes. A first throw,
before which all that bots need is loaded or compiled, is not counted.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from kasta.db.sqlite.memory import MemoryLog
from kasta.jobs import bots as bot_process
from kasta.tables import events as e
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.service import Service

QUICK = "--quick" in sys.argv  # measure little: does it run?
THROWS, PICKS = (2, 2) if QUICK else (10, 8)
THOUGHT_SECONDS = 0.01 if QUICK else 0.5  # where bots only pretend
CROWD_TABLES, CROWD_BOTS = 6, 20


@asynccontextmanager
async def serving() -> AsyncIterator[Service]:
    async with MemoryLog() as log:
        service = Service(log, auto_seconds=0)
        try:
            yield service
        finally:
            await service.close()


async def opened(service: Service, host: str, game: str, bots: int, thrower: str = "host") -> str:
    table = (await service.open(host, game, settings=e.Settings(thrower=thrower))).id  # type: ignore[arg-type]
    for number in range(bots):
        await service.do(table, Sit(host, f"Bot {number}", bot="best"))
    return table


async def ready(service: Service, table: str, host: str) -> None:
    """A first throw, however long it takes."""
    patience, bot_process.PATIENCE_SECONDS = bot_process.PATIENCE_SECONDS, 600.0
    await throws(service, table, host, 1)
    bot_process.PATIENCE_SECONDS = patience


async def throws(service: Service, table: str, host: str, count: int) -> list[float]:
    """Seconds from each throw until all bots have picked."""
    took = []
    for _ in range(count):
        now = await service.do(table, Roll(host, (await service.table(table)).turn))
        began = time.perf_counter()
        async with aclosing(service.changes(table)) as changes:
            async for seen in changes:
                if seen.turn == now.turn and not seen.owing:
                    break
        took.append(time.perf_counter() - began)
    return took


async def picks(service: Service, table: str, host: str, count: int) -> list[float]:
    """Seconds from each throw until the only bot has picked, while the host picks, too."""
    took = []
    for turn in range(count):
        await service.do(table, Roll(host, turn))
        began = time.perf_counter()
        async with aclosing(service.changes(table)) as changes:
            async for seen in changes:
                if not seen.is_due(0):
                    break
        took.append(time.perf_counter() - began)
        cell = next(iter(seen.game.legal(seen.play, 1)))
        await service.do(table, Play(host, turn + 1, 1, 0, str(cell)))
    return took


def pretend_to_choose(known: bot_process.Known, seen: Any, legal: list[Any], mood: float) -> str:  # noqa: ANN401, ARG001
    time.sleep(THOUGHT_SECONDS)
    return str(legal[0])


def pretend_to_warm(bot: str, name: str, rules: str) -> None:  # noqa: ARG001
    time.sleep(THOUGHT_SECONDS)


def memory() -> str:
    """Of the processes in which bots think: how many, and MB of their own in all."""
    found = []
    for entry in Path(f"/proc/self/task/{Path('/proc/self').resolve().name}").glob("children"):
        for child in entry.read_text("ascii").split():
            lines = Path(f"/proc/{child}/smaps_rollup").read_text("ascii").splitlines()
            found.append(sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) // 1024)
    return f"{len([size for size in found if size > 20])} processes, {sum(found)} MB"


def told(what: str, took: list[float]) -> None:
    middle, mean = statistics.median(took), statistics.mean(took)
    print(f"{what}: median {middle:.2f} s, mean {mean:.2f} s, max {max(took):.2f} s", flush=True)


async def main() -> None:
    async with serving() as service:
        table = await opened(service, "anna", "knaster", 4)
        await ready(service, table, "anna")
        told(f"Knaster, four of the best, {THROWS} throws", await throws(service, table, "anna", THROWS))
        print("  " + memory())
    async with serving() as service:
        await ready(service, await opened(service, "tim", "knister", 2), "tim")
        crowd = [await opened(service, "eve", "knister", CROWD_BOTS, "auto") for _ in range(CROWD_TABLES)]
        table = await opened(service, "tim", "knister", 1)
        await service.do(table, Sit("tim", "Tim"))
        told("Knister, the only bot of a table, alone", await picks(service, table, "tim", PICKS))
        for busy in crowd:
            await service.do(busy, Roll("eve", 0))
        table = await opened(service, "lena", "knister", 1)
        await service.do(table, Sit("lena", "Lena"))
        told("  beside 6 tables of 20 bots of another client", await picks(service, table, "lena", PICKS))
        print("  " + memory())


if __name__ == "__main__":
    if QUICK or "--pretend" in sys.argv:
        bot_process._choose, bot_process._warm = pretend_to_choose, pretend_to_warm  # noqa: SLF001
    asyncio.run(main())
