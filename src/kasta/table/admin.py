"""For the person who hosts: look after a store, whatever kind it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from kasta import dice
from kasta.errors import Conflict, KastaError, Unreadable
from kasta.table import events as e
from kasta.table.log import Log, Seq, Stored, change
from kasta.table.state import evolve, replay

BACKUP_VERSION = 1
SIGNING = "signing"  # the key that signs who is who
AT_ONCE = 64  # tables restored side by side, so that they share commits


async def check(log: Log) -> AsyncIterator[tuple[str | None, str]]:
    """Everything that is wrong: with the store itself (None), or with a table's log, counters or secret."""
    for problem in await log.check():
        yield None, problem
    for name in await log.tables():
        try:
            before = await log.counters(name)
            table = replay([stored.event for stored in await log.read(name)])
            if before == await log.counters(name) != (table.turn, table.owing, table.guard):
                yield name, "the counters do not fit the log, so the table cannot go on"
            if dice.commitment(await log.secret(name)) != table.commitment:
                yield name, "the secret is not the one that was committed to"
        except KastaError as error:
            yield name, str(error)


async def forget(log: Log, name: str) -> int:
    """Put "Player 3" in place of every name at a table. The log stays as good as it was."""
    changed: list[tuple[Seq, e.AnyEvent]] = []
    for stored in await log.read(name):
        match stored.event:
            case e.Seated(seat=seat) | e.Renamed(seat=seat):
                changed.append((stored.seq, replace(stored.event, name=f"Player {seat + 1}")))
            case e.Waited():
                changed.append((stored.seq, replace(stored.event, name=f"Guest {stored.seq}")))
    await log.rewrite(name, changed)
    return len(changed)


async def backup(log: Log) -> AsyncIterator[str]:
    """Every table as lines of JSON, which any kind of store can restore. It holds the secrets of open games."""
    yield json.dumps({"kasta_store": BACKUP_VERSION}) + "\n"
    yield json.dumps({"key": (await log.key(SIGNING, dice.new_secret())).hex()}) + "\n"
    for name in await log.tables():
        secret = await log.secret(name)
        yield json.dumps({"table": name, "secret": secret.hex()}) + "\n"
        for stored in await log.read(name):
            body = e.encode(stored.event).decode()
            yield json.dumps({"at": stored.at, "event": json.loads(body)}, ensure_ascii=False) + "\n"


async def restore(log: Log, lines: Iterable[bytes]) -> int:
    """Put a backup into a store. Tables that are there already are left alone. How many were restored."""
    waiting: set[asyncio.Task[bool]] = set()
    restored = 0
    for secret, stored in _tables(await _restore_key(log, lines)):
        waiting.add(asyncio.create_task(_restore_table(log, secret, stored)))
        if len(waiting) >= AT_ONCE:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            restored += sum(task.result() for task in done)
    return restored + sum(await asyncio.gather(*waiting))


async def _restore_key(log: Log, lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Take the head of a backup, and give the rest of its lines with their numbers."""
    rest = ((number, _read_line(raw, number)) for number, raw in enumerate(lines, 1))
    if next(rest, (1, {}))[1] != {"kasta_store": BACKUP_VERSION}:
        raise Unreadable("not_a_backup", line=1)
    number, data = next(rest, (2, {}))
    if "key" not in data:
        raise Unreadable("not_a_backup", line=number)
    await log.key(SIGNING, bytes.fromhex(data["key"]))
    return rest


async def _restore_table(log: Log, secret: bytes, stored: list[Stored]) -> bool:
    opened = stored[0].event
    if not isinstance(opened, e.Opened):
        raise Unreadable("not_a_backup")
    events = [each.event for each in stored]
    replay(events)  # nothing is written of a table that would not play on
    have: list[e.AnyEvent] = [opened]
    try:
        await log.create(opened, secret, stored[0].at)
    except Conflict:
        have = [each.event for each in await log.read(opened.table)]
        if len(have) == len(events) or have != events[: len(have)]:
            return False
    table = replay(have)  # an interrupted restore goes on where it stopped
    for each in stored[len(have) :]:
        await log.append(change(table, each.event), each.at)
        table = evolve(table, each.event)
    return True


def _tables(lines: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[tuple[bytes, list[Stored]]]:
    """The tables of a backup: each one's secret and events."""
    secret, stored = b"", list[Stored]()
    for _, data in lines:
        if "table" in data:
            if stored:
                yield secret, stored
            secret, stored = bytes.fromhex(data["secret"]), []
        else:
            event = e.decode(json.dumps(data["event"]).encode())
            stored.append(Stored(Seq(len(stored) + 1), event, data["at"]))
    if stored:
        yield secret, stored


def _read_line(raw: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(raw)
    except ValueError as error:
        raise Unreadable("not_json", reason=str(error), line=number) from None
    if not isinstance(data, dict) or not ({"kasta_store", "key", "table", "event"} & data.keys()):
        raise Unreadable("not_a_backup", line=number)
    return data
