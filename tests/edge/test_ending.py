"""A server that is told to end leaves nothing behind: no process, no semaphore, no move outside its file."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from support.visitors import Program, Server

PATIENCE = 60


def wait_for(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _processes(server: Server) -> list[psutil.Process]:
    assert server.process
    return [
        child
        for child in psutil.Process(server.process.pid).children(recursive=True)
        if any("spawn_main" in part for part in child.cmdline())
    ]


@pytest.mark.parametrize("options", [(), ("--workers", "2")])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_ends_cleanly_while_its_bots_think(
    tmp_path: Path, number: signal.Signals, options: tuple[str, ...]
):
    # A shell that starts this in the background ignores SIGINT, and so would the server.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    server = Server(tmp_path, options)
    server.start()
    serving = len(_processes(server))
    anna = Program(server)
    table = anna.open()
    assert anna.post(f"/tables/{table}/seats", {"name": "Robot", "bot": "quick"}).status_code == 201
    wait_for(lambda: len(_processes(server)) > serving)  # it begins to load what it needs, which takes a while
    anna.close()
    assert server.process
    started = _processes(server)
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE) == 0
    _, alive = psutil.wait_procs(started, PATIENCE)
    assert not alive
    printed = server.printed()
    assert "leaked" not in printed
    assert "Traceback" not in printed
    alone = shutil.copy(server.database, tmp_path / "copy.db")
    with sqlite3.connect(alone) as copy:
        assert copy.execute("SELECT count(*) FROM events").fetchone() == (2,), "one file holds all of it"
