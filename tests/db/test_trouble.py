"""A full disk, a file that cannot be written, a database that is gone: said clearly, and no answer was wrong."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kasta.app import create_app
from kasta.db import open_log
from kasta.db.sqlite.log import SqliteLog
from kasta.errors import Unavailable
from kasta.tables.service import Service
from support.others import TESTS, with_packages
from support.stores.pg_server import Server
from support.stores.played import contents, play_on, play_some
from support.stores.witness import Witness
from support.visitors import Server as Site

FULL_DISK = [sys.executable, "-m", "support.stores.full_disk"]
NOBODY = 65534
OPEN = """
import asyncio, os, sys
from kasta.errors import KastaError
from kasta.db import open_log
import kasta.db.sqlite.log  # while every folder can still be read
if os.getuid() == 0:
    os.setgid(int(sys.argv[2])), os.setuid(int(sys.argv[2]))  # root may write everywhere
try:
    asyncio.run(open_log(sys.argv[1]))
except KastaError as error:
    print(error.code, error)
"""


def _fill(path: Path, acks: Path) -> list[str]:
    said: list[str] = json.loads(
        subprocess.check_output([*FULL_DISK, path, acks], env=with_packages(TESTS), timeout=300)
    )
    return said


async def test_a_full_disk_is_said_and_played_on_when_there_is_room(tmp_path: Path):
    path, acks = tmp_path / "kasta.sqlite", tmp_path / "acks"
    said = _fill(path, acks)
    assert all(text.startswith("The store cannot be used now:") for text in said)
    witness = Witness()
    witness.hear(acks)
    async with await open_log(f"sqlite:///{path}") as log:
        await witness.check(log)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody can look into, as those of pytest are not."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made)
        path.chmod(0o755)
        yield path
        path.chmod(0o755)


def _set_modes(file: Path, file_mode: int, folder_mode: int) -> None:
    file.chmod(file_mode)
    file.parent.chmod(folder_mode)


def _refusal(path: Path) -> str:
    """What somebody who may not write there is told."""
    command = [sys.executable, "-c", OPEN, f"sqlite:///{path}", str(NOBODY)]
    return subprocess.check_output(command, timeout=60, text=True)


def test_a_folder_that_cannot_be_written_is_said(folder: Path):
    folder.chmod(0o555)
    assert _refusal(folder / "kasta.sqlite").startswith("store_failed The store cannot be used now:")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
async def test_a_file_that_cannot_be_written_is_said_and_left_as_it_is(folder: Path, folder_mode: int):
    path = folder / "kasta.sqlite"
    async with await open_log(f"sqlite:///{path}") as log:
        await play_some(log, 10)
        before = await contents(log)
    _set_modes(path, 0o444, folder_mode)
    assert _refusal(path).startswith("store_failed The store cannot be used now:")
    _set_modes(path, 0o644, 0o755)
    async with await open_log(f"sqlite:///{path}") as log:
        assert await contents(log) == before


async def test_a_database_that_is_gone_comes_back_to_the_same_service(own_server: Server):
    async with await open_log(own_server.url) as log:
        names = await play_some(log, 10)
        before = await contents(log)
        service = Service(log)
        for name in names:
            await service.table(name)
        own_server.stop()
        for name in names * 3:
            with pytest.raises(Unavailable) as refused:
                await play_on(service, name)
            assert refused.value.code == "store_failed"
        with pytest.raises(Unavailable):
            await open_log(own_server.url)
        own_server.start()
        after = await contents(log)
        assert {
            name: (secret, stored[: len(before[name][1])]) for name, (secret, stored) in after.items()
        } == before
        for name in names:
            await play_on(service, name)
        await service.close()


def test_a_restart_of_the_database_leaves_lines_in_the_log_and_no_places_in_code(
    own_server: Server, tmp_path: Path
):
    server = Site(tmp_path, ("--store", own_server.url))
    server.start()

    def wait_until(status: int) -> None:
        deadline = time.monotonic() + 60
        while httpx.get(f"{server.url}/ready").status_code != status:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    own_server.stop()
    wait_until(503)
    assert httpx.get(f"{server.url}/t/nowhere").status_code == 503
    own_server.start()
    wait_until(200)
    server.stop()
    assert "The store cannot be used now" in server.printed()
    assert 'File "' not in server.printed()


async def test_a_store_closes_while_its_database_is_gone(own_server: Server):
    log = await open_log(own_server.url)
    await play_some(log, 10)
    own_server.stop()
    await log.close()
    own_server.start()


async def test_who_follows_a_table_hears_of_it_after_the_database_was_gone(own_server: Server):
    """Another process's notices come again, or polling finds what they would have told."""
    async with await open_log(own_server.url) as here, await open_log(own_server.url) as there:
        table = (await Service(here).open("ada", "knister")).id
        await asyncio.to_thread(own_server.restart)
        heard = Service(here).follow(table, "bo")
        assert (await anext(heard))[0] == 1
        await play_on(Service(there), table)
        assert (await anext(heard))[0] == 2
        await heard.aclose()


async def test_a_server_whose_database_is_gone_is_alive_and_not_ready(own_server: Server):
    async with await open_log(own_server.url) as log:
        transport = httpx.ASGITransport(await create_app(log))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.get("/ready")).status_code == 200
            await asyncio.to_thread(own_server.stop)
            while (answer := await client.get("/ready")).status_code == 200:  # an answer holds for a second
                await asyncio.sleep(0.1)
            assert (answer.status_code, answer.text) == (503, "the store does not answer")
            assert (await client.get("/health")).status_code == 200
            await asyncio.to_thread(own_server.start)
            while (await client.get("/ready")).status_code != 200:
                await asyncio.sleep(0.1)


async def test_a_disk_that_hangs_keeps_nobody_waiting_for_ever(tmp_path: Path):
    """Who waits to write or read is told, and what is asked later is answered as soon as the disk is back."""
    async with await open_log(f"sqlite:///{tmp_path}/kasta.sqlite") as log:
        assert isinstance(log, SqliteLog)
        back = threading.Event()
        hanging = log._writer.do(lambda _: back.wait(60), 0.1)  # noqa: SLF001
        behind = log._writer.do(lambda _: None, 0.2)  # noqa: SLF001
        reading = log._look(lambda _: back.wait(60), 0.1)  # noqa: SLF001
        async with asyncio.timeout(30):
            for waiting in (hanging, behind, reading):
                with pytest.raises(Unavailable) as refused:
                    await waiting
                assert refused.value.code == "store_failed"
        back.set()
        await log.ping()
        assert await log.tables() == []
