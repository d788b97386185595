"""What nodes know of each other where all of them are in one process."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kasta.core import Seat
from kasta.tables.cluster_state import DEAD_SECONDS, KEPT_SECONDS, Around, Claim, ClusterState, Here, Stay


@dataclass(slots=True)
class _Count:
    hits: int
    until: float


class MemoryClusterState(ClusterState):
    def __init__(self) -> None:
        self._nodes: dict[str, float] = {}
        self._stays: defaultdict[str, dict[tuple[str, str], Stay]] = defaultdict(dict)  # of a device at a node
        self._acting: dict[str, str] = {}
        self._claims: defaultdict[str, list[Claim]] = defaultdict(list)
        self._counts: dict[str, _Count] = {}

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        now = self._nodes[node] = time.monotonic()
        for (table, device), is_here in changes.items():
            stays = self._stays[table]
            if is_here:
                stays[device, node] = Stay(now, math.inf)
            else:
                stays[device, node] = replace(stays.get((device, node), Stay(now, now)), until=now)

    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        now, found = time.monotonic(), {}
        for table in tables:
            stays: dict[str, Stay] = {}
            for (device, where), stay in self._stays.get(table, {}).items():
                until = min(stay.until, self._nodes[where])
                if where != node and (device not in stays or stays[device].until < until):
                    stays[device] = replace(stay, until=until)
            claims = [claim for claim in self._claims.get(table, ()) if claim.until > now]
            if stays or claims:
                found[table] = Around(stays, claims)
        return found

    async def take(self, table: str, node: str) -> bool:
        now = self._nodes[node] = time.monotonic()
        holder = self._acting.get(table, node)
        if holder == node or self._nodes.get(holder, -math.inf) < now - DEAD_SECONDS:
            self._acting[table] = node
        return self._acting[table] == node

    async def give_back(self, tables: Collection[str], node: str) -> None:
        for table in tables:
            if self._acting.get(table) == node:
                del self._acting[table]

    async def claim(self, table: str, claim: Claim) -> bool:
        now = time.monotonic()
        others = [other for other in self._claims[table] if other.device != claim.device and other.until > now]
        if any((other.seat, other.digits) == (claim.seat, claim.digits) for other in others):
            return False
        self._claims[table] = [*others, claim]
        return True

    async def drop_claims(self, table: str, seat: Seat) -> None:
        self._claims[table] = [claim for claim in self._claims[table] if claim.seat != seat]

    async def hit(self, key: str, most: int, seconds: float) -> int:
        now = time.monotonic()
        count = self._counts.get(key)
        if count is None or count.until <= now:
            count = self._counts[key] = _Count(0, now + seconds)
        count.hits += 1
        return math.ceil(count.until - now) if count.hits > most else 0

    async def wait(self, key: str, most: int) -> int:
        now, count = time.monotonic(), self._counts.get(key)
        return math.ceil(count.until - now) if count and count.hits >= most and count.until > now else 0

    async def sweep(self) -> None:
        now = time.monotonic()
        self._nodes = {node: seen for node, seen in self._nodes.items() if seen > now - KEPT_SECONDS}
        self._acting = {table: node for table, node in self._acting.items() if node in self._nodes}
        self._counts = {key: count for key, count in self._counts.items() if count.until > now}
        for table, stays in list(self._stays.items()):
            kept = {
                key: stay
                for key, stay in stays.items()
                if key[1] in self._nodes and stay.until > now - KEPT_SECONDS
            }
            self._stays[table] = kept
            if not kept:
                del self._stays[table]
        for table, claims in list(self._claims.items()):
            if all(claim.until <= now for claim in claims):
                del self._claims[table]
