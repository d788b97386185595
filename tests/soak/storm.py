"""Faults without a pause between them: nodes are killed or stand still, and the database does, or is lost."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from soak.faults import Fault, Faults
from soak.nodes import Node
from support.relays import SilentRelay

ASLEEP_SECONDS = 31.0  # others take a node for dead long before
DEAD_SECONDS = 7.0  # they have just done so
FAILOVER_SECONDS = 11.0  # who waits for an answer gives up before
RARE = 100  # faults between two of those that take long
MORE = 3  # picks between two faults


@dataclass
class Storm(Faults):
    """While a node is asleep, all goes wrong for the others."""

    relay: SilentRelay | None = None

    async def make_many(self, faults: int) -> None:
        """Each kind once, and then whichever: one that takes long begins at every hundredth."""
        kinds, slow_at = list(dict.fromkeys(self._quick)), RARE
        while kinds or self.total < faults:
            await self._make(kinds.pop() if kinds else self.rng.choice(self._quick))
            if self.total >= slow_at:
                await self._make(self.rng.choice(self._slow))
                slow_at = self.total + RARE

    @property
    def total(self) -> int:
        return self.made.total()

    async def _make(self, fault: Fault) -> None:
        await fault()
        self.made[fault.__name__.replace("_", " ")] += 1
        await self.played_on(more=MORE)

    @property
    def _quick(self) -> list[Fault]:
        """What costs a process its start is rarer."""
        nodes = [self.node_killed, self.all_nodes_killed, self.disk_full, *8 * [self.node_stands_still]]
        databases = [self.database_stopped, self.database_killed]
        databases += [*5 * [self.database_hangs], *5 * [self.connections_lost]]
        return [*nodes, *(databases if self.database else [])]

    @property
    def _slow(self) -> list[Fault]:
        return [self.node_sleeps, self.node_dozes, *([self.failover] if self.database else [])]

    async def node_killed(self) -> None:
        node = self._any_node()
        node.kill()
        await self._while(0.3)
        await asyncio.to_thread(node.start)

    async def all_nodes_killed(self) -> None:
        awake = self._awake
        for node in awake:
            node.kill()
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in awake))

    async def node_stands_still(self) -> None:
        await self._stand_still(self._any_node(), self.rng.choice([0.05, 0.3, 1.0]))

    async def node_dozes(self) -> None:
        """Until the others have just taken it for dead."""
        await self._stand_still(self._any_node(), DEAD_SECONDS)

    async def node_sleeps(self) -> None:
        """For long. Play goes on elsewhere, with faults of its own, unless it keeps an SQLite file locked."""
        node = self._any_node()
        node.suspend()
        others = asyncio.create_task(self._go_on(time.monotonic() + ASLEEP_SECONDS))
        await asyncio.sleep(ASLEEP_SECONDS)
        node.resume()
        await others

    async def _go_on(self, until: float) -> None:
        while time.monotonic() < until:
            await self._make(self.rng.choice(self._quick))

    async def connections_lost(self) -> None:
        """As when a database fails over, and says so."""
        assert self.relay
        self.relay.drop()

    async def failover(self) -> None:
        """Connections stay open, and nobody answers on them any more; new ones are well."""
        assert self.relay
        self.relay.freeze()
        await asyncio.sleep(FAILOVER_SECONDS)

    async def _stand_still(self, node: Node, seconds: float) -> None:
        node.suspend()
        await asyncio.sleep(seconds)
        node.resume()

    @property
    def _awake(self) -> list[Node]:
        return [node for node in self.nodes if node.is_awake]

    def _any_node(self) -> Node:
        return self.rng.choice(self._awake)
