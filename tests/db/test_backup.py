"""Backups: of one moment, for every kind of store, taken in whole or not at all."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kasta import dice
from kasta.app import create_app
from kasta.core import Seat
from kasta.db import admin, open_log
from kasta.db.trash import Trash
from kasta.edge.config import Config
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.tables import events as e
from kasta.tables.commands import Roll, Sit
from kasta.tables.log import SIGNING, Log, Seq, change
from kasta.tables.service import Service
from kasta.tables.state import replay
from support.room import HOST
from support.sites import backup, forget, restore
from support.stores.played import contents, lines_of, play_some


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def other_url(request: pytest.FixtureRequest) -> str:
    """A second store, of every kind; where both are databases, another file or database than the first."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('tmp_path') / 'other.sqlite'}"
    url: str = request.getfixturevalue("other_postgres_url")
    return url


async def problems(log: Log) -> list[object]:
    return [problem async for problem in admin.check(log)]


async def served(log: Log) -> httpx.ASGITransport:
    return httpx.ASGITransport(await create_app(log, Config(allow=("kasta.test",))))


async def seated(log: Log) -> str:
    service = Service(log)
    table = await service.open(HOST, "knister")
    await service.do(table.id, Sit("tim", "Tim"))
    await service.close()
    return table.id


class Player:
    """Somebody with a token, who plays through the web app of whatever store."""

    def __init__(self) -> None:
        self.token = self.table = self.code = ""

    async def call(self, app: httpx.ASGITransport, path: str, **data: object) -> tuple[int, dict[str, Any]]:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        async with httpx.AsyncClient(transport=app, base_url="http://kasta.test", headers=headers) as client:
            answer = await client.post(path, json=data)
        return answer.status_code, answer.json()

    async def begin(self, app: httpx.ASGITransport) -> None:
        _, told = await self.call(app, "/api/tables", game="knister", room=True)
        self.token, self.table, self.code = told["token"], told["table"], told["code"]
        await self.call(app, f"/api/tables/{self.table}/seats", name="Anna")

    async def throw(self, app: httpx.ASGITransport, turn: int) -> int:
        return (await self.call(app, f"/api/tables/{self.table}/roll", turn=turn))[0]

    async def pick(self, app: httpx.ASGITransport, turn: int, cell: str) -> int:
        return (await self.call(app, f"/api/tables/{self.table}/play", turn=turn, seat=0, step=0, do=cell))[0]


async def test_a_backup_of_any_store_restores_into_any_other_and_all_play_on_with_their_tokens(
    store_url: str, other_url: str
):
    anna = Player()
    async with await open_log(store_url) as log:
        app = await served(log)
        await anna.begin(app)
        assert await anna.throw(app, 0) == 200
        names = [await seated(log) for _ in range(3)]
        before, lines = await contents(log), await lines_of(log)
    async with await open_log(other_url) as log:
        await served(log)  # it was served once
        restored = await restore(log, lines)
        assert (restored.tables, restored.left_alone, restored.key) == (4, 0, "taken")
        assert await contents(log) == before
        assert await problems(log) == []
        assert await log.by_code(anna.code) == anna.table
        assert await anna.pick(await served(log), 1, "c3") == 200
        for name in names:
            await log.append(change(replay(each.event for each in await log.read(name)), e.Renamed(0, "Timmy")))
        restored = await restore(log, lines)
        assert (restored.tables, restored.left_alone, restored.key) == (0, 4, "same")
        assert len(await log.read(anna.table)) == len(before[anna.table][1]) + 1, "what went on is left alone"


async def test_a_backup_is_of_one_moment_whatever_happens_meanwhile(log: Log):
    service = Service(log)
    names = [await seated(log) for _ in range(3)]
    before = await contents(log)
    lines, damaged = list[str](), list[KastaError]()
    async for line in backup(log, damaged.append):
        if line.startswith('{"table":') and len(lines) < 3:  # in the middle of it
            await log.delete(names[1])
            await service.do(names[2], Roll(HOST, 0))
            await service.open(HOST, "knister")
        lines.append(line)
    await service.close()
    async with await open_log("memory:") as other:
        assert (await restore(other, [line.encode() for line in lines])).tables == 3
        assert await contents(other) == before


