"""One hostile client: 5,000 connections at full speed, from the address of those who play at another table.

The server is the hall's (bench/hall.py). A table is played twice, alone and while it is attacked. The client does
what it can with a table and seats of its own: asks for pages, records and rubbish as fast as it is answered,
changes settings, opens streams that it never reads, and connections that say nothing, half of something, or little
by little. Everything stays on this machine's loopback, and ends with the game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count

import uvloop
from hall import Server, at, serving, split_cores
from phones import Hall, Line, Size, cookie_in

LONGEST_ATTACK = 600.0  # seconds
TOGETHER = 200  # connections that are begun at the same time
FRIENDS = 50  # that sit down at the hostile table, too
Request = Callable[[], bytes]


class Attacker(asyncio.Protocol):
    """A connection that asks again as soon as it is answered, and comes back as soon as it is dropped."""

    _transport: asyncio.Transport

    _drip: asyncio.TimerHandle | None = None

    def __init__(self, attack: Attack, name: str) -> None:
        self._attack, self._name = attack, name

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._attack.open.add(transport)
        if "stream" in self._name:  # which is never read
            transport.pause_reading()
        self._ask()

    def data_received(self, data: bytes) -> None:
        for status in re.findall(rb"HTTP/1.1 (\d\d\d) ", data):
            self._attack.heard[f"{self._name} {status.decode()}"] += 1
        self._ask()

    def connection_lost(self, _error: Exception | None) -> None:
        if self._drip is not None:
            self._drip.cancel()
        self._attack.open.discard(self._transport)
        self._attack.heard[f"{self._name} dropped"] += 1
        self._attack.lost.put_nowait(self._name)

    def _ask(self) -> None:
        if not self._transport.is_closing():
            if self._drip is not None:
                self._drip.cancel()
            with suppress(RuntimeError):  # it was closed under our hands
                self._transport.write(self._attack.requests[self._name]())
            if self._name == "drip":
                self._drip = asyncio.get_running_loop().call_later(1.0, self._ask)


class Attack:
    """So many connections, shared among all ways to be a nuisance."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self._address = port, address
        self.open: set[asyncio.Transport] = set()
        self.heard: Counter[str] = Counter()
        self.lost: asyncio.Queue[str] = asyncio.Queue()
        self.requests: dict[str, Request] = {}

    async def prepare(self, guests: int = FRIENDS) -> None:
        """A table of one's own, with a seat for some friends."""
        line = Line(self.port)
        mine = cookie_in((await line.ask("GET", "/", ""))[0])
        head, _ = await line.ask("POST", "/new/knister", mine, "name=Eve")
        table = re.search(r"location: (\S+)", head, re.IGNORECASE)[1]  # type: ignore[index]
        friends = [mine]
        for number in range(guests):
            cookie = cookie_in((await line.ask("GET", table, ""))[0])
            await line.ask("POST", f"{table}/sit", cookie, f"name=Friend+{number}")
            friends.append(cookie)
        line.close()
        numbers = count()

        def ask(method: str, path: str, cookie: str = "", body: str = "") -> bytes:
            here = f"127.0.0.1:{self.port}"
            cookies = f"cookie: {cookie}\r\n" if cookie else ""
            return (
                f"{method} {path} HTTP/1.1\r\nhost: {here}\r\norigin: http://{here}\r\n{cookies}"
                f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n\r\n{body}"
            ).encode()

        def friend() -> str:
            return friends[next(numbers) % len(friends)]

        self.requests = {
            "home": lambda: ask("GET", "/"),
            "page": lambda: ask("GET", table, friend()),
            "stranger's page": lambda: ask("GET", table),
            "settings": lambda: ask("POST", f"{table}/settings", mine, f"pace={5 + next(numbers) % 9_000}"),
            "friends' names": lambda: ask("POST", f"{table}/rename", friend(), f"seat=1&name=N{next(numbers)}"),
            "record": lambda: ask("GET", f"{table}/record", friend()),
            "proof": lambda: ask("GET", f"/t/{table[3:]}/proof"),
            "rubbish": lambda: ask("GET", f"/{next(numbers)}/%ff") * 5,
            "stream": lambda: ask("GET", f"{table}/stream", friend()),
            "stranger's stream": lambda: ask("GET", f"{table}/stream"),
            "silence": lambda: b"",
            "half a head": lambda: b"GET / HTTP/1.1\r\n",
            "drip": lambda: b"G",
        }

    async def go_on(self, connections: int, ways: Sequence[str] = ()) -> None:
        """Attack from all of them, in these ways or all, until told to end."""
        names = ways or list(self.requests)
        for number in range(connections):
            self.lost.put_nowait(names[number % len(names)])
        await asyncio.gather(*(self._connect() for _ in range(TOGETHER)))

    def hang_up(self) -> None:
        for transport in list(self.open):
            transport.abort()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            make = partial(Attacker, self, name := await self.lost.get())
            try:
                await loop.create_connection(make, "127.0.0.1", self.port, local_addr=(self._address, 0))
            except OSError:
                self.heard["not let in"] += 1
                self.lost.put_nowait(name)
                await asyncio.sleep(0.01)
            self.heard["open at once"] = max(self.heard["open at once"], len(self.open))


