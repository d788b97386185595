"""A store as lines of JSON, which any kind of store can take in again: whole, or not at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from kasta import dice
from kasta.errors import Illegal, KastaError, Unavailable, Unreadable
from kasta.sql import Fetch, Many, Row, Statement, Steps
from kasta.tables import events as e
from kasta.tables.log import KEY, NEW_CODE, NEW_KEY, SIGNING, Log, Seq, Stored, seal, unseal
from kasta.tables.state import replay

PIECE = 200  # lines that are written together
VERSION = 3  # 1 had no end and no codes, 2 no results and no days

LARGEST = 2**31  # of whole numbers: a database takes no more
Time = Annotated[float, Meta(ge=0, le=4_102_444_800)]  # until the year 2100
Secret = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * dice.SECRET_BYTES}}}$")]
OnKeys = Literal["replace", "keep"]
KeyFate = Literal["taken", "same", "kept", "none"]


_NEXT_TABLE = """
SELECT id, name, head, hidden, taken, secret, code FROM kasta_tables
    LEFT JOIN kasta_secrets AS s ON s.table_id = id LEFT JOIN kasta_codes AS c ON c.table_id = id
    WHERE id > $1 ORDER BY id LIMIT 1
"""
_EVENTS = "SELECT seq, body, checksum, at, table_id FROM kasta_events WHERE table_id = $1 ORDER BY seq"
_NEW_TABLE = """
INSERT INTO kasta_tables (name, head, turn, owing, guard, touched, hidden, taken)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id
"""
_NEW_EVENT = "INSERT INTO kasta_events VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"


class _Head(Struct, forbid_unknown_fields=True):
    kasta_store: Annotated[int, Meta(ge=1)]


class _Key(Struct, forbid_unknown_fields=True):
    key: Secret | None


class _Table(Struct, forbid_unknown_fields=True):
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    secret: Secret
    code: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    hidden: Time | None = None
    is_taken: bool = False


class _Event(Struct, forbid_unknown_fields=True):
    at: Time
    event: msgspec.Raw


class _End(Struct, forbid_unknown_fields=True):
    tables: int
    results: int = 0


Line = TypeVar("Line", bound=Struct)


@dataclass(frozen=True, slots=True)
class Kept:
    """All that a store keeps of a table for longer than a moment: what a backup holds."""

    name: str
    secret: bytes
    stored: Sequence[Stored]
    counters: tuple[int, int, int]  # turn, owing, guard
    code: str | None = None
    hidden: float | None = None
    is_taken: bool = False  # whether its results were

    @property
    def touched(self) -> float:
        return max(each.at for each in self.stored)


def _nothing(_kept: Kept) -> Iterable[Statement]:
    return ()


@dataclass(frozen=True)
class BackupPart(Generic[Line]):
    """What a feature has in a backup: lines of one kind, known by a `key` that no other kind has.

    `lines` reads them, before the tables or after; `restored` writes so many back as come together. `with_table`
    is what else is written where a table is new.
    """

    key: str
    kind: type[Line]
    lines: Callable[[Fetch], AsyncIterator[Line]]
    restored: Callable[[Sequence[Line]], Statement]
    with_table: Callable[[Kept], Iterable[Statement]] = _nothing
    comes_first: bool = False


Parts = Sequence[BackupPart[Any]]


@dataclass(slots=True)
class Restored:
    """What became of a backup."""

    tables: int = 0
    left_alone: int = 0
    results: int = 0
    key: KeyFate = "none"


async def backup(log: Log, damaged: Callable[[KastaError], None], parts: Parts) -> AsyncIterator[str]:
    """Every table as it is now, and what features keep: secrets of open games, too.

    `damaged` hears of each table that cannot be read and is left out.
    """
    counts: Counter[str] = Counter()
    async with log.at_one_moment() as fetch:
        yield _line(kasta_store=VERSION)
        keys = await fetch(KEY, SIGNING)
        yield _line(key=keys[0][0].hex() if keys else None)
        first, last = (
            _parts(fetch, [part for part in parts if part.comes_first == is_first], counts)
            for is_first in (True, False)
        )
        for lines in (first, _tables(fetch, damaged, counts), last):
            async for line in lines:
                yield line
        yield _line(tables=counts["table"], results=counts["result"])


async def _parts(fetch: Fetch, parts: Parts, counts: Counter[str]) -> AsyncIterator[str]:
    for part in parts:
        async for line in part.lines(fetch):
            counts[part.key] += 1
            yield msgspec.json.encode(line).decode() + "\n"


async def _tables(fetch: Fetch, damaged: Callable[[KastaError], None], counts: Counter[str]) -> AsyncIterator[str]:
    after = 0
    while rows := await fetch(_NEXT_TABLE, after):
        after = rows[0][0]
        try:
            lines = _table_lines(rows[0], await fetch(_EVENTS, after))
        except KastaError as error:
            damaged(error)
            continue
        counts["table"] += 1
        for line in lines:
            yield line


def _table_lines(row: Row, events: list[Row]) -> list[str]:
    """A table's lines, unless it could be restored nowhere. A game that is missing here may be known elsewhere."""
    _, name, head, hidden, taken, secret, code = row
    stored = unseal(name, 1, events)
    if len(stored) < head or secret is None:
        raise Unavailable("damaged", reason=f"something of table {name} is missing")
    _check_secret(name, secret, stored)
    extra = {"code": code, "hidden": hidden, "is_taken": bool(taken) or None}
    known = {key: value for key, value in extra.items() if value is not None}
    return [
        _line(table=name, secret=secret.hex(), **known),
        *(f'{{"at": {each.at!r}, "event": {e.encode(each.event).decode()}}}\n' for each in stored),
    ]


