"""Makes trouble for servers, their store and their clocks: in a random order that a seed repeats."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from hostile import Attack

from soak.ledger import UNAVAILABLE, Ledger
from soak.nodes import FAKETIME, HANG_SECONDS, Clock, Node
from support.stores import clock as store_clock
from support.stores.pg_server import Server

DAY = 86_400
SEEN_SECONDS = 1.5  # until a process has looked at its clock again
CONNECTIONS = 12  # of hostile clients
BAD_BODIES = (b"{[}]x", b"12345", b"null ", b"\xff\xfe{}x")
SLOW = ("stream", "stranger's stream", "silence", "half a head", "drip")

Fault = Callable[[], Awaitable[None]]


@dataclass
class Faults:
    """The second node is killed early or never: its memory is what is measured."""

    url: str
    nodes: tuple[Node, Node]
    clock: Clock
    ledger: Ledger
    rng: random.Random
    database: Server | None = None
    made: Counter[str] = field(default_factory=Counter)

    async def make(self, seconds: float) -> None:
        """Each kind once, and on in rounds until the time is over. After each one, play must have gone on."""
        begun, is_first = time.monotonic(), True
        while is_first or time.monotonic() - begun < seconds:
            early = is_first or time.monotonic() - begun < seconds / 6
            is_first = False
            faults = [*self._lasting, *([self.power_cut] if early else [])]
            self.rng.shuffle(faults)
            for fault in faults:
                await fault()
                self.made[_name(fault)] += 1
                await self.played_on(more=10)

    @property
    def _lasting(self) -> list[Fault]:
        clocks: list[Fault] = [self.clock_ahead, self.clock_back] if FAKETIME else []
        databases: list[Fault] = [self.database_stopped, self.database_killed, self.database_hangs]
        return [self.server_killed, self.disk_full, *clocks, *(databases if self.database else [])]

    async def played_on(self, more: int) -> None:
        wanted = self.ledger.picks + more
        await self.until(lambda: self.ledger.picks >= wanted)

    async def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + HANG_SECONDS
        while not holds():
            if time.monotonic() > deadline:
                raise RuntimeError(f"nothing happens: {self.made}, {self.ledger.answers}, {self.ledger.wrong[:5]}")
            await asyncio.sleep(0.05)

    async def server_killed(self) -> None:
        """Its phones go to the other one."""
        self.nodes[0].kill()
        await self._while(1.0)
        await asyncio.to_thread(self.nodes[0].start)

    async def power_cut(self) -> None:
        for node in self.nodes:
            node.kill()
        if self.database:
            await asyncio.to_thread(self.database.kill)
            await asyncio.to_thread(self.database.start)
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in self.nodes))

    async def database_stopped(self) -> None:
        assert self.database
        await asyncio.to_thread(self.database.stop)
        await self._while(1.5)
        await asyncio.to_thread(self.database.start)

    async def database_killed(self) -> None:
        assert self.database
        await asyncio.to_thread(self.database.kill)
        await self._while(0.5)
        await asyncio.to_thread(self.database.start)

    async def database_hangs(self) -> None:
        assert self.database
        with self.database.hanging():
            await self._while(1.5)

    async def disk_full(self) -> None:
        """Until somebody was refused because of it. PostgreSQL gives up then, and has to be started again."""
        if self.database is None:
            for node in self.nodes:
                node.fill_disk()
            await self._refused()
            for node in self.nodes:
                node.make_room()
            return
        await asyncio.to_thread(self.database.fill_disk)
        await self._refused()
        await asyncio.to_thread(self.database.kill)
        await asyncio.to_thread(self.database.start)

    async def _refused(self) -> None:
        before = self.ledger.answers[UNAVAILABLE]
        await self.until(lambda: self.ledger.answers[UNAVAILABLE] > before)

    async def clock_ahead(self) -> None:
        await self._set_clocks(self.rng.choice([600, 3_600, DAY, 91 * DAY]))

    async def clock_back(self) -> None:
        await self._set_clocks(-self.rng.choice([600, 3_600, DAY, 400 * DAY]))

    async def _set_clocks(self, ahead: int) -> None:
        """They stay wrong until they are set again."""
        self.clock.set(ahead)
        if self.database:
            await store_clock.set_database(self.url, ahead)
        await asyncio.sleep(SEEN_SECONDS)

    async def _while(self, seconds: float) -> None:
        await asyncio.sleep(self.rng.random() * seconds)


class Nuisance:
    """Slow and hostile clients, one after the other, as long as it lasts: at most a dozen connections at once."""

    def __init__(self, ports: list[int], ledger: Ledger, rng: random.Random) -> None:
        self._ports, self._ledger, self._rng = ports, ledger, rng
        self._attack = Attack(ports[0])
        self.made: Counter[str] = Counter()

    async def prepare(self) -> None:
        await self._attack.prepare(guests=3)
        self._attack.requests |= {
            "bad token": lambda: self._ask("GET /api/tables/none", f"authorization: Bearer {self._rng.random()}"),
            "bad code": lambda: self._ask(f"GET /api/rooms/{self._rng.randrange(10**6)}"),
            "bad body": lambda: self._ask("POST /api/tables", "content-length: 5") + self._rng.choice(BAD_BODIES),
            "no request": lambda: self._rng.randbytes(200) + b"\r\n\r\n",
        }

    @staticmethod
    def _ask(what: str, header: str = "accept: */*") -> bytes:
        kind = "content-type: application/json"
        return f"{what} HTTP/1.1\r\nhost: 127.0.0.1\r\n{kind}\r\n{header}\r\n\r\n".encode()

    async def go_on(self) -> None:
        """Until it is told to end, and never both at once: who floods does not wait."""
        ways = {"slow clients": SLOW, "hostile client": tuple(w for w in self._attack.requests if w not in SLOW)}
        while True:
            for name, how in ways.items():
                self._attack.port = self._rng.choice(self._ports)
                try:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self._rng.uniform(0.3, 1.0)):
                            await self._attack.go_on(CONNECTIONS, how)
                finally:
                    self._attack.hang_up()
                await asyncio.sleep(self._rng.uniform(1.0, 2.0))
                self._attack.lost = asyncio.Queue()  # those that were hung up come no more
                self.made[name] += 1

    def settle(self) -> None:
        """Put what was heard down with what the others were answered."""
        for heard, times in self._attack.heard.items():
            status = heard.rpartition(" ")[2]
            for _ in range(times if status.isdigit() else 0):
                self._ledger.answered(int(status), f"hostile: {heard}")


def _name(fault: Fault) -> str:
    return fault.__name__.replace("_", " ")
