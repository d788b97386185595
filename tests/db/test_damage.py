"""What is damaged is noticed and said, and never silently played on."""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kasta.db import admin, open_log
from kasta.db.sqlite.file import connect
from kasta.errors import KastaError, Unavailable
from kasta.tables.events import OpenedEvent, encode
from kasta.tables.log import Log, Stored
from kasta.tables.service import Service
from kasta.tables.state import replay
from support.stores.played import alter, contents, play_on, play_some

PAGE = 4096

Contents = dict[str, tuple[bytes, list[Stored]]]


def _checksum(body: bytes) -> tuple[bytes, int]:
    return body, zlib.crc32(body)


UNKNOWN = _checksum(b'{"kind":"teleported","seat":0}')
NEWER = _checksum(b'{"kind":"renamed","seat":0,"name":"Ada","v":2}')
UNFITTING = _checksum(encode(OpenedEvent("t", "knister", "sheet", None, "ada", "")).replace(b"null", b"{}", 1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sql", "values", "code"),
    [
        ("UPDATE {}events SET body = $1 WHERE seq = 7", [UNKNOWN[0]], "damaged"),
        ("UPDATE {}events SET body = $1, checksum = $2 WHERE seq = 7", UNKNOWN, "unknown_event"),
        ("UPDATE {}events SET body = $1, checksum = $2 WHERE seq = 7", NEWER, "unknown_event"),
        ("UPDATE {}events SET body = $1, checksum = $2 WHERE seq = 7", UNFITTING, "damaged"),
        ("DELETE FROM {}events WHERE seq = 7", [], "damaged"),
        ("DELETE FROM {}events WHERE seq > 7", [], "damaged"),
        ("DELETE FROM {}events", [], "damaged"),
    ],
    ids=["altered", "unknown", "newer", "unfitting", "a gap", "the last are missing", "all are missing"],
)
async def test_a_damaged_log_is_not_played_on(durable_url: str, sql: str, values: list[object], code: str):
    async with await open_log(durable_url) as log:
        names = await play_some(log)
    await alter(durable_url, sql, *values)
    async with await open_log(durable_url) as log:
        service = Service(log)
        for name in names:
            with pytest.raises(Unavailable) as refused:
                await play_on(service, name)
            assert refused.value.code == code
            assert str(refused.value)
        assert {name for name, _ in [problem async for problem in admin.check(log)]} == set(names)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE {}tables SET turn = turn + 1",
        "UPDATE {}tables SET owing = owing + 1",
        "UPDATE {}tables SET guard = guard + 1",
    ],
)
async def test_counters_that_do_not_fit_the_log_are_found(durable_url: str, sql: str):
    async with await open_log(durable_url) as log:
        names = await play_some(log)
        assert [problem async for problem in admin.check(log)] == []
    await alter(durable_url, sql)
    async with await open_log(durable_url) as log:
        assert {name for name, _ in [problem async for problem in admin.check(log)]} == set(names)


@pytest.mark.parametrize(
    ("sql", "values"),
    [("UPDATE {}secrets SET secret = $1", [bytes(32)]), ("DELETE FROM {}secrets", [])],
    ids=["another", "none"],
)
async def test_a_damaged_secret_throws_no_dice(durable_url: str, sql: str, values: list[object]):
    async with await open_log(durable_url) as log:
        table = await Service(log).open("ada", "knister")
    await alter(durable_url, sql, *values)
    async with await open_log(durable_url) as log:
        service = Service(log)
        with pytest.raises(Unavailable):
            await play_on(service, table.id, moves=10)  # all sit down, then the dice are thrown
        assert [name async for name, _ in admin.check(log)] == [table.id]


async def _sound(path: Path, before: Contents) -> bool:
    """Whether a store finds nothing wrong with itself. What it still gives must be what it was given."""
    try:
        async with await open_log(f"sqlite:///{path}") as log:
            for name, expected in before.items():
                await _same_or_nothing(log, name, expected)
            return [problem async for problem in admin.check(log)] == []
    except Unavailable:
        return False


