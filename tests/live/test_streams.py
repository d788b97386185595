"""Streams: they tell at once, end when somebody goes, and never keep the server from ending."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.tables.service import Service
from support.visitors import Phone, Server


def request_stream(server: Server, table: str, cookie: tuple[str, str]) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    head = f"GET /t/{table}/stream HTTP/1.1\r\nhost: localhost\r\ncookie: {'='.join(cookie)}\r\n\r\n"
    line.sendall(head.encode())
    return line


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_abandoned_streams_are_cleaned_up(server: Server, phone: Callable[[], Phone]):
    """Closed in the middle, reset, or never read from."""
    anna = phone()
    table, before = anna.open("Anna"), server.streams()
    lines = [request_stream(server, table, anna.cookie) for _ in range(9)]
    assert wait_for(lambda: server.streams() == before + 9)
    for number, line in enumerate(lines):
        if number % 3 == 0:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")  # reset
        elif number % 3 == 1:
            line.recv(100)
        line.close()
    assert wait_for(lambda: server.streams() == before)


def test_a_stream_tells_a_throw(server: Server, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    with closing(request_stream(server, table, anna.cookie)) as line:
        assert wait_for(lambda: b"event: news" in line.recv(65_536, socket.MSG_PEEK))
        line.recv(65_536)
        anna.roll(table)
        heard = b""
        while b'"turn": 1' not in heard:  # a stream that says nothing more times out
            heard += line.recv(65_536)


@pytest.mark.parametrize("kind", ["t", "api/tables"])
def test_sigterm_ends_streams_and_server(kind: str, tmp_path: Path):
    server = Server(tmp_path)
    server.start()
    anna = Phone(server)
    table = anna.open("Anna")
    with closing(anna), httpx.Client(base_url=server.url, limits=httpx.Limits()) as client:
        streams = [
            client.send(client.build_request("GET", f"/{kind}/{table}/stream"), stream=True) for _ in range(12)
        ]
        assert wait_for(lambda: server.streams() == 12)
        server.stop()
        for each in streams:
            each.close()
    assert "Traceback" not in server.printed()


async def test_devices_that_were_here_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.tables.node.MOST_SEEN", 10)
    async with MemoryLog() as log:
        presence, long_ago = Service(log).presence, time.monotonic() - 1e6
        for number in range(50):
            with presence.of("t1", str(number)):
                assert len(presence) == 1
        silence = presence.silence("t1", long_ago)
    assert [number for number in range(50) if silence(str(number)) < 1e6] == list(range(40, 50))
