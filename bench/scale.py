"""What more nodes bring: processor time of nodes and of PostgreSQL, for one large table and for many small ones.

Each node is a process with the log and the service of a real one, without pages: it makes the picks of its share
of the phones, and follows the table. What 1 and 2 nodes take gives constants; by them the time of 4 and 8 nodes is
computed, and compared with what they take. docs/scale.md goes on from there. Only processor time counts, so a busy
machine hardly changes it; `--quick` only shows that it runs. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import psutil

from kasta.app import OURS
from kasta.core import Throw
from kasta.db import open_log
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.errors import Conflict, Illegal
from kasta.feature import Site
from kasta.i18n import words
from kasta.live.subscriber import Subscriber
from kasta.live.viewer import Viewer
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.service import Service
from kasta.tables.state import Table

CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
MICRO = 1e6
AT_ONCE = 10  # tables of a node
TABLES_OF_A_NOTICE = 100


class Size(NamedTuple):
    """What is measured: `throws` count after one that warms up."""

    phones: int  # at one table
    throws: int
    tables: int  # of two
    streams: int  # of one node
    nodes: tuple[int, ...] = (1, 2, 4, 8)


FULL, QUICK = Size(1_000, 4, 100, 1_000), Size(40, 1, 8, 20, (1, 2))


class Taken(NamedTuple):
    """Seconds of processor time, of all nodes and of the database, and of the clock; how many connections."""

    nodes: float
    database: float
    clock: float
    connections: int


# ---- one node


async def play_at_one_table(service: Service, name: str, number: int, nodes: int, throws: int) -> None:
    """Pick for every phone of this node at each throw. The first node throws, once nobody owes a pick."""
    done = 0
    async with aclosing(service.changes(name)) as changes:
        async for table in changes:
            if table.turn > done and table.owing:
                done = table.turn
                seats = [seat for seat in table.places if seat % nodes == number and table.is_due(seat)]
                await asyncio.gather(*(_pick(service, table, seat) for seat in seats))
            seen = service.seen(name) or table
            if not seen.owing:
                if seen.turn == throws:
                    return
                if number == 0:
                    with suppress(Conflict, Illegal):
                        await service.do(name, Roll(thrower(seen), seen.turn))


def thrower(table: Table) -> str:
    """The device whose turn it is to throw."""
    expected = table.next()
    return table.places[expected.roller].device if isinstance(expected, Throw) else table.host


async def _pick(service: Service, table: Table, seat: int) -> None:
    await service.do(table.id, Play(f"d{seat}", table.turn, seat, 0, CELLS[table.turn - 1]))


async def play_at_many_tables(service: Service, names: list[str], first: int, last: int) -> None:
    """All of a node's tables, some at the same time, from one throw to another."""
    some = asyncio.Semaphore(AT_ONCE)

    async def play(name: str) -> None:
        async with some:
            await play_one(name)

    async def play_one(name: str) -> None:
        table = await service.table(name)
        for turn in range(first, last):
            thrown = await service.do(name, Roll(thrower(table), turn))
            await asyncio.gather(*(_pick(service, thrown, seat) for seat in table.places))
            table = await service.table(name)

    await asyncio.gather(*map(play, names))


async def be_a_node(url: str, number: int, nodes: int, throws: int, names: list[str]) -> None:
    """Warm up with one throw, wait to be told, and say what the others have taken."""
    async with await open_log(url) as log:
        service = Service(log, auto_seconds=0)
        if len(names) == 1:
            await play_at_one_table(service, names[0], number, nodes, 1)
        else:
            await play_at_many_tables(service, names, 0, 1)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        before = time.process_time()
        if len(names) == 1:
            await play_at_one_table(service, names[0], number, nodes, 1 + throws)
        else:
            await play_at_many_tables(service, names, 1, 1 + throws)
        print(json.dumps(time.process_time() - before), flush=True)
        await asyncio.to_thread(sys.stdin.readline)  # the others are not done yet: this one still follows
        await service.close()


# ---- all of them