async def _same_or_nothing(log: Log, name: str, expected: tuple[bytes, list[Stored]]) -> None:
    try:
        stored = await log.read(name)
    except KastaError:
        return
    assert [each.event for each in stored] == [each.event for each in expected[1]]


def _garble(data: bytearray, page: int) -> None:
    data[page * PAGE : (page + 1) * PAGE] = random.Random(page).randbytes(PAGE)


def _zero(data: bytearray, page: int) -> None:
    data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def _cut(data: bytearray, page: int) -> None:
    del data[page * PAGE + PAGE // 2 :]


@pytest.fixture
async def played(tmp_path: Path) -> tuple[bytes, Contents]:
    """The bytes of an SQLite file, and what is in it."""
    path = tmp_path / "sound.sqlite"
    async with await open_log(f"sqlite:///{path}") as log:
        await play_some(log, 80)
        before = await contents(log)
    return path.read_bytes(), before


@pytest.mark.parametrize("damage", [_garble, _zero, _cut])
async def test_a_damaged_page_and_a_torn_file_are_noticed(
    played: tuple[bytes, Contents], damage: Callable[[bytearray, int], None], tmp_path: Path
):
    data, before = played
    assert len(data) // PAGE > 10
    for page in range(len(data) // PAGE):
        damaged = bytearray(data)
        damage(damaged, page)
        path = tmp_path / f"{page}.sqlite"
        path.write_bytes(damaged)
        assert not await _sound(path, before), f"page {page}"


async def test_a_single_wrong_byte_never_alters_a_game(played: tuple[bytes, Contents], tmp_path: Path):
    data, before = played
    rng = random.Random(2)
    for number in range(80):
        damaged = bytearray(data)
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(damaged)
        await _sound(path, before)


def test_a_file_that_is_no_store_is_closed_again(tmp_path: Path):
    path = tmp_path / "kasta.sqlite"
    path.write_bytes(b"no store" * PAGE)
    with pytest.raises(sqlite3.DatabaseError) as kept:  # which keeps all that was in hand when it was raised
        connect(path)
    assert kept.value.__traceback__
    assert path not in [each.readlink() for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]


async def test_of_a_torn_write_ahead_log_whole_commits_remain(tmp_path: Path):
    """SQLite takes the torn end for a commit that never was. What is left is a game up to some move."""
    path, wal = tmp_path / "kasta.sqlite", tmp_path / "kasta.sqlite-wal"
    async with await open_log(f"sqlite:///{path}") as log:
        await play_some(log)
        before = await contents(log)
        file, tail = path.read_bytes(), wal.read_bytes()
    rng = random.Random(3)
    for number in range(40):
        torn, torn_wal = tmp_path / f"{number}.sqlite", tmp_path / f"{number}.sqlite-wal"
        torn.write_bytes(file)
        damaged = bytearray(tail)
        if number % 2:
            del damaged[rng.randrange(len(tail)) :]
        else:
            damaged[rng.randrange(len(tail))] ^= 255
        torn_wal.write_bytes(damaged)
        async with await open_log(f"sqlite:///{torn}") as log:
            assert [problem async for problem in admin.check(log)] == []
            for name, (secret, stored) in (await contents(log)).items():
                assert secret == before[name][0]
                assert stored == before[name][1][: len(stored)]


async def test_an_event_in_the_wrong_place_is_noticed_or_harmless(tmp_path: Path):
    """Replaying never fails in a way of its own."""
    async with await open_log(f"sqlite:///{tmp_path / 'kasta.sqlite'}") as log:
        await play_some(log, 60)
        logs = [[each.event for each in stored] for _, stored in (await contents(log)).values()]
    rng = random.Random(4)
    for _ in range(300):
        events = list(rng.choice(logs))
        events[rng.randrange(len(events))] = rng.choice(rng.choice(logs))
        with suppress(Unavailable):
            table = replay(events)
            assert table.seq == len(events)
            assert table.owing == sum(map(table.is_due, table.places))
            assert all(table.game.total(table.play, seat) >= 0 for seat in table.places if table.play is not None)
