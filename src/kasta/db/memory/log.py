"""A log in memory, for tests and for games that need not outlive the process."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from kasta.core import Seat
from kasta.db.memory.cluster import MemoryClusterState
from kasta.db.memory.days import MemoryDays
from kasta.db.memory.key_value import MemoryNotes
from kasta.db.memory.results import MemoryResults
from kasta.db.trash import ClockReading, Trash
from kasta.errors import Conflict, Illegal
from kasta.features.day.store import Answered, DayDice
from kasta.features.review.store import ReviewStore
from kasta.results.model import Result
from kasta.tables.events import AnyEvent, Closed, Key, OpenedEvent
from kasta.tables.log import SIGNING, Change, ChooseKey, Item, Kept, Log, Seq, Snapshot, Stored


@dataclass(slots=True)
class _Shelf:
    secret: bytes
    stored: list[Stored]
    keys: set[Key] = field(default_factory=set)
    turn: int = 0
    owing: int = 0
    guard: int = 0
    touched: float = 0.0
    hidden: float | None = None
    reviews: dict[Seat, bytes] = field(default_factory=dict)

    def append(self, change: Change, at: float) -> Seq:
        key = change.event.key
        holds = (
            self.turn == change.turn
            and change.owing in {None, self.owing}
            and change.guard in {None, self.guard}
            and key not in self.keys
        )
        if not holds:
            raise Conflict("moved_on")
        self.stored.append(Stored(Seq(len(self.stored) + 1), change.event, at))
        self.touched = max(self.touched, at)
        if key is not None:
            self.keys.add(key)
        self.turn = change.turn_after
        self.owing += change.owing_more
        self.guard += change.guard_more
        return self.stored[-1].seq

    def copy(self) -> _Shelf:
        return replace(self, stored=self.stored[:], keys=set(self.keys))


class MemoryLog(Log):
    results: MemoryResults

    def __init__(self) -> None:
        super().__init__()
        self.cluster = MemoryClusterState()
        self.notes = MemoryNotes()
        self._shelves: dict[str, _Shelf] = {}
        self.trash = _MemoryTrash(self._shelves)
        self.reviews = _MemoryReviews(self._visible)
        self.results = MemoryResults(self._closed)
        self.days: MemoryDays = MemoryDays(self.results)
        self._keys: dict[str, bytes] = {}
        self._codes: dict[str, str] = {}

    async def now(self) -> float:
        return time.time()

    async def create(
        self, opened: OpenedEvent, secret: bytes, at: float | None = None, then: Sequence[Change] = ()
    ) -> None:
        if opened.table in self._shelves:
            raise Conflict("moved_on")
        now = at or max(time.time(), await self.trash.newest() or 0.0)
        new = _Shelf(secret, [Stored(Seq(1), opened, at or time.time())], touched=now)
        others = {change.table for change in then} - {opened.table}
        shelves = {opened.table: new} | {name: self._shelf(name).copy() for name in others}
        for change in then:
            shelves[change.table].append(change, at or time.time())
        self._shelves |= shelves
        for name in others:
            self.wake(name, shelves[name].stored[-1].seq)

    async def append(self, change: Change, at: float | None = None) -> Seq:
        seq = self._shelf(change.table).append(change, at or time.time())
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
        return table if table in self._visible() else None

    async def tables(self, untouched_since: float | None = None) -> list[str]:
        return [
            name
            for name, shelf in self._visible().items()
            if untouched_since is None or shelf.touched < untouched_since
        ]

    async def tables_of(self, device: str, most: int) -> list[str]:
        def names(event: AnyEvent) -> bool:
            return device in {getattr(event, "device", None), getattr(event, "host", None)}

        found = [
            name for name, shelf in self._visible().items() if any(names(each.event) for each in shelf.stored)
        ]
        return sorted(found, key=lambda name: -self._shelves[name].touched)[:most]

    async def delete(self, table: str) -> None:
        self._shelves.pop(table, None)

    async def rewrite(self, table: str, events: Sequence[tuple[Seq, AnyEvent]]) -> None:
        stored = self._shelf(table).stored
        for seq, event in events:
            stored[seq - 1] = Stored(seq, event, stored[seq - 1].at)

    async def counters(self, table: str) -> tuple[int, int, int]:
        shelf = self._shelf(table)
        return shelf.turn, shelf.owing, shelf.guard

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        codes = {table: code for code, table in self._codes.items()}
        kept = [
            Kept(
                name,
                of.secret,
                of.stored[:],
                (of.turn, of.owing, of.guard),
                codes.get(name),
                of.hidden,
                is_taken=name in self.results.taken,
            )
            for name, of in self._shelves.items()
        ]
        results, given = list(self.results.kept.values()), dict(self.days.given)

        async def tables() -> AsyncIterator[Kept]:
            for each in kept:
                yield each

        async def finished() -> AsyncIterator[Result]:
            for each in results:
                yield each

        async def answers() -> AsyncIterator[Answered]:
            for (device, *_), answer in given.items():
                yield Answered(device, answer)

        yield Snapshot(self._keys.get(SIGNING), tables(), finished(), answers(), list(self.days.dice.values()))

    async def restore(self, items: Iterable[Item], choose_key: ChooseKey) -> tuple[int, int]:
        key = choose_key(self._keys.get(SIGNING), not self._shelves)
        given = list(items)
        for each in given:
            if isinstance(each, DayDice):
                await self.days.keep(each)
            elif isinstance(each, Answered):
                await self.days.answer(*each)
        tables = [each for each in given if isinstance(each, Kept)]
        new = {each.name: each for each in tables if each.name not in self._shelves}
        for name, kept in new.items():
            shelf = _Shelf(kept.secret, list(kept.stored), touched=kept.touched, hidden=kept.hidden)
            shelf.keys = {each.event.key for each in kept.stored if each.event.key}
            shelf.turn, shelf.owing, shelf.guard = kept.counters
            self._shelves[name] = shelf
            if kept.code is not None:
                self._codes.setdefault(kept.code, name)
            if kept.counted:
                await self.days.begin(*kept.counted)
            if kept.is_taken:
                self.results.taken.add(name)
        if key is not None:
            self._keys[SIGNING] = key
        return len(new), self.results.insert(each for each in given if isinstance(each, Result))

    async def check(self) -> list[str]:
        return []

    async def ping(self) -> None:
        """It is always there."""

    async def close(self) -> None:
        self._shelves.clear()

    def _closed(self) -> list[str]:
        return [
            name
            for name, shelf in self._visible().items()
            if any(isinstance(each.event, Closed) for each in shelf.stored)
        ]

    def _visible(self) -> dict[str, _Shelf]:
        return {name: shelf for name, shelf in self._shelves.items() if shelf.hidden is None}

    def _shelf(self, table: str) -> _Shelf:
        shelf = self._shelves.get(table)
        if shelf is None or shelf.hidden is not None:
            raise Illegal("no_such_table")
        return shelf


class _MemoryReviews(ReviewStore):
    def __init__(self, visible: Callable[[], dict[str, _Shelf]]) -> None:
        self._visible = visible

    async def find(self, table: str, seat: Seat) -> bytes | None:
        shelf = self._visible().get(table)
        return None if shelf is None else shelf.reviews.get(seat)

    async def keep(self, table: str, seat: Seat, body: bytes) -> None:
        shelf = self._visible().get(table)
        if shelf is not None:
            shelf.reviews[seat] = body


class _MemoryTrash(Trash):
    def __init__(self, shelves: dict[str, _Shelf]) -> None:
        self._shelves = shelves
        self._reading: ClockReading | None = None

    async def newest(self) -> float | None:
        return max((shelf.touched for shelf in self._shelves.values()), default=None)

    async def last_reading(self) -> ClockReading | None:
        return self._reading

    async def keep_reading(self, reading: ClockReading) -> None:
        self._reading = reading

    async def hide(self, at: float, untouched_since: float, *, unplayed: bool = False) -> int:
        due = [
            shelf
            for shelf in self._shelves.values()
            if shelf.hidden is None and shelf.touched < untouched_since and (shelf.turn == 0 or not unplayed)
        ]
        for shelf in due:
            shelf.hidden = at
        return len(due)

    async def hidden(self) -> dict[str, float]:
        return {name: shelf.hidden for name, shelf in self._shelves.items() if shelf.hidden is not None}

    async def bring_back(self, table: str, at: float) -> bool:
        if table not in await self.hidden():
            return False
        self._shelves[table].hidden, self._shelves[table].touched = None, at
        return True

    async def delete(self, hidden_before: float) -> None:
        for name, at in (await self.hidden()).items():
            if at < hidden_before:
                del self._shelves[name]
