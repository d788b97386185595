"""Compares what processes were answered with what the store holds."""

from __future__ import annotations

import hashlib
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kasta.core import Seat
from kasta.db import admin
from kasta.record import write_record
from kasta.tables.events import encode
from kasta.tables.log import Log, Stored
from kasta.tables.records import record
from kasta.tables.state import Table, evolve
from kasta.verify import check_dice


def digest(table: Table) -> str:
    """The same in every process for equal tables, and for no others."""
    places = sorted(
        (seat, repr(place), table.step(seat), _sheet(table, seat)) for seat, place in table.places.items()
    )
    rest = (table.id, table.settings, table.host, table.turn, table.owing, table.guard, table.faces, table.secret)
    return hashlib.sha256(repr((places, rest)).encode()).hexdigest()


def _sheet(table: Table, seat: Seat) -> str:
    return "" if table.play is None else repr(table.game.sheet(table.play, seat))


class Witness:
    def __init__(self) -> None:
        self.events: defaultdict[str, dict[int, str]] = defaultdict(dict)
        self.seen: defaultdict[str, list[str]] = defaultdict(list)

    def hear(self, acks: Path) -> None:
        """Take note of what a process was answered. No event may be told twice."""
        for line in acks.read_text().splitlines():
            told = json.loads(line)
            if "seq" in told:
                events = self.events[told["table"]]
                assert told["seq"] not in events, "two commands were answered with the same event"
                events[told["seq"]] = told["event"]
            elif "seen" in told:
                self.seen[told["table"]].append(told["seen"])

    async def check(self, log: Log) -> None:
        """Everything that was answered is there, once and in its place, and nothing is wrong with the rest."""
        assert [problem async for problem in admin.check(log)] == []
        for name in {*await log.tables(), *self.events}:
            self._check_table(name, await log.read(name))

    def _check_table(self, name: str, stored: list[Stored]) -> None:
        assert [each.seq for each in stored] == list(range(1, len(stored) + 1)), "a gap"
        bodies = [encode(each.event).decode() for each in stored]
        lost = {seq: body for seq, body in self.events[name].items() if bodies[seq - 1 : seq] != [body]}
        assert not lost, "answered, but not in its place in the log"
        assert len(set(bodies)) == len(bodies), "an event stands there twice"
        keys = [each.event.key for each in stored if each.event.key]
        assert len(set(keys)) == len(keys), "a seat's step stands there twice"
        strange = set(self.seen[name]) - set(_digests(stored))
        assert not strange, "a table was seen that the log does not replay to"

    async def forget_closed(self, log: Log) -> None:
        """Prove the dice of tables that are over, and delete them, so that a long run stays quick."""
        for name in await log.tables():
            stored = await log.read(name)
            if stored[-1].event.__class__.__name__ == "Closed":
                assert proven(stored)
                await log.delete(name)
                self.events.pop(name, None)
                self.seen.pop(name, None)


def _digests(stored: list[Stored]) -> Iterator[str]:
    table: Table | None = None
    for each in stored:
        table = evolve(table, each.event)
        yield digest(table)


def proven(stored: list[Stored]) -> bool:
    """Whether the dice of a closed table were those that had been fixed before."""
    lines = "\n".join(write_record(*record(each.event for each in stored)))
    return check_dice(io.BytesIO(lines.encode())).dice == "proven"
