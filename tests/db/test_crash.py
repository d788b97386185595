"""Processes are killed at random instants: nothing that was answered is lost, doubled or out of place.

KASTA_TEST_CRASHES sets how often; `make torture` asks for 1,000. What fails prints its KASTA_TEST_CRASH_SEED,
which repeats the instants as far as the machine lets it. Processes are forked from one that has loaded Kasta:
loading takes longer than all else.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from pathlib import Path
from typing import Self

from kasta.db import open_log
from support.forked import FORKING
from support.stores import load
from support.stores.pg_server import Server
from support.stores.witness import Witness

CRASHES = int(os.environ.get("KASTA_TEST_CRASHES", "5"))
SERVER_CRASHES = 1 + CRASHES // 20
SEED = int(os.environ.get("KASTA_TEST_CRASH_SEED", random.randrange(10**6)))
HANG_SECONDS = 120


def _serve(url: str, acks: Path, errors: Path) -> None:
    with errors.open("wb") as file:
        os.dup2(file.fileno(), 2)  # a pipe that nobody reads would fill up
    asyncio.run(load.main(url, str(acks)))


class Life:
    """One process under load, from its start until it is killed."""

    def __init__(self, url: str, acks: Path) -> None:
        self._acks, self._errors = acks, acks.with_suffix(".errors")
        self._process = FORKING.Process(target=_serve, args=(url, acks, self._errors))
        self._process.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def wait_for_answers(self, more: int = 1) -> None:
        wanted = self._size() + more
        deadline = time.monotonic() + HANG_SECONDS
        while self._size() < wanted:
            assert self._process.is_alive(), self._errors.read_text()
            assert time.monotonic() < deadline, "the process under load hangs"
            time.sleep(0.005)

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        assert self._process.exitcode == -signal.SIGKILL, self._errors.read_text()

    def _size(self) -> int:
        return self._acks.stat().st_size if self._acks.exists() else 0


def seeded() -> random.Random:
    print(f"KASTA_TEST_CRASH_SEED={SEED}")
    return random.Random(SEED)


async def test_a_killed_process_loses_nothing_that_was_answered(durable_url: str, tmp_path: Path):
    rng, witness = seeded(), Witness()
    for number in range(CRASHES):
        acks = tmp_path / f"acks-{number}"
        with Life(durable_url, acks) as life:
            if rng.random() < 0.85:
                life.wait_for_answers()
                await asyncio.sleep(rng.random() * 0.6)
            else:
                await asyncio.sleep(rng.random() * 0.8)  # perhaps while it starts or makes the store
            life.kill()
        if acks.exists():
            witness.hear(acks)
        async with await open_log(durable_url) as log:
            await witness.check(log)
            await witness.forget_closed(log)


async def test_a_killed_database_loses_nothing_that_was_answered(own_server: Server, tmp_path: Path):
    rng, witness = seeded(), Witness()
    acks = tmp_path / "acks"
    with Life(own_server.url, acks) as life:
        for _ in range(SERVER_CRASHES):
            life.wait_for_answers(more=20_000)
            await asyncio.sleep(rng.random() * 0.3)
            own_server.kill()
            own_server.start()
        life.wait_for_answers(more=20_000)  # the same process goes on with the same tables
        life.kill()
    witness.hear(acks)
    async with await open_log(own_server.url) as log:
        await witness.check(log)
