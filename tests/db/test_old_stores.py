"""Stores that older versions have made open in this one, and their games are played to the end.

`old/` holds files of most versions of a schema: three tables, one of each game, in the middle of a game. Each was
written by the code of its version (old/make.py), and is never written again: SHA256SUMS, made there by
`sha256sum *-*`, has all.
None has a row beside its logs (results, reviews, days, answers): those of test_old_rows.py have.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from kasta.core import Over, Pick, Throw
from kasta.db import admin, open_log
from kasta.db.schema import steps
from kasta.errors import Conflict
from kasta.tables.commands import Play, Roll
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.fixtures.stores import database
from support.pinned import pinned
from support.stores.witness import proven

OLD = Path(__file__).parent / "old"
STORES = sorted(path for path in OLD.iterdir() if "-" in path.name)
COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public'
"""
CONSTRAINTS = """
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
"""
POSTGRES_SCHEMA = (
    COLUMNS,
    CONSTRAINTS,
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT version FROM kasta_schema",
)
CODES = {"BCDFGH": "knister", "JKMPQR": "knaster", "TVWXY3": "yatzy"}


def test_no_old_store_was_changed():
    assert pinned(STORES) == (OLD / "SHA256SUMS").read_text()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_there_is_an_old_store_of_the_newest_schema(kind: str):
    """A change of a schema comes with a store of that version."""
    newest = max(version for version, _ in steps(kind, 0))
    assert list(OLD.glob(f"{kind}-{newest}.*")), "make one before you change the schema again"


@pytest.fixture(params=[path.name for path in STORES])
def old(request: pytest.FixtureRequest) -> tuple[Path, str]:
    """An old store, and where a new one of its kind may be."""
    return OLD / request.param, request.getfixturevalue(f"{request.param.partition('-')[0]}_url")


@pytest.fixture(scope="module")
def fresh(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a new store of each kind has."""

    async def made() -> dict[str, list[str]]:
        sqlite = f"sqlite:///{tmp_path_factory.mktemp('fresh') / 'new.db'}"
        async with database(postgres_server) as postgres:
            for url in (sqlite, postgres):
                async with await open_log(url):
                    pass
            return {"sqlite": await schema_of(sqlite), "postgres": await schema_of(postgres)}

    return asyncio.run(made())


async def put(path: Path, url: str) -> None:
    """The store becomes what was kept of an old one."""
    if url.startswith("sqlite"):
        shutil.copy(path, url.removeprefix("sqlite:///"))
    else:
        db = await asyncpg.connect(url)
        await db.execute(await asyncio.to_thread(path.read_text, "utf-8"))
        await db.close()


async def test_an_old_store_becomes_a_new_one_and_its_games_are_played_to_the_end(
    old: tuple[Path, str], fresh: dict[str, list[str]]
):
    path, url = old
    await put(path, url)
    async with await open_log(url) as log:
        assert await schema_of(url) == fresh[path.name.partition("-")[0]]
        assert [problem async for problem in admin.check(log)] == []
        service = Service(log, auto_seconds=0)
        for code, game in CODES.items():
            name = await log.by_code(code)
            assert name is not None
            before = await service.table(name)
            assert (before.game.name, len(before.places), before.turn > 5) == (game, 3, True)
            await play_out(service, before)
            assert name in await log.tables_of(before.host, 10)
        await service.close()
        for name in await log.tables():
            assert proven(await log.read(name))


async def schema_of(url: str) -> list[str]:
    """All tables, columns, keys, indexes, functions and triggers of a store, and its version."""
    if url.startswith("sqlite"):
        db = sqlite3.connect(url.removeprefix("sqlite:///"))
        rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        rows += db.execute("PRAGMA user_version").fetchall()
        db.close()
    else:
        connection = await asyncpg.connect(url)
        rows = [tuple(row) for query in POSTGRES_SCHEMA for row in await connection.fetch(query)]
        await connection.close()
    return sorted(map(str, rows))


async def play_out(service: Service, table: Table) -> None:
    rng = random.Random(5)
    while not isinstance(expected := table.next(), Over):
        match expected:
            case Throw(_, roller):
                with suppress(Conflict):  # the table may have thrown by itself
                    await service.do(table.id, Roll(table.places[roller].device, table.turn))
                table = await service.table(table.id)
            case Pick(_, is_due):
                seat = next(filter(is_due, table.places))
                do = str(rng.choice(table.game.legal(table.play, seat)))
                command = Play(table.places[seat].device, table.turn, seat, table.step(seat), do)
                table = await service.do(table.id, command)
    while not table.is_closed:
        table = await service.table(table.id)