def database_time(pid: int) -> float:
    """Seconds of processor time of PostgreSQL and its processes, as exactly as Linux counts them."""
    processes = [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]
    return sum(int(Path(f"/proc/{each}/schedstat").read_text().split()[0]) for each in processes) / 1e9


async def opened(url: str, tables: int, seats: int) -> list[str]:
    """Tables at which these seats sit, before the first throw."""
    async with await open_log(url) as log:
        service = Service(log, auto_seconds=0)
        names = [(await service.open("d0", "knister")).id for _ in range(tables)]
        for name in names:
            await asyncio.gather(*(service.do(name, Sit(f"d{seat}", f"P{seat}")) for seat in range(seats)))
            seen = await service.table(name)
            if [place.device for _, place in sorted(seen.places.items())] != [f"d{seat}" for seat in range(seats)]:
                raise RuntimeError("phones sit where they are not looked for")
        await service.close()
    return names


def take(url: str, pid: int, nodes: int, throws: int, names: list[str]) -> Taken:
    """What so many nodes take for so many throws."""
    single = len(names) == 1
    shares = [names if single else names[number::nodes] for number in range(nodes)]
    processes = []
    for number, share in enumerate(shares):
        given = json.dumps([url, number, nodes, throws, share])
        command = [sys.executable, __file__, "--node", given]
        processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    try:
        for process in processes:
            _heard(process)
        before, began = database_time(pid), time.monotonic()
        for process in processes:
            _tell(process)
        seconds = [float(_heard(process)) for process in processes]
        clock, after = time.monotonic() - began, database_time(pid)
        connections = asyncio.run(count_connections(url))
        for process in processes:
            _tell(process)
        for process in processes:
            process.wait(60)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return Taken(sum(seconds), after - before, clock, connections)


def _heard(process: subprocess.Popen[str]) -> str:
    if process.stdout is None or not (line := process.stdout.readline()):
        raise RuntimeError("a node has ended")
    return line