def _check_secret(name: str, secret: bytes, stored: Sequence[Stored]) -> None:
    try:
        table = replay(each.event for each in stored)
    except KastaError as error:
        if error.code == "game_missing":
            return
        raise
    if dice.commitment(secret) != table.commitment:
        raise Unavailable("damaged", reason=f"the secret of table {name} is not the one it began with")


def _whole(text: str) -> int:
    if abs(number := int(text)) >= LARGEST:
        raise ValueError("a number is too large")
    return number


def _line(**data: object) -> str:
    return json.dumps(data) + "\n"


async def restore(log: Log, lines: Iterable[bytes], parts: Parts, on_keys: OnKeys | None = None) -> Restored:
    """Put a backup into a store, all of it or, if anything does not fit, nothing.

    Tables that are there already are left alone. If the store signs with another key than the backup and has
    tables, somebody's tokens will be worth nothing: whose, must be said.
    """
    reader = _Reader(lines, parts, await log.now())
    given = reader.head()

    def steps() -> Steps[Restored]:
        restored = Restored(key=(yield from _take_key(given, on_keys)))
        for item in reader.items():
            if isinstance(item, Kept):
                restored.tables += yield from _add(item, parts)
            else:
                restored.results += len((yield item))
        restored.left_alone = len(reader.names) - restored.tables
        return restored

    return await log.patient.transaction(steps)


def _take_key(given: bytes | None, on_keys: OnKeys | None) -> Steps[KeyFate]:
    """Let the store sign with the backup's key, unless it must keep its own."""
    ((is_empty,),) = yield ("SELECT NOT EXISTS (SELECT 1 FROM kasta_tables)",)
    have = [key for (key,) in (yield KEY, SIGNING)]
    if given is None:
        return "none"
    if have == [given]:
        return "same"
    if have and not is_empty and on_keys != "replace":
        if on_keys is None:
            raise Illegal("other_key")
        return "kept"
    yield f"{NEW_KEY} UPDATE SET key = excluded.key", SIGNING, given
    return "taken"


def _add(kept: Kept, parts: Parts) -> Steps[bool]:
    """Whether a table was not there already."""
    made = yield _NEW_TABLE, kept.name, len(kept.stored), *kept.counters, kept.touched, kept.hidden, kept.is_taken
    if not made:
        return False
    ((table,),) = made
    yield "INSERT INTO kasta_secrets VALUES ($1, $2)", table, kept.secret
    for part in parts:
        yield from part.with_table(kept)
    if kept.code is not None:
        yield NEW_CODE, kept.code, table
    rows = [
        (table, each.seq, *(each.event.key or (None, None, None)), *seal(each.event), each.at)
        for each in kept.stored
    ]
    yield Many(_NEW_EVENT, rows)
    return True


