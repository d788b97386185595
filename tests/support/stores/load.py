"""A process that serves tables under load: `load.py URL ACKS [TABLE]`.

Several devices, each with two tabs, throw, pick and take back as fast as they are answered. Whatever is answered
is written to ACKS right away. With a table it plays that one to its end; else it plays on until it is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import AsyncGenerator, Callable, Sequence

from kasta.core import Over, Pick, Seat, Throw
from kasta.db import open_log
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.tables.commands import Command, Play, Roll, Sit, TakeBack
from kasta.tables.events import AnyEvent, OpenedEvent, encode
from kasta.tables.log import Change, Log, Seq
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.stores.witness import digest

DEVICES = ("ada", "bo", "cleo", "dag")
TABS = 2
TABLES = 4
GAMES = ("knister", "knaster", "yatzy")

Trouble = tuple[type[KastaError], ...]


class Acks:
    """What has been answered, one line of JSON each, straight to the file: nothing is lost with the process."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, **line: object) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")

    def event(self, table: str, seq: int, event: AnyEvent) -> None:
        self.write(table=table, seq=seq, event=encode(event).decode())

    def seen(self, table: Table) -> None:
        self.write(table=table.id, seen=digest(table))


def listen(log: Log, acks: Acks) -> None:
    """Write down each event as soon as the log has said that it is durable, before anybody else hears of it."""
    create, append, append_in_a_row = log.create, log.append, log.append_in_a_row

    async def created(
        opened: OpenedEvent, secret: bytes, at: float | None = None, then: Sequence[Change] = ()
    ) -> None:
        await create(opened, secret, at, then)
        acks.event(opened.table, 1, opened)

    async def appended(change: Change, at: float | None = None) -> Seq:
        seq = await append(change, at)
        acks.event(change.table, seq, change.event)
        return seq

    async def appended_in_a_row(changes: Sequence[Change]) -> AsyncGenerator[Seq]:
        row = iter(changes)
        async for seq in append_in_a_row(changes):
            change = next(row)
            acks.event(change.table, seq, change.event)
            yield seq

    log.create, log.append = created, appended  # type: ignore[method-assign]
    log.append_in_a_row = appended_in_a_row  # type: ignore[method-assign]


def next_command(table: Table, device: str, rng: random.Random) -> Command | None:
    """What somebody at a device may want to do now; sometimes it is nothing, and sometimes not allowed."""
    if table.turn == 0:
        if device not in table.devices:
            return Sit(device, device.title(), entropy=device)
        if device == table.host and len(table.places) < len(DEVICES) + 1:
            return Sit(device, "Robot", bot="greedy") if len(table.places) == len(DEVICES) else None
        return Roll(device, 0) if device == table.host else None
    mine = [seat for seat, place in table.places.items() if place.device == device and not place.bot]
    seat = rng.choice(mine)
    match table.next():
        case Throw(_, roller) if roller == seat and rng.random() < 0.7:
            return Roll(device, table.turn)
        case Pick(_, is_due) if is_due(seat):
            return Play(device, table.turn, seat, table.step(seat), _choice(table, seat, rng))
        case Throw() | Pick() if rng.random() < 0.1 and table.step(seat):
            return TakeBack(device, table.turn, seat, table.step(seat))
    return None


def _choice(table: Table, seat: Seat, rng: random.Random) -> str:
    return str(rng.choice(table.game.legal(table.play, seat)))


async def play(service: Service, name: str, device: str, saw: Callable[[Table], None], trouble: Trouble) -> None:
    """One tab of one device, until the table is closed."""
    rng = random.Random()
    table: Table | None = None
    while table is None or not table.is_closed:
        command = next_command(table, device, rng) if table else None
        try:
            if command is None:
                table = await service.table(name)
                await asyncio.sleep(rng.random() * 0.01)
            else:
                table = await service.do(name, command)
                saw(table)
        except (Conflict, Illegal):
            table = None
        except trouble as error:
            await wait_for_store(error)
            table = None


async def wait_for_store(error: KastaError) -> None:
    """A store may be gone for a while. One that is damaged is what these tests look for."""
    if error.code != "store_failed":
        raise error
    await asyncio.sleep(0.1)


async def play_all(service: Service, name: str, acks: Acks, trouble: Trouble) -> None:
    tabs = [play(service, name, device, acks.seen, trouble) for device in DEVICES for _ in range(TABS)]
    await asyncio.gather(*tabs)


async def serve(service: Service, log: Log, acks: Acks, trouble: Trouble) -> None:
    """Go on with the tables there are, and open a new one for each that ends."""
    old = [name for name in await log.tables() if not (await service.table(name)).is_closed]

    async def one_after_the_other() -> None:
        while True:
            try:
                name = old.pop() if old else (await service.open(DEVICES[0], random.choice(GAMES))).id
                await play_all(service, name, acks, trouble)
            except trouble as error:
                await wait_for_store(error)

    acks.write(ready=True)
    await asyncio.gather(*(one_after_the_other() for _ in range(TABLES)))


async def main(url: str, path: str, table: str | None = None) -> None:
    trouble = (
        (Unavailable,) if url.startswith("postgres") else ()
    )  # a database may be gone for a while, a file not
    acks = Acks(path)
    async with await open_log(url) as log:
        listen(log, acks)
        service = Service(log, most_live=TABLES - 1)  # one too few: tables leave memory and come back all the time
        if table is None:
            await serve(service, log, acks, trouble)
        else:
            print("ready", flush=True)
            await asyncio.to_thread(sys.stdin.readline)  # all processes begin together
            await play_all(service, table, acks, trouble)
            last = await service.table(table)
            assert isinstance(last.next(), Over)
            acks.seen(last)
        await service.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
