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

from kasta.db import open_log
from soak.faults import Faults, Nuisance
from soak.history import untrue
from soak.ledger import Ledger, broken
from soak.nodes import FAKETIME, HANG_SECONDS, Clock, Node
from soak.players import World, play_games
from support.stores.pg_server import Server
from support.stores.witness import Witness

MINUTES = float(os.environ.get("KASTA_TEST_SOAK_MINUTES", "0"))
SEED = int(os.environ.get("KASTA_TEST_SOAK_SEED", random.randrange(10**6)))
TABLES = 8 if MINUTES else 3
THINK_SECONDS = 0.3
SMALLEST_JUMP = 300
NUISANCES = 2  # slow clients, and hostile ones


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
        await faults.until(lambda: len(nuisance.made) == NUISANCES)
        await gone_on(world.ledger)
        for task in tasks:
            task.cancel()


async def gone_on(ledger: Ledger) -> None:
    deadline = time.monotonic() + HANG_SECONDS
    waiting = {table: len(ledger.promises[table]) for table in ledger.playing}
    while waiting:
        assert time.monotonic() < deadline, f"tables stand still: {waiting}"
        await asyncio.sleep(0.1)
        for table in list(waiting):
            if table not in ledger.playing or len(ledger.promises[table]) > waiting[table]:
                del waiting[table]


@dataclass
class Kept:
    """What is wrong with a store, compared with what clients were told, and by which clocks it was written."""

    begun: float = field(default_factory=time.time)
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def read(self, url: str, ledger: Ledger) -> None:
        witness = Witness()
        witness.events.update(ledger.thrown)
        async with await open_log(url) as log:
            await witness.check(log)
            there = set(await log.tables())
            self.wrong += [f"lost: the table {table}" for table in ledger.promises.keys() - there]
            for table in ledger.promises.keys() & there:
                stored = await log.read(table)
                self.times += [each.at for each in stored]
                events, history = [each.event for each in stored], ledger.histories[table]
                broke = broken(ledger.promises[table], events, history.asked) + untrue(history, events)
                self.wrong += [f"{table} {each}" for each in broke]

    @property
    def clocks_were_wrong(self) -> bool:
        """Both ways, or this test has not done what it says."""
        return min(self.times) < self.begun - SMALLEST_JUMP and max(self.times) > time.time() + SMALLEST_JUMP


def said_by_check(url: str) -> str:
    command = [sys.executable, "-m", "kasta", "store", "check", "--store", url]
    return subprocess.check_output(command, timeout=HANG_SECONDS, text=True)


def report(faults: Faults, nuisance: Nuisance, memory: Memory, ledger: Ledger) -> str:
    made = ", ".join(f"{name} {times}" for name, times in sorted((faults.made + nuisance.made).items()))
    answers = ", ".join(f"{status} {times:,}" for status, times in sorted(ledger.answers.items()))
    first, last = memory.thirds
    return (
        f"faults: {made}\npicks acknowledged: {ledger.picks:,} at {len(ledger.promises)} tables, "
        f"{ledger.games} games played to their end\nanswers: {answers}; lost: {ledger.lost:,}\n"
        f"memory: {first:.0f} MB after the first third, {last:.0f} MB at the end"
    )


async def test_whatever_goes_wrong_nothing_acknowledged_is_lost(store: tuple[str, Server | None], tmp_path: Path):
    if FAKETIME is None:
        assert os.environ.get("CI") != "true", "faketime is not installed"
        print("faketime is not installed: no clock is set")
    url, database = store
    clock, ledger, kept = Clock(tmp_path / "clock"), Ledger(), Kept()
    nodes = tuple(Node(url, tmp_path / f"errors-{number}", clock) for number in range(2))
    faults = Faults(url, (nodes[0], nodes[1]), clock, ledger, random.Random(SEED), database)
    memory, ports = Memory(nodes[1]), [node.port for node in nodes]
    nuisance = Nuisance(ports, ledger, random.Random(SEED))
    print(f"seed {SEED}")
    with nodes[0], nodes[1]:
        await nuisance.prepare()
        async with httpx.AsyncClient(timeout=HANG_SECONDS, trust_env=False) as client:
            await run(faults, nuisance, memory, World(client, ports, ledger, random.Random(SEED), THINK_SECONDS))
    nuisance.settle()
    print(report(faults, nuisance, memory, ledger))
    await kept.read(url, ledger)
    assert ledger.wrong + kept.wrong == []
    assert kept.clocks_were_wrong or FAKETIME is None
    assert not MINUTES or memory.is_flat  # within seconds, a process has just begun
    said = [re.findall(r"Traceback.*", node.errors.read_text()) for node in nodes]
    assert said == [[], []], "a server met something that it did not expect"
    assert said_by_check(url) == "All is well.\n"
