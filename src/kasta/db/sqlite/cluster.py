"""What nodes know of each other where all of them serve one SQLite file.

They are on one machine, and have its steady clock in common, which nobody can set; it begins anew when the machine
does. What is counted outlives that, so it goes by the calendar.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from time import monotonic as steady

from kasta.core import Seat
from kasta.db.sqlite.database import Run
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

AHEAD_SECONDS = 60.0  # what is further in the future is from before the machine was started

_BEAT = "INSERT INTO nodes VALUES (:node, :now) ON CONFLICT DO UPDATE SET seen = :now"
_COME = """
INSERT INTO presence VALUES (:name, :device, :node, :now, NULL)
    ON CONFLICT DO UPDATE SET came = :now, gone = NULL
"""
_GO = "UPDATE presence SET gone = :now WHERE name = :name AND device = :device AND node = :node"
_STAYS = """
SELECT name, device, came, max(coalesce(gone, seen)) FROM presence JOIN nodes USING (node)
    WHERE name IN (SELECT value FROM json_each(?)) AND node <> ? AND seen < ? GROUP BY name, device
"""
_CLAIMS = """
SELECT name, seat, device, digits, until FROM claims
    WHERE name IN (SELECT value FROM json_each(?)) AND until > ?
"""
_TAKE = """
INSERT INTO acting VALUES (:name, :node) ON CONFLICT DO UPDATE SET node = :node
    WHERE (SELECT seen NOT BETWEEN :dead AND :ahead FROM nodes WHERE nodes.node = acting.node)
"""
_HIT = """
INSERT INTO counts VALUES (:key, 1, :now + :seconds) ON CONFLICT DO UPDATE SET
    hits = CASE WHEN until > :now THEN hits + 1 ELSE 1 END,
    until = CASE WHEN until > :now THEN min(until, excluded.until) ELSE excluded.until END
RETURNING hits, until
"""


class SqliteClusterState(ClusterState):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        def run(db: sqlite3.Connection) -> None:
            now = steady()
            db.execute(_BEAT, {"node": node, "now": now})
            for statement, wanted in ((_COME, True), (_GO, False)):
                rows = [
                    {"name": name, "device": device, "node": node, "now": now}
                    for (name, device), is_here in changes.items()
                    if is_here == wanted
                ]
                db.executemany(statement, rows)

        await self._write(run)

    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        names = json.dumps(list(tables))

        def run(db: sqlite3.Connection) -> dict[str, Around]:
            now, here = steady(), time.monotonic()
            stays: defaultdict[str, dict[str, Stay]] = defaultdict(dict)
            claims: defaultdict[str, list[Claim]] = defaultdict(list)
            for name, device, came, until in db.execute(_STAYS, (names, node, now + AHEAD_SECONDS)):
                stays[name][device] = Stay(here + came - now, here + until - now)
            for name, seat, device, digits, until in db.execute(_CLAIMS, (names, now)):
                claims[name].append(Claim(seat, device, digits, here + until - now))
            return {name: Around(stays[name], claims[name]) for name in {*stays, *claims}}

        found: dict[str, Around] = await self._look(run)
        return found

    async def take(self, table: str, node: str) -> bool:
        def run(db: sqlite3.Connection) -> bool:
            now = steady()
            db.execute(_BEAT, {"node": node, "now": now})
            alive = {"dead": now - DEAD_SECONDS, "ahead": now + AHEAD_SECONDS}
            db.execute(_TAKE, {"name": table, "node": node, **alive})
            (holder,) = db.execute("SELECT node FROM acting WHERE name = ?", (table,)).fetchone()
            return bool(holder == node)

        return bool(await self._write(run))

    async def give_back(self, tables: Collection[str], node: str) -> None:
        query = "DELETE FROM acting WHERE name = ? AND node = ?"
        await self._write(lambda db: db.executemany(query, [(table, node) for table in tables]) and None)

    async def claim(self, table: str, claim: Claim) -> bool:
        def run(db: sqlite3.Connection) -> bool:
            now = steady()
            until = now + claim.until - time.monotonic()  # none lasts longer
            gone = "DELETE FROM claims WHERE name = ? AND (device = ? OR until NOT BETWEEN ? AND ?)"
            db.execute(gone, (table, claim.device, now, until + AHEAD_SECONDS))
            row = (table, claim.seat, claim.device, claim.digits, until)
            insert = "INSERT INTO claims VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            return db.execute(insert, row).rowcount == 1

        return bool(await self._write(run))

    async def drop_claims(self, table: str, seat: Seat) -> None:
        query = "DELETE FROM claims WHERE name = ? AND seat = ?"
        await self._write(lambda db: db.execute(query, (table, seat)) and None)

    async def hit(self, key: str, most: int, seconds: float) -> int:
        def run(db: sqlite3.Connection) -> int:
            now = time.time()
            (row,) = db.execute(_HIT, {"key": key, "now": now, "seconds": seconds}).fetchall()
            return math.ceil(row[1] - now) if row[0] > most else 0

        return int(await self._write(run))

    async def wait(self, key: str, most: int) -> int:
        def run(db: sqlite3.Connection) -> int:
            now = time.time()
            query = "SELECT until FROM counts WHERE key = ? AND hits >= ? AND until BETWEEN ? AND ?"
            found = db.execute(query, (key, most, now, now + LONGEST_COUNT)).fetchone()
            return math.ceil(found[0] - now) if found else 0

        return int(await self._write(run))  # in line with those who count

    async def sweep(self) -> None:
        def run(db: sqlite3.Connection) -> None:
            now = steady()
            known = (now - KEPT_SECONDS, now + AHEAD_SECONDS)
            db.execute("DELETE FROM nodes WHERE seen NOT BETWEEN ? AND ?", known)
            db.execute("DELETE FROM presence WHERE gone NOT BETWEEN ? AND ?", known)
            db.execute("DELETE FROM claims WHERE until <= ?", (now,))
            db.execute("DELETE FROM counts WHERE until <= ?", (time.time(),))

        await self._write(run)
