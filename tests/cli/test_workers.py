"""`kasta serve --workers`: several processes on one port, which know each other by the store alone."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import psutil
import pytest

from support.visitors import KASTA, Phone, Server

PATIENCE = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, ("--workers", "2"))
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()
    assert "Traceback" not in server.printed()


def workers(server: Server) -> list[psutil.Process]:
    """The processes that hold the port open for connections."""
    assert server.process
    children = psutil.Process(server.process.pid).children()
    return [
        child
        for child in children
        if any(line.status == "LISTEN" and line.laddr.port == server.port for line in child.net_connections())
    ]


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_game_goes_on_while_its_workers_are_killed_and_replaced(server: Server):
    assert "2 workers" in server.printed()
    wait_for(lambda: len(workers(server)) == 2)
    with ExitStack() as stack:
        anna, tim = (stack.enter_context(closing(Phone(server))) for _ in range(2))
        table = anna.open("Anna")
        tim.sit(table, "Tim")
        anna.roll(table)
        for turn, cell in enumerate(("a1", "b2"), 1):
            before = workers(server)[:turn]  # one of them, then both
            for worker in before:
                worker.kill()
            psutil.wait_procs(before, PATIENCE)
            wait_for(lambda: len(workers(server)) == 2)
            for seat, phone in enumerate((anna, tim)):
                data = {"turn": turn, "seat": seat, "step": 0, "do": cell}
                assert _post(phone, f"/t/{table}/play", data).status_code == 303
            thrower = (tim, anna)[turn % 2 - 1]
            assert _post(thrower, f"/t/{table}/roll", {"turn": turn}).status_code == 303
        state = anna.state(table)
        assert (state["turn"], [seat["due"] for seat in state["seats"]]) == (3, [True, True])
    assert server.printed().count("another one takes its place") == 3


def _post(phone: Phone, path: str, data: dict[str, object]) -> httpx.Response:
    """A line that was kept open may lead to a worker that is gone: then browsers, too, try once more."""
    try:
        return phone.post(path, **data)
    except httpx.TransportError:
        return phone.post(path, **data)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_all_workers_end_with_the_one_that_looks_after_them(server: Server, number: signal.Signals):
    wait_for(lambda: len(workers(server)) == 2)
    started = workers(server)
    assert server.process
    os.kill(server.process.pid, number)
    server.process.wait(PATIENCE)
    _, alive = psutil.wait_procs(started, PATIENCE)
    assert not alive


def test_several_workers_need_a_store_that_they_can_share():
    command: list[str | Path] = [KASTA, "serve", "--port", "0", "--store", "memory:", "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert "workers_need_store" in done.stderr
