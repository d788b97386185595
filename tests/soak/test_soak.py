"""Games are played while all that can go wrong goes wrong: nothing that was acknowledged is lost or doubled.

KASTA_TEST_SOAK_MINUTES sets how long; `make torture` asks for 30. KASTA_TEST_SOAK_SEED repeats the order of a run.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from pg_server import Server
from soak_faults import Faults, Nuisance
from soak_ledger import Ledger, broken
from soak_nodes import FAKETIME, HANG_SECONDS, Clock, Node
from soak_players import World, play_games
from witness import Witness

from kasta.store import open_log

MINUTES = float(os.environ.get("KASTA_TEST_SOAK_MINUTES", "0"))
SEED = int(os.environ.get("KASTA_TEST_SOAK_SEED", random.randrange(10**6)))
TABLES = 8 if MINUTES else 3
THINK_SECONDS = 0.3


@dataclass
class Memory:
    """What the second node takes; it is not killed after the first sixth."""

    node: Node
    samples: list[float] = field(default_factory=list)

    async def sample(self) -> None:
        while True:
            with suppress(OSError, TypeError):  # it is being killed
                self.samples.append(self.node.megabytes)
            await asyncio.sleep(0.25)

    @property
    def thirds(self) -> tuple[float, float]:
        """At the end of the first third, and at that of the last."""
        return self.samples[len(self.samples) // 3], self.samples[-1]

    @property
    def is_flat(self) -> bool:
        first, last = self.thirds
        return last <= 1.2 * first + 20


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Server | None]]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'kasta.sqlite'}", None
        return
    server = Server()
    yield server.url, server
    server.remove()


async def run(faults: Faults, nuisance: Nuisance, memory: Memory, world: World) -> None:
    """Play until all faults were made, and until every table has gone on after the last one."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(play_games(world)) for _ in range(TABLES)]
        tasks += [group.create_task(nuisance.go_on()), group.create_task(memory.sample())]
        await faults.make(60 * MINUTES)
        await _gone_on(world.ledger)
        for task in tasks:
            task.cancel()


async def _gone_on(ledger: Ledger) -> None:
    before, deadline = {table: len(ledger.promises[table]) for table in ledger.playing}, time.monotonic() + HANG_SECONDS
    while stuck := [table for table in before.keys() & ledger.playing if len(ledger.promises[table]) == before[table]]:
        assert time.monotonic() < deadline, f"tables stand still: {stuck}"
        await asyncio.sleep(0.1)


async def kept(url: str, ledger: Ledger) -> list[str]:
    """What is wrong with the store, compared with what clients were told."""
    witness = Witness()
    witness.events.update(ledger.thrown)
    async with await open_log(url) as log:
        await witness.check(log)
        gone = set(ledger.promises) - set(await log.tables())
        wrong = [f"gone: {table}" for table in gone]
        for table, promises in ledger.promises.items():
            if table not in gone:
                wrong += [f"{table} {each}" for each in broken(promises, [s.event for s in await log.read(table)])]
    return wrong


def report(faults: Faults, nuisance: Nuisance, memory: Memory, ledger: Ledger) -> str:
    made = ", ".join(f"{name} {times}" for name, times in sorted((faults.made + nuisance.made).items()))
    answers = ", ".join(f"{status} {times:,}" for status, times in sorted(ledger.answers.items()))
    first, last = memory.thirds
    return (
        f"seed {SEED}\nfaults: {made}\npicks acknowledged: {ledger.picks:,} at {len(ledger.promises)} tables, "
        f"{ledger.games} games played to their end\nanswers: {answers}; lost: {ledger.lost:,}\n"
        f"memory: {first:.0f} MB after the first third, {last:.0f} MB at the end"
    )


async def test_whatever_goes_wrong_nothing_acknowledged_is_lost(store: tuple[str, Server | None], tmp_path: Path):
    if FAKETIME is None:
        assert os.environ.get("CI") != "true", "faketime is not installed"
        print("faketime is not installed: no clock is set")
    url, database = store
    rng, clock, ledger = random.Random(SEED), Clock(tmp_path / "clock"), Ledger()
    nodes = tuple(Node(url, tmp_path / f"errors-{number}", clock) for number in range(2))
    faults = Faults(url, (nodes[0], nodes[1]), clock, ledger, rng, database)
    memory, ports = Memory(nodes[1]), [node.port for node in nodes]
    nuisance = Nuisance(ports, ledger, random.Random(SEED))
    for node in nodes:
        node.start()
    try:
        await nuisance.prepare()
        async with httpx.AsyncClient(timeout=HANG_SECONDS, trust_env=False) as client:
            await run(faults, nuisance, memory, World(client, ports, ledger, rng, THINK_SECONDS))
    finally:
        for node in nodes:
            node.stop()
        nuisance.settle()
        if memory.samples:
            print(report(faults, nuisance, memory, ledger))
    assert ledger.wrong == []
    assert await kept(url, ledger) == []
    assert memory.is_flat
    said = [re.findall(r"Traceback.*", node.errors.read_text()) for node in nodes]
    assert said == [[], []], "a server met something that it did not expect"
    check = [sys.executable, "-m", "kasta", "store", "check", "--store", url]
    subprocess.run(check, check=True, timeout=HANG_SECONDS)
