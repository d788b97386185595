"""Where the lines of the guest book are kept, and what of them is whose."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from kasta.db.backup import BackupPart, Time
from kasta.db.personal import PersonalData
from kasta.sql import Database, Fetch, Statement, Steps, insert

COLUMNS = "device, at, text"
OF_DEVICE = "SELECT at, text FROM kasta_guestbook WHERE device = $1 ORDER BY at"


class Entry(NamedTuple):
    device: str
    at: float
    text: str


class Entries:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, entry: Entry) -> None:
        await self._db.execute(*insert("kasta_guestbook", COLUMNS, [entry]))

    async def newest(self, most: int) -> list[Entry]:
        query = "SELECT device, at, text FROM kasta_guestbook ORDER BY at DESC, id DESC LIMIT $1"
        return [Entry(*row) for row in await self._db.fetch(query, most)]


def _move(device: str, to: str) -> Steps[None]:
    yield "UPDATE kasta_guestbook SET device = $2 WHERE device = $1", device, to


def _delete(device: str) -> Steps[None]:
    yield "DELETE FROM kasta_guestbook WHERE device = $1", device


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    lines = [json.dumps({"at": at, "text": text}) for at, text in await fetch(OF_DEVICE, device)]
    if lines:
        yield "guestbook.jsonl", "".join(f"{line}\n" for line in lines)


PERSONAL = PersonalData(
    exists="SELECT 1 FROM kasta_guestbook WHERE device = $1 LIMIT 1",
    idle="SELECT device FROM kasta_guestbook GROUP BY device HAVING max(at) < $1",
    move=_move,
    delete=_delete,
    files=_files,
)


class _Line(Struct, forbid_unknown_fields=True):
    """An entry in a backup."""

    guestbook: str
    device: str
    at: Time


async def _lines(fetch: Fetch) -> AsyncIterator[_Line]:
    for device, at, text in await fetch("SELECT device, at, text FROM kasta_guestbook ORDER BY id"):
        yield _Line(text, device, at)


def _restored(lines: Sequence[_Line]) -> Statement:
    return insert("kasta_guestbook", COLUMNS, [(line.device, line.at, line.guestbook) for line in lines])


BACKUP = BackupPart("guestbook", _Line, _lines, _restored)
