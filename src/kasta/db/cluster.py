"""What nodes know of each other through a database: its clock is the only one that counts.

In PostgreSQL that is a calendar, which somebody may set. Nodes on one SQLite file are on one machine, and have its
steady clock in common, which nobody can set; it begins anew when the machine does. What is counted outlives that:
it goes by the calendar everywhere.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Collection, Mapping

from kasta.core import Seat
from kasta.db.clock import StoreTime
from kasta.sql import Database, Many, Row, Statement, Steps
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

_BEAT = "INSERT INTO kasta_nodes VALUES ($1, steady()) ON CONFLICT (node) DO UPDATE SET seen = steady()"
_CHANGE = """
INSERT INTO kasta_presence AS p VALUES ($1, $2, $3, steady(), CASE WHEN $4 THEN NULL ELSE steady() END)
    ON CONFLICT (name, device, node) DO UPDATE
        SET came = CASE WHEN excluded.gone IS NULL THEN excluded.came ELSE p.came END, gone = excluded.gone
"""
_STAYS = """
SELECT name, device, came, coalesce(gone, seen) FROM kasta_presence JOIN kasta_nodes USING (node)
    WHERE name = ANY($1) AND node <> $2 AND seen - steady() < $3
"""
_CLAIMS = """
SELECT name, seat, device, digits, until - steady() FROM kasta_claims WHERE name = ANY($1) AND until > steady()
"""
_TAKE = """
INSERT INTO kasta_acting AS a VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET node = $2
    WHERE a.node = $2 OR (SELECT abs(seen - steady()) FROM kasta_nodes AS n WHERE n.node = a.node) > $3
    RETURNING node
"""
_GIVE_BACK = "DELETE FROM kasta_acting WHERE name = ANY($1) AND node = $2"
# None lasts longer, unless the clock was set back.
_CLAIMS_OVER = """
DELETE FROM kasta_claims WHERE name = $1 AND (device = $2 OR until - steady() NOT BETWEEN 0 AND $3 + 60)
"""
_CLAIM = """
INSERT INTO kasta_claims VALUES ($1, $2, $3, $4, steady() + $5) ON CONFLICT DO NOTHING RETURNING seat
"""
_HIT = """
INSERT INTO kasta_counts AS c VALUES ($1, 1, kasta_now() + $2) ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN c.until > kasta_now() THEN c.hits + 1 ELSE 1 END,
    until = CASE WHEN c.until > kasta_now() AND c.until < excluded.until THEN c.until ELSE excluded.until END
    RETURNING hits, until - kasta_now()
"""
_WAIT = "SELECT until - kasta_now() FROM kasta_counts WHERE key = $1 AND hits >= $2"
_SWEEP: tuple[Statement, ...] = (
    ("DELETE FROM kasta_nodes WHERE abs(seen - steady()) > $1", KEPT_SECONDS),
    ("DELETE FROM kasta_presence WHERE abs(gone - steady()) > $1", KEPT_SECONDS),
    ("DELETE FROM kasta_claims WHERE until <= steady()",),
    ("DELETE FROM kasta_counts WHERE until <= kasta_now()",),
)


class SqlClusterState(ClusterState):
    """`steady` is the clock, as the database calls it; what is `ahead` of it by more is from before it began."""

    def __init__(self, db: Database, steady: str, ahead: float = math.inf) -> None:
        self._db, self._steady, self._ahead, self._time = db, steady, ahead, StoreTime(steady)

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        rows = [(name, device, node, is_here) for (name, device), is_here in changes.items()]

        def steps() -> Steps[None]:
            yield (self._text(_BEAT), node)
            yield Many(self._text(_CHANGE), rows)

        await self._db.transaction(steps)

    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        stays: defaultdict[str, dict[str, Stay]] = defaultdict(dict)
        claims: defaultdict[str, list[Claim]] = defaultdict(list)
        await self._time.read(self._db.fetch)
        present = await self._db.fetch(self._text(_STAYS), list(tables), node, self._ahead)
        claimed = await self._db.fetch(self._text(_CLAIMS), list(tables))
        here = time.monotonic()  # after it was answered: a stay is rather taken for longer than it was
        for name, device, *times in present:
            stay = Stay(*(self._time.here(each) for each in times))
            if device not in stays[name] or stays[name][device].until < stay.until:
                stays[name][device] = stay
        for name, seat, device, digits, left in claimed:
            claims[name].append(Claim(seat, device, digits, here + left))
        return {name: Around(stays[name], claims[name]) for name in {*stays, *claims}}

    async def take(self, table: str, node: str) -> bool:
        return bool(await self._run((_BEAT, node), (_TAKE, table, node, DEAD_SECONDS)))

    async def give_back(self, tables: Collection[str], node: str) -> None:
        await self._db.execute(_GIVE_BACK, list(tables), node)

    async def claim(self, table: str, claim: Claim) -> bool:
        left = claim.until - time.monotonic()
        over = (_CLAIMS_OVER, table, claim.device, left)
        return bool(await self._run(over, (_CLAIM, table, claim.seat, claim.device, claim.digits, left)))

    async def drop_claims(self, table: str, seat: Seat) -> None:
        await self._db.execute("DELETE FROM kasta_claims WHERE name = $1 AND seat = $2", table, seat)

    async def hit(self, key: str, most: int, seconds: float) -> int:
        ((hits, left),) = await self._run((_HIT, key, seconds))
        return math.ceil(left) if hits > most else 0

    async def wait(self, key: str, most: int) -> int:
        found = await self._run((_WAIT, key, most))  # in line with those who count
        seconds = found[0][0] if found else 0
        return math.ceil(seconds) if 0 < seconds <= LONGEST_COUNT else 0

    async def sweep(self) -> None:
        await self._time.read(self._db.fetch)
        if self._time.was_set_lately:
            return  # until all nodes have beaten again, who is there looks like who is long gone
        for text, *values in _SWEEP:
            await self._db.execute(self._text(text), *values)

    def _text(self, text: str) -> str:
        return text.replace("steady()", self._steady)

    async def _run(self, *statements: Statement) -> list[Row]:
        """All or none; what the last one answers."""

        def steps() -> Steps[list[Row]]:
            rows = list[Row]()
            for text, *values in statements:
                rows = yield (self._text(text), *values)
            return rows

        return await self._db.transaction(steps)
