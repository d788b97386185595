"""What nodes know of each other where all of them serve one SQLite file: its time is that of the machine."""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from kasta.core import Seat
from kasta.table.shared import DEAD_SECONDS, KEPT_SECONDS, Around, Claim, Here, Shared, Stay

Run = Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]

_BEAT = "INSERT INTO nodes VALUES (:node, :now) ON CONFLICT DO UPDATE SET seen = :now"
_COME = """
INSERT INTO presence VALUES (:name, :device, :node, :now, NULL)
    ON CONFLICT DO UPDATE SET came = :now, gone = NULL
"""
_GO = "UPDATE presence SET gone = :now WHERE name = :name AND device = :device AND node = :node"
_STAYS = """
SELECT name, device, came, max(coalesce(gone, seen)) FROM presence JOIN nodes USING (node)
    WHERE name IN (SELECT value FROM json_each(?)) AND node <> ? GROUP BY name, device
"""
_CLAIMS = """
SELECT name, seat, device, digits, until FROM claims
    WHERE name IN (SELECT value FROM json_each(?)) AND until > ?
"""
_TAKE = """
INSERT INTO acting VALUES (:name, :node) ON CONFLICT DO UPDATE SET node = :node
    WHERE (SELECT seen FROM nodes WHERE nodes.node = acting.node) < :dead
"""
_HIT = """
INSERT INTO counts VALUES (:key, 1, :now + :seconds) ON CONFLICT DO UPDATE SET
    hits = CASE WHEN until > :now THEN hits + 1 ELSE 1 END,
    until = CASE WHEN until > :now THEN until ELSE excluded.until END
RETURNING hits, until
"""


class SqliteShared(Shared):
    def __init__(self, write: Run, look: Run) -> None:
        self._write, self._look = write, look

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        def run(db: sqlite3.Connection) -> None:
            now = time.time()
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
            now, here = time.time(), time.monotonic()
            stays: defaultdict[str, dict[str, Stay]] = defaultdict(dict)
            claims: defaultdict[str, list[Claim]] = defaultdict(list)
            for name, device, came, until in db.execute(_STAYS, (names, node)):
                stays[name][device] = Stay(here + came - now, here + until - now)
            for name, seat, device, digits, until in db.execute(_CLAIMS, (names, now)):
                claims[name].append(Claim(seat, device, digits, here + until - now))
            return {name: Around(stays[name], claims[name]) for name in {*stays, *claims}}

        found: dict[str, Around] = await self._look(run)
        return found

    async def take(self, table: str, node: str) -> bool:
        def run(db: sqlite3.Connection) -> bool:
            now = time.time()
            db.execute(_BEAT, {"node": node, "now": now})
            db.execute(_TAKE, {"name": table, "node": node, "dead": now - DEAD_SECONDS})
            (holder,) = db.execute("SELECT node FROM acting WHERE name = ?", (table,)).fetchone()
            return bool(holder == node)

        return bool(await self._write(run))

    async def give_back(self, tables: Collection[str], node: str) -> None:
        query = "DELETE FROM acting WHERE name = ? AND node = ?"
        await self._write(lambda db: db.executemany(query, [(table, node) for table in tables]) and None)

    async def claim(self, table: str, claim: Claim) -> bool:
        def run(db: sqlite3.Connection) -> bool:
            now = time.time()
            gone = "DELETE FROM claims WHERE name = ? AND (device = ? OR until <= ?)"
            db.execute(gone, (table, claim.device, now))
            until = now + claim.until - time.monotonic()
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
            query = "SELECT until FROM counts WHERE key = ? AND hits >= ? AND until > ?"
            found = db.execute(query, (key, most, now)).fetchone()
            return math.ceil(found[0] - now) if found else 0

        return int(await self._write(run))  # in line with those who count

    async def sweep(self) -> None:
        def run(db: sqlite3.Connection) -> None:
            now = time.time()
            db.execute("DELETE FROM nodes WHERE seen < ?", (now - KEPT_SECONDS,))
            db.execute("DELETE FROM presence WHERE gone < ?", (now - KEPT_SECONDS,))
            db.execute("DELETE FROM claims WHERE until <= ?", (now,))
            db.execute("DELETE FROM counts WHERE until <= ?", (now,))

        await self._write(run)
