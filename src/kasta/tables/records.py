"""Records of the tables that a process serves: however long they are, others are served meanwhile."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from kasta.dice import DAY
from kasta.record import Header, Step, write_record
from kasta.tables.export import Recorder
from kasta.tables.log import Log, Seq

MOST_KEPT = 4
LINES = 500  # that are written without a pause


Published = Callable[[str, str], Awaitable[str | None]]
"""The secret of dice that are not a table's own, by their id and commitment, as soon as everybody may know it."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table's record as everybody may see it, up to a place in its log, and as it is written."""

    seq: Seq
    header: Header
    steps: list[Step]
    text: bytes

    @property
    def waits_for_secret(self) -> bool:
        """Whether it is of a day whose secret it does not hold yet: no event will tell it."""
        proof = self.header.dice
        return proof is not None and proof.table.startswith(DAY) and proof.secret is None


class Records:
    """One is made at a time, and those that were asked for last are kept."""

    def __init__(self, log: Log, published: Published | None = None) -> None:
        self._log, self._published = log, published
        self._making = asyncio.Lock()
        self._kept: OrderedDict[str, TableRecord] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, table: str, seq: Seq) -> TableRecord:
        """A table's record, at least up to this place in its log."""
        async with self._making:
            kept = self._kept.get(table)
            if kept is None or kept.seq < seq or kept.waits_for_secret:
                kept = await self._make(table)
            self._kept[table] = kept
            self._kept.move_to_end(table)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept

    async def _make(self, table: str) -> TableRecord:
        recorder, seq = Recorder(), Seq(0)
        async for stored in self._log.events(table):
            recorder.take(stored.event)
            seq = stored.seq
        header, steps = recorder.record(open_picks=False)
        header = await self._with_secret(header)
        written = bytearray()
        for number, line in enumerate(write_record(header, steps)):
            written += line.encode() + b"\n"
            if number % LINES == 0:
                await asyncio.sleep(0)
        return TableRecord(seq, header, steps, bytes(written))

    async def _with_secret(self, header: Header) -> Header:
        """A record of a day tells the secret as soon as everybody may know it."""
        if header.dice is None or not header.dice.table.startswith(DAY) or self._published is None:
            return header
        secret = await self._published(header.dice.table, header.dice.commitment)
        return replace(header, dice=replace(header.dice, secret=secret))