async def test_a_damaged_table_is_left_out_and_told_and_the_others_are_saved(log: Log):
    names = [await seated(log) for _ in range(3)]
    await log.rewrite(names[1], [(Seq(2), e.Rolled(9, (7, 7)))])  # what no command does
    told = list[KastaError]()
    lines = [line.encode() async for line in backup(log, told.append)]
    assert [error.code for error in told] == ["damaged"]
    async with await open_log("memory:") as other:
        assert (await restore(other, lines)).tables == 2
        assert set(await other.tables()) == {names[0], names[2]}


async def test_hidden_tables_are_in_a_backup_and_stay_hidden(log: Log):
    (name, *_) = [await seated(log) for _ in range(3)]
    await Trash(log.db).hide(await log.now(), await log.now() + 60)
    lines = await lines_of(log)
    async with await open_log("memory:") as other:
        assert (await restore(other, lines)).tables == 3
        assert await other.tables() == []
        assert await Trash(other.db).bring_back(name, 0.0)
        assert await other.read(name)


# -- keys -----------------------------------------------------------------------------------------------------


async def test_a_store_with_tables_and_another_key_is_asked_whose_tokens_shall_hold(log: Log):
    anna, tim = Player(), Player()
    async with await open_log("memory:") as first:
        await anna.begin(await served(first))
        lines = await lines_of(first)
    app = await served(log)
    await tim.begin(app)
    before = await contents(log)
    with pytest.raises(Illegal, match="--replace-key"):
        await restore(log, lines)
    assert await contents(log) == before
    assert await tim.throw(app, 0) == 200

    assert (await restore(log, lines, "keep")).key == "kept"
    app = await served(log)
    assert await tim.pick(app, 1, "c3") == 200
    assert await anna.throw(app, 0) == 401

    assert (await restore(log, lines, "replace")).key == "taken"
    app = await served(log)
    assert await anna.throw(app, 0) == 200
    assert await tim.throw(app, 1) == 401


async def test_a_backup_without_a_key_changes_none(log: Log):
    async with await open_log("memory:") as first:
        lines = await lines_of(first)
    key = await log.key(SIGNING, dice.new_secret())
    assert (await restore(log, lines)).key == "none"
    assert await log.key(SIGNING, dice.new_secret()) == key


# -- what does not fit ----------------------------------------------------------------------------------------

Lines = list[dict[str, Any]]


def _set(number: int, **changes: object) -> Callable[[Lines], None]:
    return lambda lines: lines[number].update(changes)


def _cut(number: int) -> Callable[[Lines], None]:
    return lambda lines: lines.__delitem__(number)


def _twice(lines: Lines) -> None:
    end = next(number for number in range(3, len(lines)) if not {"event"} & lines[number].keys())
    lines[-1:-1] = lines[2:end]
    lines[-1]["tables"] += 1


def _a(lines: Lines, kind: str) -> dict[str, Any]:
    """The first event of a kind."""
    return next(line["event"] for line in lines if line.get("event", {}).get("kind") == kind)


DEEP = json.loads("[" * 900 + "]" * 900)

UNFIT: dict[str, Callable[[Lines], None]] = {
    "another secret": _set(2, secret="00" * 32),
    "a short secret": _set(2, secret="00" * 31),
    "a secret that is a number": _set(2, secret=7),
    "another table's name": _set(2, table="elsewhere"),
    "a name that is a list": _set(2, table=["t"]),
    "a time in words": _set(4, at="soon"),
    "a time before all": _set(4, at=-1.0),
    "a time after all": _set(4, at=1e300),
    "no time": lambda lines: lines[4].pop("at"),
    "a key that nobody knows": _set(4, extra=1),
    "an event of no kind": _set(4, event={"kind": "teleported"}),
    "an event that is deep": _set(4, event=DEEP),
    "an event that is a word": _set(4, event="seated"),
    "no secret": lambda lines: lines[2].pop("secret"),
    "no key": _cut(1),
    "a key in words": _set(1, key="mine"),
    "a missing event": _cut(6),
    "a missing table line": _cut(2),
    "a missing end": _cut(-1),
    "a wrong count": _set(-1, tables=99),
    "more after the end": lambda lines: lines.append(lines[4]),
    "a table twice": _twice,
    "a newer version": _set(0, kasta_store=4),
    "another head": _set(0, kasta_store="two"),
    "a time in the year 2101": _set(4, at=4_133_980_800.0),
    "a turn that no database takes": lambda lines: _a(lines, "rolled").update(turn=2**63),
    "a seat that no database takes": lambda lines: _a(lines, "seated").update(seat=2**70),
    "a seat after millions": lambda lines: _a(lines, "seated").update(seat=30_000_000),
}


