"""Connections that say nothing, come drop by drop or take nothing are dropped, and others stay."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from typing import Any

import pytest
import uvicorn

from kasta.edge.limits import Limits
from kasta.edge.protocol import Connections, http_protocol, prepare

SOON = Limits(request_seconds=0.2, taking_seconds=0.2)
LONG = 30.0  # seconds within which what must happen does, on any machine
HEAD = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[..., Awaitable[Line]]


async def answer(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
    """Reads the body and says ok; a stream begins, and does not end."""
    assert scope["type"] == "http"
    if (connection := scope.get("kasta.connection")) is not None:
        connection.serve(scope["path"].strip("/") or "@192.0.2.2")
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/flood":
        while not scope["kasta.connection"].is_gone:
            await send({"type": "http.response.body", "body": bytes(65_536), "more_body": True})
    elif scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
    await send({"type": "http.response.body", "body": b"ok", "more_body": False})


@asynccontextmanager
async def serving(limits: Limits, kept: list[Connections] | None = None) -> AsyncIterator[Connect]:
    """A server on a port of its own; what connects to it, and says something."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    prepare(listener, limits)
    protocol = http_protocol(limits)
    if kept is not None:
        kept.append(protocol.kept)
    config = uvicorn.Config(
        answer, http=protocol, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.capture_signals = suppress  # type: ignore[assignment]  # pytest has them
    running = asyncio.create_task(server.serve(sockets=[listener]))
    async with AsyncExitStack() as stack:

        async def connect(said: bytes, address: str = "127.0.0.1") -> Line:
            port = listener.getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            stack.callback(writer.close)
            writer.write(said)
            return reader, writer

        yield connect
    server.should_exit = True
    await running


async def is_dropped(line: Line) -> bool:
    """Whether the server hangs up; whatever it says before."""
    with suppress(ConnectionError):
        async with asyncio.timeout(LONG):
            await line[0].read()
    return True


@pytest.mark.parametrize(
    "said",
    [b"", b"GET / HT", HEAD[:-2], HEAD + b"x", HEAD[:-2] + b"transfer-encoding: chunked\r\n\r\n1\r\nx\r\n"],
    ids=["silent", "half a line", "half a head", "half a body", "endless body"],
)
async def test_who_does_not_finish_a_request_is_dropped(said: bytes):
    async with serving(SOON) as connect:
        assert await is_dropped(await connect(said))


async def test_a_request_that_comes_drop_by_drop_is_dropped():
    async with serving(SOON) as connect:
        reader, writer = await connect(b"GET / HTTP/1.1\r\n")

        async def drip() -> None:
            while True:
                writer.write(b"x: y\r\n")
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        assert await is_dropped((reader, writer))
        dripping.cancel()


async def test_the_next_request_on_a_line_has_its_time_too_and_a_stream_has_all_of_it():
    async with serving(SOON) as connect:
        stream, _ = await connect(GET.replace(b"/ ", b"/stream "))
        await stream.readuntil(b"begun")
        kept = await connect(GET)
        await kept[0].readuntil(b"ok")
        half = await connect(GET)
        await half[0].readuntil(b"ok")
        half[1].write(GET[:-2])
        assert await is_dropped(half)
        kept[1].write(GET)
        await kept[0].readuntil(b"ok")
        assert not stream.at_eof()


async def test_who_takes_nothing_is_dropped():
    async with serving(SOON, kept := list[Connections]()) as connect:
        reader, _ = await connect(GET.replace(b"/ ", b"/flood "))
        await reader.readuntil(b"\r\n\r\n")
        (connections,) = kept
        async with asyncio.timeout(LONG):
            while len(connections):
                await asyncio.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux drops who vanished by itself")
def test_the_system_drops_who_vanished():
    with closing(socket.socket()) as listener, closing(socket.socket()) as phone:
        prepare(listener, Limits(taking_seconds=7))
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        phone.connect(listener.getsockname())
        accepted, _ = listener.accept()
        with closing(accepted):
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 7_000
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


async def test_an_endless_head_is_not_kept():
    async with serving(Limits()) as connect:
        assert await is_dropped(await connect(b"GET / HTTP/1.1\r\nx: " + b"x" * 500_000))


async def test_hundreds_of_requests_in_one_breath_are_refused():
    async with serving(Limits()) as connect:
        line = await connect(GET.replace(b"/ ", b"/stream ") + GET * 500)
        assert await is_dropped(line)


async def test_connections_end_below_the_number_of_files_and_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("kasta.edge.protocol.most_connections", lambda _: 10)
    async with serving(Limits()) as connect:
        streams = [await connect(GET.replace(b"/ ", b"/stream ")) for _ in range(10)]
        for reader, _ in streams:
            await reader.readuntil(b"begun")
        for _ in range(30):
            refused = await (await connect(b""))[0].read()
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after" in refused
        assert not any(reader.at_eof() for reader, _ in streams)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_of_too_many_silent_connections_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.edge.protocol.most_connections", lambda _: 10)
    async with serving(Limits()) as connect:
        silent = [await connect(b"") for _ in range(10)]
        reader, _ = await connect(GET)
        await reader.readuntil(b"ok")
        assert await is_dropped(silent[0])


async def test_a_device_and_the_strangers_at_an_address_have_so_many_connections():
    few = Limits(connections_a_device=3, connections_an_address=5)
    async with serving(few, kept := list[Connections]()) as connect:
        for owner, most in (("@192.0.2.1", 5), ("device", 3)):
            mine = []
            for _ in range(9):
                mine.append(await connect(GET.replace(b"/ ", f"/{owner} ".encode())))
                await mine[-1][0].readuntil(b"ok")
            for line in mine[: 9 - most]:
                assert await is_dropped(line)
        assert len(kept[0]) == 5 + 3


async def test_who_owes_the_rest_of_a_request_makes_room_for_others(monkeypatch: pytest.MonkeyPatch):
    """Of their own address above its limit, and of any when the server is full."""
    monkeypatch.setattr("kasta.edge.protocol.most_connections", lambda _: 10)
    for few, held in ((Limits(connections_an_address=5), 5), (Limits(), 10)):
        async with serving(few, kept := list[Connections]()) as connect:
            slow = [await connect(HEAD.replace(b"/ ", b"/@192.0.2.1 ") + b"x") for _ in range(10)]
            for line in slow[: 10 - held]:
                assert await is_dropped(line)
            assert len(kept[0]) == held
            quick, _ = await connect(GET.replace(b"/ ", b"/@192.0.2.1 "))
            await quick.readuntil(b"ok")
            assert await is_dropped(slow[10 - held])
            assert len(kept[0]) == held


async def test_when_the_server_is_full_the_address_with_most_connections_gives_way(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("kasta.edge.protocol.most_connections", lambda _: 10)
    ask = GET.replace(b"/ ", b"/stream ")
    async with serving(Limits()) as connect:
        many = [await connect(ask) for _ in range(10)]
        for reader, _ in many:
            await reader.readuntil(b"begun")
        for number in range(5):
            reader, _ = await connect(ask, f"127.0.0.{2 + number % 2}")
            await reader.readuntil(b"begun")
            assert await is_dropped(many[number])
        assert (await (await connect(ask))[0].read()).startswith(b"HTTP/1.1 503 ")
        assert not any(reader.at_eof() for reader, _ in many[5:])


async def test_who_goes_while_requests_wait_behind_another_leaves_no_fault(caplog: pytest.LogCaptureFixture):
    async with serving(Limits(), kept := list[Connections]()) as connect:
        for said in (GET.replace(b"/ ", b"/stream ") + GET * 3, HEAD + HEAD):
            reader, writer = await connect(said)
            await reader.read(10)
            writer.transport.abort()
        async with asyncio.timeout(LONG):
            while len(kept[0]):
                await asyncio.sleep(0.05)
    assert not caplog.records


async def test_rubbish_fills_no_log(caplog: pytest.LogCaptureFixture):
    async with serving(Limits()) as connect:
        for said in (b"\0\1\2\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n: :\r\n\r\n"):
            assert await is_dropped(await connect(said))
    assert not caplog.records