@dataclass
class _Reader:
    """The lines of a backup, checked one by one."""

    lines: Iterable[bytes]
    parts: Parts
    now: float
    version: int = VERSION
    number: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._rest = self._each()

    def head(self) -> bytes | None:
        """Read on to the first table: the key."""
        try:
            self.version = msgspec.json.decode(next(self._rest, b""), type=_Head).kasta_store
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise Unreadable("not_a_backup", line=1) from None
        if self.version > VERSION:
            raise Unreadable("backup_unfit", reason=f"it is of version {self.version}", line=1)
        key = self._read(next(self._rest, b"{}"), _Key).key
        return None if key is None else bytes.fromhex(key)

    def items(self) -> Iterator[Kept | Statement]:
        """Tables whose log, secret and times fit, and rows beside them. Without its end a backup is unfit."""
        for (part, _), group in groupby(self._parsed(), itemgetter(0, 1)):
            lines = (line for *_, line in group)
            if part is not None:
                yield from self._rows(part, lines)
                continue
            match next(lines):
                case _Table() as about:
                    yield self._kept(about, lines)
                case _End() as end:
                    self._check_end(end)
                case _:
                    raise self._unfit("an event without a table")

    def _parsed(self) -> Iterator[tuple[BackupPart[Any] | None, int, Any]]:
        """Lines, whose they are, and the number of the last table: its events follow on it."""
        table, line = 0, None
        for raw in self._rest:
            if isinstance(line, _End):
                raise self._unfit("something follows after the end")
            part, line = self._any(raw)
            table += isinstance(line, _Table | _End)
            yield part, table, line
        if not isinstance(line, _End) and self.version > 1:
            raise self._unfit("its end is missing")

    def _rows(self, part: BackupPart[Any], lines: Iterator[Struct]) -> Iterator[Statement]:
        def checked() -> Iterator[Struct]:
            for line in lines:
                with self._fitting():
                    part.restored([line])
                self.counts[part.key] += 1
                yield line

        rows = checked()
        while piece := list(islice(rows, PIECE)):
            yield part.restored(piece)

    def _check_end(self, end: _End) -> None:
        for what, told, found in (
            ("tables", end.tables, len(self.names)),
            ("results", end.results, self.counts["result"]),
        ):
            if told != found:
                raise self._unfit(f"there are {found} {what} instead of {told}")

    def _kept(self, about: _Table, lines: Iterable[_Event]) -> Kept:
        stored = [self._event(line, Seq(seq)) for seq, line in enumerate(lines, 1)]
        name, secret = about.table, bytes.fromhex(about.secret)
        if any(isinstance(each.event, e.SeatedEvent) and each.event.seat >= len(stored) for each in stored):
            raise self._unfit(f"table {name} has a seat of which nobody knows")
        with self._fitting(f"table {name}: "):
            table = replay(each.event for each in stored)
        keys = [each.event.key for each in stored if each.event.key]
        for is_unfit, reason in (
            (table.id != name or name in self.names, f"table {name} has another's log"),
            (
                dice.commitment(secret) != table.commitment,
                f"the secret of table {name} is not the one that was committed to",
            ),
            (len(set(keys)) < len(keys), f"something stands twice in the log of table {name}"),
        ):
            if is_unfit:
                raise self._unfit(reason)
        self.names.add(name)
        counters = table.turn, table.owing, table.guard
        hidden = None if about.hidden is None else min(about.hidden, self.now)
        return Kept(name, secret, stored, counters, about.code, hidden, about.is_taken)

    def _event(self, line: _Event, seq: Seq) -> Stored:
        with self._fitting():
            return Stored(seq, e.decode(bytes(line.event)), min(line.at, self.now))

    def _any(self, raw: bytes) -> tuple[BackupPart[Any] | None, Struct]:
        """A line of whichever kind, and whose it is: each has a key that no other has."""
        keys = self._read(raw, dict[str, msgspec.Raw])
        with self._fitting():
            json.loads(raw, parse_int=_whole)
        if "tables" in keys:
            return None, self._read(raw, _End)
        part = next((part for part in self.parts if part.key in keys), None)
        kind: Any = part.kind if part else _Table if "table" in keys else _Event
        return part, self._read(raw, kind)

    def _read(self, raw: bytes, kind: Any) -> Any:  # noqa: ANN401 - one of the kinds above
        with self._fitting():
            return msgspec.json.decode(raw, type=kind)

    def _each(self) -> Iterator[bytes]:
        try:
            for raw in self.lines:
                self.number += 1
                yield raw
        except OSError as error:
            raise self._unfit(error.strerror or str(error)) from None

    @contextmanager
    def _fitting(self, about: str = "") -> Iterator[None]:
        """Whatever is wrong with a line makes the backup unfit."""
        try:
            yield
        except (KastaError, msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise self._unfit(about + (str(error).rstrip(".") or "too deep")) from None

    def _unfit(self, reason: str) -> Unreadable:
        return Unreadable("backup_unfit", reason=reason, line=self.number)
