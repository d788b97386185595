"""Clients of two nodes, and one fault after the other: what was acknowledged is kept, and nothing is told early.

KASTA_TEST_FAULTS sets how many; `make history` asks for 1,000 on each store. KASTA_TEST_SOAK_SEED repeats a run.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from soak.ledger import Ledger
from soak.nodes import Clock, ForkedNode
from soak.players import World, play_games
from soak.storm import Storm
from soak.test_soak import SEED, Kept, gone_on, said_by_check
from support.relays import SilentRelay
from support.stores.pg_server import Server

FAULTS = int(os.environ.get("KASTA_TEST_FAULTS", "0"))
TABLES = 4
THINK_SECONDS = 0.05
ANSWER_SECONDS = 4  # a client that waits for longer asks another node

Stores = tuple[str, str, Server | None, SilentRelay | None]


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    """Its address, that for nodes, and what can be done to it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'kasta.sqlite'}"
        yield url, url, None, None
        return
    server = Server()
    relay = SilentRelay(server.socket)
    yield server.url, await relay.start(), server, relay
    await relay.stop()
    server.remove()


@asynccontextmanager
async def running(*nodes: ForkedNode) -> AsyncIterator[None]:
    """They begin and end in threads: what passes on between them and the database is at work here."""
    begun = list[ForkedNode]()
    try:
        for node in nodes:
            begun.append(await asyncio.to_thread(node.__enter__))
        yield
    finally:
        await asyncio.gather(*(asyncio.to_thread(node.__exit__) for node in begun))


async def run(storm: Storm, world: World) -> None:
    async with asyncio.TaskGroup() as group:
        players = [group.create_task(play_games(world)) for _ in range(TABLES)]
        await storm.make_many(FAULTS or 1)
        await gone_on(world.ledger)
        for player in players:
            player.cancel()


def report(storm: Storm, ledger: Ledger, wrong: list[str]) -> str:
    made = ", ".join(f"{name} {times}" for name, times in sorted(storm.made.items()))
    kinds = Counter(re.findall(r"\b(lost|doubled|early|stale|out of order)\b", " ".join(wrong)))
    found = ", ".join(f"{kinds[kind]} {kind}" for kind in ("lost", "doubled", "early", "stale", "out of order"))
    told = sum(len(history.told) for history in ledger.histories.values())
    answers = ", ".join(f"{status} {times:,}" for status, times in sorted(ledger.answers.items()))
    return (
        f"seed {SEED}\n{storm.made.total()} faults: {made}\n"
        f"picks acknowledged: {ledger.picks:,} at {len(ledger.promises)} tables, {ledger.games} games over\n"
        f"answers: {answers}; never came: {ledger.lost:,}; different ones compared with the log: {told:,}\n"
        f"found: {found}"
    )


async def test_clients_are_told_the_truth_and_in_time_whatever_goes_wrong(store: Stores, tmp_path: Path):
    url, through, database, relay = store
    ledger, kept, rng = Ledger(), Kept(), random.Random(SEED)
    nodes = ForkedNode(through, tmp_path / "errors-0"), ForkedNode(through, tmp_path / "errors-1")
    storm = Storm(url, nodes, Clock(tmp_path / "clock"), ledger, rng, database, relay=relay)
    async with running(*nodes), httpx.AsyncClient(timeout=ANSWER_SECONDS, trust_env=False) as client:
        world = World(client, [node.port for node in nodes], ledger, random.Random(SEED), THINK_SECONDS)
        await run(storm, world)
    await kept.read(url, ledger)
    print(report(storm, ledger, ledger.wrong + kept.wrong))
    assert ledger.wrong + kept.wrong == []
    said = [re.findall(r"Traceback.*", node.errors.read_text()) for node in nodes if node.errors.exists()]
    assert not any(said), "a server met something that it did not expect"
    assert said_by_check(url) == "All is well.\n"
