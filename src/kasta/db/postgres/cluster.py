"""What nodes know of each other through PostgreSQL, whose clock is the only one that counts."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Collection, Mapping

from kasta.core import Seat
from kasta.db.postgres.clock import DatabaseTime
from kasta.db.postgres.database import Connection
from kasta.tables.cluster_state import (
    DEAD_SECONDS,
    KEPT_SECONDS,
    LONGEST_COUNT,
    Around,
    Claim,
    ClusterState,
    Here,
    Stay,
)

_BEAT = "INSERT INTO kasta_nodes VALUES ($1, kasta_now()) ON CONFLICT (node) DO UPDATE SET seen = kasta_now()"
_CHANGES = """
INSERT INTO kasta_presence AS p
    SELECT name, device, $1, kasta_now(), CASE WHEN is_here THEN NULL ELSE kasta_now() END
    FROM unnest($2::text[], $3::text[], $4::bool[]) AS c(name, device, is_here)
    ON CONFLICT (name, device, node) DO UPDATE
        SET came = CASE WHEN excluded.gone IS NULL THEN excluded.came ELSE p.came END, gone = excluded.gone
"""
_STAYS = """
SELECT name, device, came, coalesce(gone, seen) FROM kasta_presence JOIN kasta_nodes USING (node)
    WHERE name = ANY($1) AND node <> $2
"""
_CLAIMS = """
SELECT name, seat, device, digits, until - kasta_now() FROM kasta_claims
    WHERE name = ANY($1) AND until > kasta_now()
"""
_TAKE = """
INSERT INTO kasta_acting AS a VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET node = $2
    WHERE a.node = $2 OR (SELECT abs(seen - kasta_now()) FROM kasta_nodes AS n WHERE n.node = a.node) > $3
    RETURNING true
"""
_HIT = """
INSERT INTO kasta_counts AS c VALUES ($1, 1, kasta_now() + $2) ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN c.until > kasta_now() THEN c.hits + 1 ELSE 1 END,
    until = CASE WHEN c.until > kasta_now() THEN least(c.until, excluded.until) ELSE excluded.until END
    RETURNING hits, until - kasta_now()
"""


class PostgresClusterState(ClusterState):
    def __init__(self, connection: Connection) -> None:
        self._connection, self._time = connection, DatabaseTime()

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        names, devices = [name for name, _ in changes], [device for _, device in changes]
        async with self._connection() as db:
            await db.execute(_BEAT, node)
            if changes:
                await db.execute(_CHANGES, node, names, devices, list(changes.values()))

    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        stays: defaultdict[str, dict[str, Stay]] = defaultdict(dict)
        claims: defaultdict[str, list[Claim]] = defaultdict(list)
        async with self._connection() as db:
            await self._time.read(db)
            present = await db.fetch(_STAYS, list(tables), node)
            claimed = await db.fetch(_CLAIMS, list(tables))
        here = time.monotonic()  # after it was answered: a stay is rather taken for longer than it was
        for name, device, *times in present:
            stay = Stay(*(self._time.here(each) for each in times))
            if device not in stays[name] or stays[name][device].until < stay.until:
                stays[name][device] = stay
        for name, seat, device, digits, left in claimed:
            claims[name].append(Claim(seat, device, digits, here + left))
        return {name: Around(stays[name], claims[name]) for name in {*stays, *claims}}

    async def take(self, table: str, node: str) -> bool:
        async with self._connection() as db:
            await db.execute(_BEAT, node)
            return bool(await db.fetchval(_TAKE, table, node, DEAD_SECONDS))

    async def give_back(self, tables: Collection[str], node: str) -> None:
        async with self._connection() as db:
            await db.execute("DELETE FROM kasta_acting WHERE name = ANY($1) AND node = $2", list(tables), node)

    async def claim(self, table: str, claim: Claim) -> bool:
        left = claim.until - time.monotonic()
        row = (table, claim.seat, claim.device, claim.digits, left)
        insert = "INSERT INTO kasta_claims VALUES ($1, $2, $3, $4, kasta_now() + $5) ON CONFLICT DO NOTHING"
        gone = """
            DELETE FROM kasta_claims
                WHERE name = $1 AND (device = $2 OR until - kasta_now() NOT BETWEEN 0 AND $3 + 60)
        """  # none lasts longer, unless the clock was set back
        async with self._connection() as db, db.transaction():
            await db.execute(gone, table, claim.device, left)
            return bool(await db.fetchval(f"{insert} RETURNING true", *row))

    async def drop_claims(self, table: str, seat: Seat) -> None:
        async with self._connection() as db:
            await db.execute("DELETE FROM kasta_claims WHERE name = $1 AND seat = $2", table, seat)

    async def hit(self, key: str, most: int, seconds: float) -> int:
        async with self._connection() as db:
            hits, left = await db.fetchrow(_HIT, key, seconds)
        return math.ceil(left) if hits > most else 0

    async def wait(self, key: str, most: int) -> int:
        query = "SELECT until - kasta_now() FROM kasta_counts WHERE key = $1 AND hits >= $2"
        async with self._connection() as db:
            seconds = await db.fetchval(query, key, most) or 0
        return math.ceil(seconds) if 0 < seconds <= LONGEST_COUNT else 0

    async def sweep(self) -> None:
        async with self._connection() as db:
            await self._time.read(db)
            if self._time.was_set_lately:
                return  # until all nodes have beaten again, who is there looks like who is long gone
            await db.execute("DELETE FROM kasta_nodes WHERE abs(seen - kasta_now()) > $1", KEPT_SECONDS)
            await db.execute("DELETE FROM kasta_presence WHERE abs(gone - kasta_now()) > $1", KEPT_SECONDS)
            await db.execute("DELETE FROM kasta_claims WHERE until <= kasta_now()")
            await db.execute("DELETE FROM kasta_counts WHERE until <= kasta_now()")
