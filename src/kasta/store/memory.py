"""A log in memory, for tests and for games that need not outlive the process."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from kasta.errors import Conflict, Illegal
from kasta.store.memory_shared import MemoryShared
from kasta.table.events import AnyEvent, Key, Opened
from kasta.table.log import Change, Log, Seq, Stored


@dataclass(slots=True)
class _Shelf:
    secret: bytes
    stored: list[Stored]
    keys: set[Key] = field(default_factory=set)
    turn: int = 0
    owing: int = 0
    guard: int = 0


class MemoryLog(Log):
    def __init__(self) -> None:
        super().__init__()
        self.shared = MemoryShared()
        self._shelves: dict[str, _Shelf] = {}
        self._keys: dict[str, bytes] = {}
        self._codes: dict[str, str] = {}

    async def create(self, opened: Opened, secret: bytes, at: float | None = None) -> None:
        if opened.table in self._shelves:
            raise Conflict("moved_on")
        self._shelves[opened.table] = _Shelf(secret, [Stored(Seq(1), opened, at or time.time())])

    async def append(self, change: Change, at: float | None = None) -> Seq:
        shelf = self._shelf(change.table)
        key = change.event.key
        holds = (
            shelf.turn == change.turn
            and change.owing in {None, shelf.owing}
            and change.guard in {None, shelf.guard}
            and key not in shelf.keys
        )
        if not holds:
            raise Conflict("moved_on")
        shelf.stored.append(Stored(Seq(len(shelf.stored) + 1), change.event, at or time.time()))
        if key is not None:
            shelf.keys.add(key)
        shelf.turn = change.turn_after
        shelf.owing += change.owing_more
        shelf.guard += change.guard_more
        seq = shelf.stored[-1].seq
        self.wake(change.table, seq)
        return seq

    async def read(self, table: str, after: Seq = Seq(0), most: int = sys.maxsize) -> list[Stored]:
        return self._shelf(table).stored[after : after + most]

    async def secret(self, table: str) -> bytes:
        return self._shelf(table).secret

    async def key(self, name: str, new: bytes) -> bytes:
        return self._keys.setdefault(name, new)

    async def claim_code(self, table: str, code: str) -> bool:
        self._shelf(table)
        if table not in self._codes.values():
            self._codes.setdefault(code, table)
        return self._codes.get(code) == table

    async def code_of(self, table: str) -> str | None:
        return next((code for code, claimed in self._codes.items() if claimed == table), None)

    async def by_code(self, code: str) -> str | None:
        table = self._codes.get(code)
        return table if table in self._shelves else None

    async def tables(self, untouched_since: float | None = None) -> list[str]:
        return [
            name
            for name, shelf in self._shelves.items()
            if untouched_since is None or shelf.stored[-1].at < untouched_since
        ]

    async def tables_of(self, device: str, most: int) -> list[str]:
        def names(event: AnyEvent) -> bool:
            return device in {getattr(event, "device", None), getattr(event, "host", None)}

        found = [name for name, shelf in self._shelves.items() if any(names(each.event) for each in shelf.stored)]
        return sorted(found, key=lambda name: -self._shelves[name].stored[-1].at)[:most]

    async def delete(self, table: str) -> None:
        self._shelves.pop(table, None)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        stored = self._shelf(table).stored
        for seq, event in events:
            stored[seq - 1] = Stored(seq, event, stored[seq - 1].at)

    async def counters(self, table: str) -> tuple[int, int, int]:
        shelf = self._shelf(table)
        return shelf.turn, shelf.owing, shelf.guard

    async def check(self) -> list[str]:
        return []

    async def close(self) -> None:
        self._shelves.clear()

    def _shelf(self, table: str) -> _Shelf:
        try:
            return self._shelves[table]
        except KeyError:
            raise Illegal("no_such_table") from None
