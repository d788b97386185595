"""Stores that older versions have made open in this one, and their games are played to the end.

`old/` holds files of most versions of a schema: three tables, one of each game, in the middle of a game. Each was
written by the code of its version, and is never written again: SHA256SUMS, made there by `sha256sum *-*`, has all.
None has a row beside its logs (results, reviews, days, answers): those of test_old_rows.py have.
"""

from __future__ import annotations

import random
import shutil
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
from support.pinned import pinned
from support.stores.witness import proven

OLD = Path(__file__).parent / "old"
STORES = sorted(path for path in OLD.iterdir() if "-" in path.name)
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


async def test_an_old_store_opens_and_its_games_are_played_to_the_end(old: tuple[Path, str]):
    path, url = old
    if url.startswith("sqlite"):
        shutil.copy(path, url.removeprefix("sqlite:///"))
    else:
        db = await asyncpg.connect(url)
        await db.execute(path.read_text("utf-8"))
        await db.close()
    async with await open_log(url) as log:
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
