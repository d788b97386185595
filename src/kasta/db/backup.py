"""A store as lines of JSON, which any kind of store can take in again: whole, or not at all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from kasta import dice
from kasta.db.sql import Fetch, Statement
from kasta.errors import Illegal, KastaError, Unavailable, Unreadable
from kasta.tables import events as e
from kasta.tables.log import ChooseKey, Item, Kept, Log, Seq, Stored
from kasta.tables.state import replay

PIECE = 200  # lines that are written together
VERSION = 3  # 1 had no end and no codes, 2 no results and no days

Time = Annotated[float, Meta(ge=0, le=253_402_300_799)]  # until the year 9999
Secret = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * dice.SECRET_BYTES}}}$")]
OnKeys = Literal["replace", "keep"]


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
    key: Literal["taken", "same", "kept", "none"] = "none"


async def backup(log: Log, damaged: Callable[[KastaError], None], parts: Parts) -> AsyncIterator[str]:
    """Every table as it is now, and what features keep: secrets of open games, too.

    `damaged` hears of each table that cannot be read and is left out.
    """
    counts: Counter[str] = Counter()
    async with log.snapshot() as snapshot:
        yield _line(kasta_store=VERSION)
        yield _line(key=snapshot.key.hex() if snapshot.key else None)
        async for line in _parts(snapshot.fetch, [part for part in parts if part.comes_first], counts):
            yield line
        async for read in snapshot.tables:
            kept = _sound(read) if isinstance(read, Kept) else read
            if isinstance(kept, KastaError):
                damaged(kept)
                continue
            counts["table"] += 1
            extra = {"code": kept.code, "hidden": kept.hidden, "is_taken": kept.is_taken or None}
            known = {key: value for key, value in extra.items() if value is not None}
            yield _line(table=kept.name, secret=kept.secret.hex(), **known)
            for stored in kept.stored:
                yield f'{{"at": {stored.at!r}, "event": {e.encode(stored.event).decode()}}}\n'
        async for line in _parts(snapshot.fetch, [part for part in parts if not part.comes_first], counts):
            yield line
        yield _line(tables=counts["table"], results=counts["result"])


async def _parts(fetch: Fetch, parts: Parts, counts: Counter[str]) -> AsyncIterator[str]:
    for part in parts:
        async for line in part.lines(fetch):
            counts[part.key] += 1
            yield msgspec.json.encode(line).decode() + "\n"


def _sound(kept: Kept) -> Kept | KastaError:
    """The table, or why it could be restored nowhere. A game that is missing here may be known elsewhere."""
    try:
        table = replay(each.event for each in kept.stored)
    except KastaError as error:
        return kept if error.code == "game_missing" else error
    if dice.commitment(kept.secret) != table.commitment:
        return Unavailable("damaged", reason=f"the secret of table {kept.name} is not the one it began with")
    return kept


def _line(**data: object) -> str:
    return json.dumps(data) + "\n"


async def restore(log: Log, lines: Iterable[bytes], parts: Parts, on_keys: OnKeys | None = None) -> Restored:
    """Put a backup into a store, all of it or, if anything does not fit, nothing.

    Tables that are there already are left alone. If the store signs with another key than the backup and has
    tables, somebody's tokens will be worth nothing: whose, must be said.
    """
    reader, restored = _Reader(lines, parts), Restored()
    given = reader.head()
    restored.tables, restored.results = await log.restore(reader.items(), _choose_key(given, on_keys, restored))
    restored.left_alone = reader.count - restored.tables
    return restored


def _choose_key(given: bytes | None, on_keys: OnKeys | None, restored: Restored) -> ChooseKey:
    def choose(have: bytes | None, is_empty: bool) -> bytes | None:  # noqa: FBT001 - called by stores only
        if given is None or given == have:
            restored.key = "none" if given is None else "same"
            return have
        if have is None or is_empty or on_keys == "replace":
            restored.key = "taken"
            return given
        if on_keys is None:
            raise Illegal("other_key")
        restored.key = "kept"
        return have

    return choose


@dataclass
class _BackupRows:
    """Lines of one part of a backup that are written together."""

    part: BackupPart[Any] | None = None
    lines: list[Struct] = field(default_factory=list)

    def take(self) -> Statement:
        lines, self.lines = self.lines, []
        assert self.part is not None  # noqa: S101 - lines are somebody's
        return self.part.restored(lines)


@dataclass
class _Reader:
    """The lines of a backup, checked one by one."""

    lines: Iterable[bytes]
    parts: Parts
    version: int = VERSION
    number: int = 0
    count: int = 0
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

    def items(self) -> Iterator[Item]:
        """Tables whose log, secret and times fit, and rows beside them. Without its end a backup is unfit."""
        about: _Table | None = None
        stored: list[Stored] = []
        rows = _BackupRows()
        is_over = False
        for raw in self._rest:
            if is_over:
                raise self._unfit("something follows after the end")
            part, line = self._any(raw)
            if isinstance(line, _Event):
                stored.append(self._event(line, about, Seq(len(stored) + 1)))
                continue
            if about is not None:
                yield self._kept(about, stored)
            yield from self._row(rows, part, line)
            about, stored = (line, []) if isinstance(line, _Table) else (None, [])
            is_over = isinstance(line, _End)
            if isinstance(line, _End):
                self._check_counts(line)
        if not is_over and self.version > 1:
            raise self._unfit("its end is missing")
        if about is not None:
            yield self._kept(about, stored)

    def _row(self, rows: _BackupRows, part: BackupPart[Any] | None, line: Struct) -> Iterator[Statement]:
        """Gather what features have, and write it when enough has come, or something else does."""
        if rows.lines and (part is not rows.part or len(rows.lines) == PIECE):
            yield rows.take()
        if part is not None:
            self.counts[part.key] += 1
            rows.part = part
            rows.lines.append(line)
            try:
                part.restored([line])
            except KastaError as error:
                raise self._unfit(str(error).rstrip(".")) from None

    def _check_counts(self, end: _End) -> None:
        for what, told, found in (
            ("tables", end.tables, self.count),
            ("results", end.results, self.counts["result"]),
        ):
            if told != found:
                raise self._unfit(f"there are {found} {what} instead of {told}")

    def _event(self, line: _Event, about: _Table | None, seq: Seq) -> Stored:
        if about is None:
            raise self._unfit("an event without a table")
        try:
            return Stored(seq, e.decode(bytes(line.event)), line.at)
        except (KastaError, RecursionError) as error:
            raise self._unfit(str(error).rstrip(".")) from None

    def _kept(self, about: _Table, stored: list[Stored]) -> Kept:
        try:
            table = replay(each.event for each in stored)
        except (KastaError, ValueError) as error:
            raise self._unfit(f"table {about.table}: {str(error).rstrip('.')}") from None
        secret = bytes.fromhex(about.secret)
        if table.id != about.table or about.table in self.names:
            raise self._unfit(f"table {about.table} has another's log")
        if dice.commitment(secret) != table.commitment:
            raise self._unfit(f"the secret of table {about.table} is not the one that was committed to")
        keys = [each.event.key for each in stored if each.event.key]
        if len(set(keys)) < len(keys):
            raise self._unfit(f"something stands twice in the log of table {about.table}")
        self.names.add(about.table)
        self.count += 1
        counters = table.turn, table.owing, table.guard
        kept = Kept(about.table, secret, stored, counters, about.code, about.hidden, about.is_taken)
        return replace(kept, also=[statement for part in self.parts for statement in part.with_table(kept)])

    def _any(self, raw: bytes) -> tuple[BackupPart[Any] | None, Struct]:
        """A line of whichever kind, and whose it is: each has a key that no other has."""
        keys = self._read(raw, dict[str, msgspec.Raw])
        if "tables" in keys:
            return None, self._read(raw, _End)
        part = next((part for part in self.parts if part.key in keys), None)
        kind: Any = part.kind if part else _Table if "table" in keys else _Event
        return part, self._read(raw, kind)

    def _read(self, raw: bytes, kind: Any) -> Any:  # noqa: ANN401 - one of the kinds above
        try:
            return msgspec.json.decode(raw, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise self._unfit(str(error) or "too deep") from None

    def _each(self) -> Iterator[bytes]:
        try:
            for raw in self.lines:
                self.number += 1
                yield raw
        except OSError as error:
            raise self._unfit(error.strerror or str(error)) from None

    def _unfit(self, reason: str) -> Unreadable:
        return Unreadable("backup_unfit", reason=reason, line=self.number)
