"""A server that means harm: what it answers neither fills memory, nor keeps the client busy, nor breaks it."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
import pytest

from kasta.client import Client, Refused, connection
from kasta.db.sqlite.memory import MemoryLog
from kasta.tables.commands import Sit
from kasta.tables.rights import all_present
from kasta.tables.service import Service
from kasta.wire.tables import tell
from support.visitors import KASTA

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[str]:
    """A server that answers whatever it is asked in one way; its address."""
    tasks = set[asyncio.Task[None]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await reader.readuntil(b"\r\n\r\n"):
                    await answer(writer)
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def says(body: str, status: str = "200 OK", **headers: str) -> Answer:
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    text = f"HTTP/1.1 {status}\r\n{head}content-length: {len(body.encode())}\r\n\r\n{body}"

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(text.encode())

    return answer


async def endless(writer: asyncio.StreamWriter) -> None:
    """It goes on for ever, without a line's end."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 65_536)
        await writer.drain()


async def test_an_endless_answer_or_line_is_not_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connection, "LONGEST_ANSWER", 2**20)
    async with serving(endless) as url, Client(url) as client:
        for asked in (client.games(), client.record("t"), anext(client.events("t")), anext(client.throws("t"))):
            with pytest.raises(Refused, match="too long"):
                await asyncio.wait_for(asked, 20)


@pytest.mark.parametrize("after", ["0", "-1", "soon", "9" * 500, None])
async def test_a_review_in_the_making_is_asked_for_once_a_second_at_most(after: str | None):
    times = list[float]()
    made = says("{}", "202 Accepted", **({} if after is None else {"retry-after": after}))

    async def answer(writer: asyncio.StreamWriter) -> None:
        times.append(time.monotonic())
        await made(writer)

    async with serving(answer) as url, Client(url) as client:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.review("t"), 0.4)
    assert len(times) == 1


@pytest.mark.parametrize("body", ["", "nothing", "[]", '{"games": 7}', "[" * 100_000, "\xff"])
async def test_what_makes_no_sense_is_refused(body: str):
    async with serving(says(body)) as url, Client(url) as client:
        for asked in (client.games(), client.review("t"), client.open("knister")):
            with pytest.raises(Refused) as refused:
                await asked
            assert refused.value.code == "unreadable"


@pytest.mark.parametrize(
    "line", ["id: x\ndata: {}\n\n", 'id: 1\ndata: {"kind": "no"}\n\n', f"id: {'9' * 5_000}\n\n"]
)
async def test_a_stream_that_makes_no_sense_is_refused(line: str):
    async with serving(says(line)) as url, Client(url) as client:
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(anext(client.events("t")), 20)
        assert refused.value.code == "unreadable"


async def test_a_table_whose_name_moves_the_cursor_is_told_in_one_sentence_without_it():
    service = Service(MemoryLog())
    table = await service.open("eve", "knister")
    table = await service.do(table.id, Sit("eve", "Eve"))
    state = msgspec.structs.replace(tell(table, "eve", all_present), table="t\x1b]0;owned\x07\x9b2J")
    engine = shlex.join([str(KASTA), "engine", "--bot", "quick"])
    async with serving(says(msgspec.json.encode(state).decode())) as url:
        asked = [KASTA, "bridge", "--engine", engine, "--table", f"{url}/t/x"]
        process = await asyncio.create_subprocess_exec(
            *map(str, asked), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        printed, _ = await asyncio.wait_for(process.communicate(), 60)
    await service.close()
    assert process.returncode == 1
    assert "Traceback" not in printed.decode()
    assert not {"\x1b", "\x07", "\x9b"} & set(printed.decode()), printed
