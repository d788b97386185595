"""Three processes serve one table, and the same devices speak to all of them at once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kasta.core import Seat
from kasta.db import open_log
from kasta.errors import Conflict
from kasta.tables import events as e
from kasta.tables.commands import Play, Roll, Sit, TakeBack
from kasta.tables.log import Change, Log, Stored, change
from kasta.tables.service import Service
from kasta.tables.state import evolve, replay
from support.others import TESTS, with_packages
from support.stores.witness import Witness, digest, proven

PROCESSES = 3
HANG_SECONDS = 300


@pytest.mark.parametrize("game", ["knister", "yatzy", "knaster"])
async def test_three_processes_play_one_game(durable_url: str, game: str, tmp_path: Path):
    async with await open_log(durable_url) as log:
        table = (await Service(log).open("ada", game)).id
    acks = [tmp_path / f"acks-{number}" for number in range(PROCESSES)]
    _play_together(durable_url, acks, table)

    witness = Witness()
    for path in acks:
        witness.hear(path)  # no event is told to two processes
    async with await open_log(durable_url) as log:
        await witness.check(log)
        stored = await log.read(table)
    told = set(witness.events[table]) | {1}
    assert told == {each.seq for each in stored}, "an event stands in the log that nobody was answered with"
    _check_order(stored)
    assert {_last_seen(path) for path in acks} == {digest(replay(each.event for each in stored))}
    assert proven(stored)


async def test_a_throw_that_was_decided_before_a_take_back_does_not_fall_after_it(log: Log):
    """As many seats owe as before, but how many dice are thrown is another matter."""
    service = Service(log)
    name = (await service.open("ada", "yatzy")).id
    await service.do(name, Sit("ada", "Ada"))
    table = await service.do(name, Roll("ada", 0))
    filled = await service.do(name, Play("ada", 1, 0, 0, "fill chance"))
    late = change(filled, e.Rolled(2, (1, 2, 3, 4, 5)))
    await service.do(name, TakeBack("ada", 1, 0, 1))
    await service.do(name, Play("ada", 1, 0, 2, f"keep {table.faces[0]}"))
    with pytest.raises(Conflict):
        await log.append(late)


async def test_crowds_of_two_nodes_pick_at_the_same_tables_at_once(durable_url: str):
    """Both take picks of their own, and some that both are sent: each is there once, at a place of its own."""
    tables, heard = [f"t{number}" for number in range(12)], dict[tuple[str, int], e.AnyEvent]()
    async with await open_log(durable_url) as one, await open_log(durable_url) as two:
        for name in tables:
            opened = e.OpenedEvent(name, "knister", "sheet", e.Settings(), "host", "00")
            await one.create(opened, bytes(32))
            begun = evolve(None, opened)  # no store looks at it
            await one.append(Change(name, e.Rolled(1, (3, 5)), 0, None, None, 1, 60, 0, begun, begun))

        async def pick(log: Log, name: str, seat: int) -> None:
            event = e.Acted(1, Seat(seat), 0, "c3")
            seq = await log.append(Change(name, event, 1, None, None, 1, -1, 0, begun, begun))
            assert (name, seq) not in heard, "two events were told the same place"
            heard[name, seq] = event

        async def crowd(log: Log, seats: range) -> list[BaseException]:
            failed = list[BaseException | None]()
            for seat in seats:
                failed += await asyncio.gather(*(pick(log, name, seat) for name in tables), return_exceptions=True)
            return [error for error in failed if error]

        refused = chain(*await asyncio.gather(crowd(one, range(40)), crowd(two, range(59, 19, -1))))
        assert [type(error) for error in refused] == [Conflict] * 20 * len(tables)
        for name in tables:
            assert {(name, each.seq): each.event for each in (await two.read(name))[2:]}.items() <= heard.items()
            assert await two.counters(name) == (1, 0, 0)
    assert len(heard) == 60 * len(tables)


def _play_together(url: str, acks: list[Path], table: str) -> None:
    with ExitStack() as running:
        processes = [running.enter_context(_started(url, path, table)) for path in acks]
        for process in processes:
            process.stdout.readline()  # it is ready
        for process in processes:
            process.stdin.write(b"go\n")
            process.stdin.flush()
        for process in processes:
            _, errors = process.communicate(timeout=HANG_SECONDS)
            assert process.returncode == 0, errors.decode()


@contextmanager
def _started(url: str, acks: Path, table: str) -> Iterator[Any]:
    command: list[str | Path] = [sys.executable, "-m", "support.stores.load", url, acks, table]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=with_packages(TESTS)) as process:
        try:
            yield process
        finally:
            process.kill()


def _last_seen(acks: Path) -> str:
    seen: str = json.loads(acks.read_text().splitlines()[-1])["seen"]
    return seen


def _check_order(stored: list[Stored]) -> None:
    """One throw a round; each pick and take-back belongs to the throw before it; nobody picks twice on one."""
    turn, steps = 0, dict[int, int]()
    for each in stored:
        match each.event:
            case e.Rolled(turn=next_turn):
                assert next_turn == turn + 1
                turn, steps = next_turn, {}
            case e.Acted(turn=of, seat=seat, step=step) | e.TakenBack(turn=of, seat=seat, step=step):
                assert of == turn, f"event {each.seq} came after the next throw"
                assert step == steps.get(seat, 0)
                steps[seat] = step + 1
