"""Circles of made-up people, and their games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from kasta.edge.visitor import Visitor
from kasta.feature import Site
from kasta.features.circle.counting import count, lock
from kasta.features.circle.model import CircleGame
from kasta.features.circle.service import Circles
from kasta.features.circle.store import CircleStore
from kasta.sql import Database, Steps
from kasta.tables.log import Log

TABLES = ("members", "devices", "tables", "games", "scores", "pairs")
KNISTER = ("knister", "sheet")


def circles_of(site: Site) -> Circles:
    return cast("Circles", site.given["circles"])


def visitor(device: str) -> Visitor:
    return Visitor(device, is_new=False, language="en", address="127.0.0.1", origin="http://kasta.test")


async def founded(circles: Circles, *devices: str, name: str = "Our kitchen table") -> str:
    """A circle of people, each at a device of that name; the first one is its host."""
    circle = await circles.found(visitor(devices[0]), devices[0], name, devices[0].title()[:8], 0)
    for mark, device in enumerate(devices[1:], 1):
        await come_in(circles, circle, devices[0], device, mark)
    return circle


async def come_in(circles: Circles, circle: str, inviter: str, device: str, mark: int = 1) -> None:
    secret = (await circles.of(circle, inviter)).circle.secret
    await circles.join(secret, visitor(device), device, device.title()[:8], mark)


async def member_of(circles: Circles, circle: str, device: str) -> str:
    return (await circles.known(circle, device)).me.id


async def counted(store: CircleStore, circle: str, games: Sequence[CircleGame]) -> None:
    """Count a game as if its results had just come."""

    def steps() -> Steps[None]:
        yield from lock(circle)
        yield from count(circle, games)

    await store.db.transaction(steps)


def game(number: int, season: int = 1, *, ended: float | None = None, **totals: int) -> list[CircleGame]:
    """The rows of a game by members."""
    most = max(totals.values())
    at = 1_000.0 + number if ended is None else ended
    return [
        CircleGame(f"table {number}", seat, member, season, *KNISTER, at, total, int(total == most), 0)
        for seat, (member, total) in enumerate(totals.items())
    ]


async def rows(db: Database) -> dict[str, list[Any]]:
    """All that is kept of circles."""
    found = {"circles": await db.fetch("SELECT * FROM kasta_circles ORDER BY 1")}
    found["seasons"] = await db.fetch("SELECT * FROM kasta_circle_seasons ORDER BY 1, 2")
    for table in TABLES:
        all_rows = await db.fetch(f"SELECT * FROM kasta_circle_{table}")  # noqa: S608 - names of ours
        found[table] = sorted((tuple(row) for row in all_rows), key=repr)
    return {name: [tuple(row) for row in each] for name, each in found.items()}


async def traces(log: Log, *texts: str) -> list[str]:
    """The tables in which any of these texts stands."""
    kept = await rows(log.db)
    return [table for table, each in kept.items() if any(text in repr(row) for row in each for text in texts)]
