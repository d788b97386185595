"""Stores with all features of ours: served, saved, restored, and names in them forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import cast

from kasta.app import OURS
from kasta.core import Seat
from kasta.db import admin, backup as backups
from kasta.db.backup import OnKeys, Restored
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.errors import KastaError
from kasta.feature import Site, backup_parts, personal_data
from kasta.features.challenge.service import Challenges
from kasta.features.day.service import Days
from kasta.tables.log import Log

PERSONAL = personal_data(OURS)


def new_site(log: Log) -> Site:
    """All that a process serves, without waiting for bots and dice."""
    return Site(log, Config(), Signer(bytes(32)), OURS, auto_seconds=0)


@asynccontextmanager
async def served_site(log: Log) -> AsyncIterator[Site]:
    """A process that begins to serve the store, and ends."""
    site = new_site(log)
    try:
        yield site
    finally:
        await site.close()


def days_of(site: Site) -> Days:
    return cast("Days", site.given["days"])


def challenges_of(site: Site) -> Challenges:
    return cast("Challenges", site.given["challenges"])


def backup(log: Log, damaged: Callable[[KastaError], None]) -> AsyncIterator[str]:
    return backups.backup(log, damaged, backup_parts(OURS))


async def restore(log: Log, lines: Iterable[bytes], on_keys: OnKeys | None = None) -> Restored:
    return await backups.restore(log, lines, backup_parts(OURS), on_keys)


async def forget(log: Log, table: str, seat: Seat | None = None) -> int:
    return await admin.forget(log, PERSONAL, table, seat)
