"""A backup of the log and of what features keep."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable

from kasta.db import backup as lines_of
from kasta.db.backup import OnKeys, Restored
from kasta.errors import KastaError
from kasta.features.day.store import DAYS
from kasta.features.puzzles.store import ANSWERS
from kasta.results.store import RESULTS
from kasta.tables.log import Log

PARTS = (DAYS, RESULTS, ANSWERS)


def backup(log: Log, damaged: Callable[[KastaError], None]) -> AsyncIterator[str]:
    """Every day, table, result and answer as it is now, whatever happens meanwhile: secrets of open games, too.

    `damaged` hears of each table that cannot be read and is left out.
    """
    return lines_of.backup(log, damaged, PARTS)


async def restore(log: Log, lines: Iterable[bytes], on_keys: OnKeys | None = None) -> Restored:
    """Put a backup into a store, all of it or, if anything does not fit, nothing.

    Tables that are there already are left alone. If the store signs with another key than the backup and has
    tables, somebody's tokens will be worth nothing: whose, must be said.
    """
    return await lines_of.restore(log, lines, PARTS, on_keys)