def _tell(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        process.stdin.write("go\n")
        process.stdin.flush()


async def count_connections(url: str) -> int:
    """That the nodes hold; this one's own not counted."""
    async with await open_log(url) as log:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ((number,),) = await log.db.fetch(asked)
        return int(number) - 4  # two of the pool, one that listens, one that polls or asks


def table_of(title: str, events: int, taken: dict[int, Taken], *, is_read_by_all: bool) -> None:
    """What was measured beside what 1 and 2 nodes let expect, for each event.

    What all nodes read takes more with each; what each has to itself takes as much however many there are.
    """
    one, two = (taken[number] for number in (1, 2))
    print(f"\n{title}: {events:,} events; microseconds of processor time for each\n")
    print("| nodes | all nodes | computed | busiest node | PostgreSQL | computed | connections |")
    print("| --: " * 7 + "|")
    for number, each in taken.items():
        first, more = (1.0, number - 1) if is_read_by_all else (0.5, 0.5)
        nodes = first * one.nodes + more * (two.nodes - is_read_by_all * one.nodes)
        database = first * one.database + more * (two.database - is_read_by_all * one.database)
        cells = (each.nodes, nodes, each.nodes / number, each.database, database)
        said = " | ".join(f"{MICRO * cell / events:,.0f}" for cell in cells)
        print(f"| {number} | {said} | {each.connections} |", flush=True)


# ---- streams of one node


async def tell_streams(streams: int, throws: int) -> tuple[float, int]:
    """Processor time to tell one phone of a crowd one throw, and how many bytes that is, to real sockets."""
    async with MemoryLog() as log, AsyncExitStack() as open_streams:
        site = Site(log, Config(), Signer(bytes(32)), OURS, auto_seconds=0)
        name = (await site.service.open("d0", "knister")).id
        for seat in range(31):  # a crowd
            await site.service.do(name, Sit(f"d{seat}", f"P{seat}"))
        told, loop = 0, asyncio.get_running_loop()

        def push_to(transport: Any) -> Any:  # noqa: ANN401 - of a socket
            def push(piece: bytes) -> bool:
                nonlocal told
                told += len(piece)
                transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                return True

            return push

        for number in range(streams):
            near, far = socket.socketpair()
            open_streams.callback(far.close)
            transport, _ = await loop.create_connection(asyncio.Protocol, sock=near)
            open_streams.callback(transport.abort)
            subscriber = Subscriber(f"p{number}", Viewer(f"x{number}", words("en"), "http://localhost"))
            await open_streams.enter_async_context(site.channels.subscribed(name, subscriber, ""))
            subscriber.push = push_to(transport)
            reading = asyncio.create_task(_drain(subscriber))
            open_streams.callback(reading.cancel)
        await asyncio.sleep(1)
        seconds, told = 0.0, 0
        for turn in range(throws):
            seen, before = await site.service.table(name), time.process_time()
            table = await site.service.do(name, Roll(thrower(seen), turn))
            await asyncio.sleep(0.3)  # all are told
            seconds += time.process_time() - before
            for seat in range(31):
                await site.service.do(name, Play(f"d{seat}", table.turn, seat, 0, CELLS[turn]))
            await asyncio.sleep(1.2)  # and that nobody owes a pick
        bytes_told = told
        await site.close()
    return seconds / throws / streams, bytes_told // throws // streams


async def _drain(subscriber: Subscriber) -> None:
    async for _ in subscriber.messages():
        pass


# ---- notices


async def notice_cost(url: str, pid: int, nodes: int, notices: int) -> tuple[float, float]:
    """Processor time of PostgreSQL, and of one node, for a notice of many tables that so many nodes hear."""
    heard, all_heard = 0, asyncio.Event()

    def hear(_connection: object, _pid: int, _channel: str, payload: str) -> None:
        nonlocal heard
        heard += len(payload.split()) > 0
        if heard == nodes * notices:
            all_heard.set()

    listening = [await asyncpg.connect(url) for _ in range(nodes)]
    for each in listening:
        await each.add_listener("scale", hear)
    telling, payload = await asyncpg.connect(url), " ".join(["x" * 22 + "/1234"] * TABLES_OF_A_NOTICE)
    database, own = database_time(pid), time.process_time()
    for _ in range(notices):
        await telling.execute("SELECT pg_notify('scale', $1)", payload)
    await all_heard.wait()
    taken = database_time(pid) - database, time.process_time() - own
    for each in (*listening, telling):
        await each.close()
    return taken[0] / notices, taken[1] / notices / nodes


def measure_notices(url: str, pid: int, size: Size) -> None:
    print(f"\nA notice of {TABLES_OF_A_NOTICE} tables; microseconds of processor time for each\n")
    print("| nodes that hear it | PostgreSQL | one node |\n| --: | --: | --: |")
    for nodes in size.nodes:
        database, own = asyncio.run(notice_cost(url, pid, nodes, 50 * size.throws))
        print(f"| {nodes} | {MICRO * database:,.0f} | {MICRO * own:,.0f} |", flush=True)


# ----


def measure(url: str, pid: int, size: Size) -> None:
    cost, length = asyncio.run(tell_streams(size.streams, size.throws))
    told = f"{MICRO * cost:.0f} µs of processor time, {length:,} bytes"
    print(f"A throw told to one of {size.streams:,} phones: {told}", flush=True)
    measure_notices(url, pid, size)
    one, many = {}, {}
    for nodes in size.nodes:
        names = asyncio.run(opened(url, 1, size.phones))
        one[nodes] = take(url, pid, nodes, size.throws, names)
    table_of(f"One table of {size.phones:,} phones", size.phones * size.throws, one, is_read_by_all=True)
    for nodes in size.nodes:
        names = asyncio.run(opened(url, size.tables, 2))
        many[nodes] = take(url, pid, nodes, size.throws, names)
    title = f"{size.tables:,} tables of two, each at one node"
    table_of(title, 3 * size.tables * size.throws, many, is_read_by_all=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    options = parser.parse_args()
    if options.node:
        asyncio.run(be_a_node(*json.loads(options.node)))
        return
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.stores.pg_server import Server

    server = Server()
    try:
        measure(server.url, server.pid, QUICK if options.quick else FULL)
    finally:
        server.remove()


if __name__ == "__main__":
    main()
