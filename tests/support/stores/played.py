"""Stores with games in them, and a way behind Kasta's back to what they hold."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg

from kasta.errors import Conflict, Illegal, KastaError
from kasta.tables.log import Log, Stored
from kasta.tables.service import Service
from support.sites import backup
from support.stores.load import DEVICES, GAMES, next_command

PREFIX = {"sqlite": "", "postgresql": "kasta_"}  # of the names in each kind of store


@asynccontextmanager
async def served(log: Log) -> AsyncIterator[Service]:
    """A process that begins to serve the store, and ends."""
    service = Service(log, auto_seconds=0)
    try:
        yield service
    finally:
        await service.close()


async def lines_of(log: Log) -> list[bytes]:
    """A backup of a store in which nothing is damaged."""
    damaged = list[KastaError]()
    lines = [line.encode() async for line in backup(log, damaged.append)]
    assert not damaged
    return lines


async def play_some(log: Log, moves: int = 40) -> list[str]:
    """A table of each game, some moves on."""
    service = Service(log)
    names = [(await service.open(DEVICES[0], game)).id for game in GAMES]
    for name in names:
        await play_on(service, name, moves)
    await service.close()
    return names


async def play_on(service: Service, name: str, moves: int = 1) -> None:
    """So many moves of people at a table, beside those of its bot."""
    rng = random.Random()
    while moves:
        table = await service.table(name)
        assert not table.is_closed
        command = next_command(table, rng.choice(DEVICES), rng)
        if command is None:
            await asyncio.sleep(0)
            continue
        with suppress(Conflict, Illegal):  # the bot was quicker
            await service.do(name, command)
            moves -= 1


async def contents(log: Log) -> dict[str, tuple[bytes, list[Stored]]]:
    """Everything that is in a store."""
    return {name: (await log.secret(name), await log.read(name)) for name in await log.tables()}


async def alter(url: str, sql: str, *values: object) -> None:
    """Change a store without Kasta: write `{}events` for the table of that name, and `$1` for a value."""
    statement = sql.format(PREFIX[url.partition(":")[0]])
    if url.startswith("sqlite"):
        db = sqlite3.connect(url.removeprefix("sqlite:///"))
        with db:
            db.execute(statement.replace("$", "?"), values)
        db.close()
    else:
        connection = await asyncpg.connect(url)
        await connection.execute(statement, *values)
        await connection.close()
