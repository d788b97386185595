"""The web app as people meet it: page weight, answer times and what they cost, and a hall of a thousand streams.

Starts `kasta serve` with a durable store, and beside it a bare Litestar handler on the same server, each in a
process of its own. Prints Markdown tables. The client shares the processors: ratios matter.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from kasta.games import OURS


@dataclass(frozen=True)
class Size:
    """How much is asked for."""

    tables: int = 50
    players: int = 64
    bare_requests: int = 6_000
    idle_moves: int = 200
    games: int = 4
    streams: int = 1_000


QUICK = Size(tables=2, players=2, bare_requests=20, idle_moves=10, games=1, streams=5)
FORM = "content-type: application/x-www-form-urlencoded\r\naccept: application/vnd.kasta.parts+json\r\n"
STREAMS_AN_ADDRESS = 10  # strangers have some, but not any number
STILL = 0.005  # seconds, for what the server does after its answer
CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]


async def bare(port: int) -> None:
    """What the framework and the server alone can do: read a small JSON body, answer with one."""
    import msgspec
    import uvicorn
    from litestar import Litestar, post
    from litestar.params import JSONBody

    class Wish(msgspec.Struct):
        turn: int

    @post("/", status_code=200)
    async def answer(data: JSONBody[Wish]) -> Wish:
        return data

    answer.fn.__annotations__ = {"data": JSONBody[Wish], "return": Wish}
    app = Litestar([answer], logging_config=None, openapi_config=None)
    await uvicorn.Server(uvicorn.Config(app, port=port, access_log=False, log_level="warning")).serve()


class Line:
    """A connection that is kept, with as little work in the client as possible."""

    def __init__(self, port: int, token: str = "", address: str = "127.0.0.1") -> None:
        self.port, self.token, self.address = port, token, address

    async def open(self) -> Line:
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        return self

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()

    def send(self, method: str, path: str, body: bytes = b"", headers: str = "") -> None:
        if self.token:
            headers += f"authorization: Bearer {self.token}\r\n"
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
        self.writer.write(head.encode() + body)

    async def receive(self) -> tuple[int, bytes, bytes]:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = await self.reader.readexactly(int(length[1])) if length else b""
        return int(head[9:12]), head, body

    async def ask(self, path: str, wish: Any = None) -> Any:  # noqa: ANN401 - JSON
        self.send("POST", path, json.dumps(wish or {}).encode(), "content-type: application/json\r\n")
        status, _, body = await self.receive()
        if status >= 300:
            raise RuntimeError(body)
        return json.loads(body)


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    """A server; its process id."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def weigh(port: int, path: str) -> dict[str, int]:
    """The bytes of a page and all that it loads, as they are sent."""
    sizes: dict[str, int] = {}

    def load(address: str) -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{address}", headers={"accept-encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own server
            body = answer.read()
            sizes[address.partition("?")[0]] = len(body) + len(str(answer.headers))
            packed = answer.headers.get("content-encoding") == "gzip"
        return gzip.decompress(body) if packed else body

    page = load(path).decode()
    for link in dict.fromkeys(re.findall(r"<(?:link|script|img)[^>]+(?:href|src)=\"([^\"]+)\"", page)):
        if not link.startswith("/") or link.startswith("//"):
            raise RuntimeError(f"from elsewhere: {link}")
        load(link)
    return sizes


async def open_table(port: int, game: str = "knister", address: str = "127.0.0.1") -> tuple[Line, str]:
    line = await Line(port, address=address).open()
    opened = await line.ask("/api/tables", {"game": game})
    line.token = opened["token"]
    await line.ask(f"/api/tables/{opened['table']}/seats", {"name": "Anna"})
    return line, opened["table"]


async def play_alone(tables: list[tuple[Line, str]]) -> float:
    """Whole Knister games at once, one a table: moves per second."""

    async def play(line: Line, table: str) -> None:
        for turn, cell in enumerate(CELLS):
            await line.ask(f"/api/tables/{table}/roll", {"turn": turn})
            await line.ask(f"/api/tables/{table}/play", {"turn": turn + 1, "seat": 0, "step": 0, "do": cell})

    begun = time.perf_counter()
    await asyncio.gather(*(play(*each) for each in tables))
    return 2 * len(CELLS) * len(tables) / (time.perf_counter() - begun)


