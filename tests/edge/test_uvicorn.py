"""What we use of uvicorn beyond what it documents: these tests say so when it changes."""

from __future__ import annotations

import ast
import asyncio
import inspect
import logging
import socket
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from kasta.edge.limits import Limits
from kasta.edge.protocol import Connection, Server, http_protocol, quiet

OVERRIDDEN = {
    "connection_made": ["self", "transport"],
    "connection_lost": ["self", "exc"],
    "data_received": ["self", "data"],
    "on_message_begin": ["self"],
    "on_headers_complete": ["self"],
    "on_body": ["self", "body"],
    "on_message_complete": ["self"],
    "on_response_complete": ["self"],
    "pause_writing": ["self"],
    "resume_writing": ["self"],
}

SERVER = {"shutdown": ["self", "sockets"], "capture_signals": ["self"], "handle_exit": ["self", "sig", "frame"]}


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_we_override_of_a_connection_has_its_name_and_arguments(name: str):
    assert list(inspect.signature(getattr(HttpToolsProtocol, name)).parameters) == OVERRIDDEN[name]


def test_everything_that_we_override_is_listed():
    ours = {name for name, value in vars(Connection).items() if inspect.isfunction(value)}
    assert {name for name in ours if hasattr(HttpToolsProtocol, name)} - {"__init__"} == OVERRIDDEN.keys()


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        ("self", {"client", "cycle", "flow", "logger", "pipeline", "scope", "transport"}),
        ("self.cycle", {"response_complete"}),
        ("self.served", {"disconnected", "message_event", "response_complete"}),
        ("self.flow", {"write_paused"}),
    ],
)
def test_everything_that_we_use_of_a_connection_is_tested_below(owner: str, names: set[str]):
    ours = vars(Connection).keys() | {"kept"}
    assert {name for name in _attributes(Connection, owner) if name not in ours} == names


def _attributes(kind: type, owner: str) -> set[str]:
    """What a class says after `owner`, but for `super()`."""
    nodes = ast.walk(ast.parse(inspect.getsource(kind)))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) == owner}


@pytest.mark.parametrize(("name", "arguments"), SERVER.items())
def test_what_we_use_of_the_server_has_its_name_and_arguments(name: str, arguments: list[str]):
    assert list(inspect.signature(getattr(uvicorn.Server, name)).parameters) == arguments


def test_everything_that_we_use_of_the_server_is_listed():
    ours = {name for name in vars(Server) if not name.startswith("__")}
    assert ours | _attributes(Server, "self") == SERVER.keys()


async def test_a_connection_has_the_parts_that_we_read_while_requests_are_served_and_wait():
    """Of two requests at once the first is served, and the second waits in `pipeline`, and is served next."""
    served: list[RequestResponseCycle] = []

    async def answer(scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        connection: Connection = scope["kasta.connection"]
        cycle = connection.served
        assert cycle is not None
        assert cycle.scope is scope
        assert not cycle.disconnected
        assert isinstance(cycle.message_event, asyncio.Event)
        served.append(cycle)
        assert isinstance(connection.pipeline, deque)
        if len(served) == 1:
            while not connection.pipeline:
                await asyncio.sleep(0)
            assert connection.pipeline[-1][0] is connection.cycle
        assert not connection.flow.write_paused
        assert not connection.transport.is_closing()
        assert connection.client is not None
        assert connection.client[0] == "127.0.0.1"
        assert not connection.is_idle
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async with serving(answer) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n" * 2)
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\nok")
    assert len({id(each) for each in served}) == 2
    assert all(each.response_complete for each in served)


async def test_a_connection_complains_of_rubbish_by_the_logger_that_we_gave_it(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING, quiet.name)
    async with serving(None) as (reader, writer):
        writer.write(b"rubbish\r\n\r\n")
        assert b"400 Bad Request" in await reader.readuntil(b"\r\n")
    assert {record.name for record in caplog.records} == {quiet.name}


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:  # noqa: ANN401
    """A connection to a server."""
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(app, http=http_protocol(Limits()), lifespan="off", log_config=None, ws="none")
        server = uvicorn.Server(config)
        server.capture_signals = suppress  # type: ignore[assignment]  # pytest has them
        running = asyncio.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        async with asyncio.timeout(30):
            yield reader, writer
        writer.close()
        server.should_exit = True
        await running