@pytest.fixture
async def saved() -> Lines:
    async with await open_log("memory:") as log:
        await play_some(log, 20)
        return [json.loads(line) for line in await lines_of(log)]


@pytest.mark.parametrize("how", UNFIT)
async def test_a_backup_that_does_not_fit_is_refused_in_a_sentence(saved: Lines, how: str):
    UNFIT[how](saved)
    async with await open_log("memory:") as log:
        with pytest.raises(Unreadable) as refused:
            await restore(log, [json.dumps(line).encode() for line in saved])
        assert refused.value.line
        assert str(refused.value)
        assert await log.tables() == []


async def test_times_to_come_are_taken_for_now(saved: Lines):
    """Else nothing would be forgotten, and no day's dice told, until then."""
    for line in saved:
        line.update({"at": 4e9} if "at" in line else {"hidden": 4e9} if "secret" in line else {})
    async with await open_log("memory:") as log:
        await restore(log, [json.dumps(line).encode() for line in saved])
        now = await log.now()
        ((touched, hidden),) = await log.db.fetch("SELECT max(touched), max(hidden) FROM kasta_tables")
        assert now - 60 < touched <= now
        assert now - 60 < hidden <= now


@pytest.mark.parametrize("line", [b"rubbish", b"\xff\xfe", b"[" * 100_000, b'{"at": 1e999}', b"{}", b"null", b""])
async def test_rubbish_in_the_last_table_restores_nothing_of_the_first(log: Log, saved: Lines, line: bytes):
    raw = [json.dumps(each).encode() for each in saved]
    with pytest.raises(Unreadable):
        await restore(log, [*raw[:-2], line, *raw[-2:]])
    assert await log.tables() == []
    new = dice.new_secret()
    assert await log.key(SIGNING, new) == new, "nor the key"
    assert (await restore(log, raw)).tables == 3


async def test_bytes_at_random_are_refused_or_fit(saved: Lines):
    """Whatever is wrong with a backup, it is said, and what is taken in is sound."""
    rng, raw = random.Random(6), [json.dumps(line).encode() for line in saved]
    for _ in range(300):
        lines = list(raw)
        number = rng.randrange(len(lines))
        broken = bytearray(lines[number])
        broken[rng.randrange(len(broken))] = rng.randrange(256)
        lines[number] = bytes(broken)
        async with await open_log("memory:") as log:
            try:
                await restore(log, lines)
            except Unreadable:
                assert await log.tables() == []
            else:
                assert await problems(log) == []


async def test_a_backup_of_the_first_version_is_restored(log: Log, saved: Lines):
    saved[0]["kasta_store"] = 1
    for line in saved:
        line.pop("code", None)
    assert (await restore(log, [json.dumps(line).encode() for line in saved[:-1]])).tables == 3


async def test_a_forgotten_name_is_in_no_new_backup_and_the_record_is_still_good(log: Log):
    service = Service(log)
    table = await service.open(HOST, "knister")
    table = await service.do(table.id, Sit("anna", "Anna"))
    await log.append(change(table, e.Renamed(0, "Annika")))
    await forget(log, table.id, Seat(0))
    lines = await lines_of(log)
    assert b"Ann" not in b"".join(lines)
    async with await open_log("memory:") as other:
        await restore(other, lines)
        assert replay(each.event for each in await other.read(table.id)).places[0].name == "Player 1"
    await service.close()