async def ask_bare(port: int, size: Size) -> float:
    async def ask(line: Line) -> None:
        for _ in range(size.bare_requests // size.players):
            await line.ask("/", {"turn": 1})

    lines = [await Line(port).open() for _ in range(size.players)]
    begun = time.perf_counter()
    await asyncio.gather(*(ask(line) for line in lines))
    took = time.perf_counter() - begun
    for line in lines:
        await line.close()
    return size.bare_requests / took


async def answer_times(port: int, moves: int) -> list[float]:
    """Picks and throws one after the other, by the page's own forms; milliseconds."""
    times: list[float] = []
    while len(times) < moves:
        line, table = await open_table(port)
        for turn, cell in enumerate(CELLS):
            for path, body in (("roll", f"turn={turn}"), ("play", f"turn={turn + 1}&seat=0&step=0&do={cell}")):
                begun = time.perf_counter()
                line.send("POST", f"/t/{table}/{path}", body.encode(), FORM)
                status, _, _ = await line.receive()
                times.append(1_000 * (time.perf_counter() - begun))
                if status != 200:
                    raise RuntimeError(status)
        await line.close()
    return times


def processor_ms(pid: int) -> float:
    """The processor time of another process: Linux numbers these clocks by its id."""
    return time.clock_gettime((~pid << 3) | 2) * 1e3


async def health_costs(port: int, pid: int, asked: int, pause: float) -> list[float]:
    """The server's milliseconds for the least that it can be asked."""
    line, times = await Line(port).open(), []
    for _ in range(asked):
        await asyncio.sleep(pause)
        begun = processor_ms(pid)
        line.send("GET", "/health")
        await line.receive()
        await asyncio.sleep(pause)
        times.append(processor_ms(pid) - begun)
    await line.close()
    return times


async def pick_costs(port: int, pid: int, game: str, pause: float) -> list[float]:
    """A whole game by the page's forms, with an open stream: the server's milliseconds for each random pick.

    With a pause around it, a pick finds a server that sleeps, and counts what is done after the answer.
    """
    line, table = await open_table(port, game, address="127.0.0.2")  # tables an address are limited
    stream, chance, times = await Line(port, line.token).open(), random.Random(1), []
    stream.send("GET", f"/t/{table}/stream?page=bench")
    await stream.reader.readuntil(b"event: news")
    while True:
        line.send("GET", f"/api/tables/{table}")
        state = json.loads((await line.receive())[2])
        if state["next"] == "over":
            break
        do = {"turn": state["turn"]}
        if state["next"] == "pick":
            seat = state["seats"][0]
            do |= {"seat": 0, "step": seat["step"], "do": chance.choice(seat["legal"])}
        await asyncio.sleep(pause)
        begun = processor_ms(pid)
        form = f"{FORM}accept-encoding: gzip\r\nx-kasta-page: bench\r\n"
        line.send("POST", f"/t/{table}/{'play' if 'do' in do else 'roll'}", urlencode(do).encode(), form)
        if (status := (await line.receive())[0]) != 200:
            raise RuntimeError(status)
        await asyncio.sleep(pause)
        if "do" in do:
            times.append(processor_ms(pid) - begun)
    await line.close()
    await stream.close()
    return times


async def tell_all(port: int, streams: int) -> tuple[float, float]:
    """A throw at a table with many streams: milliseconds until the median and the last one has it."""
    host, table = await open_table(port)
    lines = []
    for number in range(streams):
        line = await Line(port, address=f"127.0.1.{1 + number // STREAMS_AN_ADDRESS}").open()
        line.send("GET", f"/t/{table}/stream")
        lines.append(line)
    for line in lines:
        await line.reader.readuntil(b"event: news")

    async def hear(line: Line) -> float:
        await line.reader.readuntil(b'"turn": 1,')
        return 1_000 * (time.perf_counter() - begun)

    hearing = [asyncio.create_task(hear(line)) for line in lines]
    await asyncio.sleep(0.5)
    begun = time.perf_counter()
    await host.ask(f"/api/tables/{table}/roll", {"turn": 0})
    times = await asyncio.gather(*hearing)
    for line in (*lines, host):
        await line.close()
    return statistics.median(times), max(times)


async def measure(port: int, pid: int, bare_port: int, size: Size) -> None:
    print("## First visit, compressed, with headers\n\n| page | requests | bytes |\n| --- | --- | --- |")
    line, table = await open_table(port)
    for title, path in (("home", "/"), ("a table", f"/t/{table}")):
        sizes = weigh(port, path)
        print(f"| {title} | {len(sizes)} | {sum(sizes.values()):,} |")
    await line.close()
    times = await answer_times(port, size.idle_moves)
    quantiles = statistics.quantiles(times, n=100)
    print("\n## Answer to a move by the page, idle server\n\n| median | 95 % | 99 % |\n| --- | --- | --- |")
    print(f"| {quantiles[49]:.1f} ms | {quantiles[94]:.1f} ms | {quantiles[98]:.1f} ms |")
    for pause, when in ((0.0, "one after the other"), (STILL, "with a pause around each")):
        print(f"\n## Processor time of the server for a pick, {when}")
        print("\n| game | picks | median | 90 % |\n| --- | --- | --- | --- |")
        for what in ("`/health` instead", *OURS):
            costs = (
                [cost for _ in range(size.games) for cost in await pick_costs(port, pid, what, pause)]
                if what in OURS
                else await health_costs(port, pid, size.idle_moves, pause)
            )
            quantiles = statistics.quantiles(costs, n=10)
            print(f"| {what} | {len(costs)} | {quantiles[4]:.2f} ms | {quantiles[8]:.2f} ms |")
    tables = [await open_table(port) for _ in range(size.tables)]
    moves, alone = await play_alone(tables), await ask_bare(bare_port, size)
    for line, _ in tables:
        await line.close()
    print("\n## Moves a second\n\n| | a second |\n| --- | --- |")
    print(f"| whole stack, SQLite, {len(tables)} tables at once | {moves:,.0f} |")
    print(f"| bare Litestar handler on the same server | {alone:,.0f} |")
    middle, last = await tell_all(port, size.streams)
    print(f"\n## A throw to {size.streams:,} streams\n\n| median stream | last stream |\n| --- | --- |")
    print(f"| {middle:.0f} ms | {last:.0f} ms |")


def main(size: Size) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 20_000), most))
    port, bare_port = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        kasta = [str(Path(sys.executable).with_name("kasta")), "serve", "--port", str(port)]
        with (
            running([*kasta, "--store", f"sqlite:///{folder}/kasta.db"], port) as pid,
            running([sys.executable, __file__, "--bare", str(bare_port)], bare_port),
        ):
            asyncio.run(measure(port, pid, bare_port, size))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    parser.add_argument("--bare", type=int, metavar="PORT", help="only serve the bare handler")
    told = parser.parse_args()
    if told.bare:
        asyncio.run(bare(told.bare))
    else:
        main(QUICK if told.quick else Size())