async def attack(port: int, connections: int) -> None:
    hostile = Attack(port)
    await hostile.prepare()
    print("ready", flush=True)
    going_on = asyncio.create_task(hostile.go_on(connections))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, going_on.cancel)
    await asyncio.wait([going_on], timeout=LONGEST_ATTACK)
    print(", ".join(f"{name} {count:,}" for name, count in sorted(hostile.heard.items())), flush=True)


async def play(server: Server, hall: Hall) -> str:
    """One line of the table."""
    begun, at_first = server.seconds, time.monotonic()
    await hall.play()
    used = (server.seconds - begun) / (time.monotonic() - at_first)
    hall.close()
    if hall.errors:
        raise RuntimeError(f"{len(hall.errors)} errors: {hall.errors[:3]}")
    picks = [took for each in hall.rounds.values() for took in each.picks]
    throws = [took - each.thrown_at for each in hall.rounds.values() for took in each.heard]
    return (
        f"| {len(picks)} | {1e3 * at(picks, 0.5):.0f} ms | {1e3 * at(picks, 0.99):.0f} ms "
        f"| {1e3 * max(picks):.0f} ms | {1e3 * at(throws, 0.99):.0f} ms "
        f"| {100 * used:.0f} % | {server.megabytes:.0f} MB |"
    )


async def measure(server: Server, size: Size, connections: int) -> None:
    """Whoever plays has sat down before the attack begins."""
    halls = [Hall(server.port, size) for _ in range(2)]
    for hall in halls:
        await hall.open()
    print("| | picks | median | 99 % | at most | throw seen, 99 % | processor | memory |\n" + "| --- " * 8 + "|")
    print("| alone", await play(server, halls[0]), flush=True)
    command = [sys.executable, __file__, "--attack", str(server.port), "--connections", str(connections)]
    hostile = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    told: asyncio.StreamReader = hostile.stdout  # type: ignore[assignment]
    try:
        await told.readline()
        await asyncio.sleep(2)
        print("| attacked", await play(server, halls[1]), flush=True)
    finally:
        hostile.terminate()
        done = (await told.read()).decode().strip()
        await hostile.wait()
    if not re.search(r" \d+$", done):
        raise RuntimeError(f"the hostile client did nothing: {done}")
    print(f"\nThe hostile client: {done}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attack", type=int, help="be the hostile client of a port of this machine")
    parser.add_argument("--connections", type=int, default=5_000)
    parser.add_argument("--phones", type=int, default=40, help="at the table that is attacked, more than 30")
    parser.add_argument("--rounds", type=int, default=1_000, help="stop then, if the game is not over")
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if options.attack:
        os.nice(10)  # those who play share its core
        uvloop.run(attack(options.attack, options.connections))
        return
    size = (
        Size("knister", 40, (0.0, 0.2), 2)
        if options.quick
        else Size("knister", options.phones, (0.1, 1.0), options.rounds)
    )
    own, theirs = split_cores()
    os.sched_setaffinity(0, own)
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/kasta.db", theirs) as server:
        uvloop.run(measure(server, size, 50 if options.quick else options.connections))


if __name__ == "__main__":
    main()
