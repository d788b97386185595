"""An SQLite file: made or brought up to date, opened, and what its failures mean."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from time import monotonic as steady

from kasta.db.schema import statements, steps
from kasta.errors import Unavailable

logger = logging.getLogger(__name__)

BUSY_SECONDS = 30.0  # how long to wait for another process that writes
SETTINGS: tuple[str, ...] = (
    "journal_mode=WAL",
    "synchronous=FULL",  # an answer means: it is on the disk
    "foreign_keys=ON",
    "secure_delete=ON",
    "wal_autocheckpoint=4000",
)
ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the latter where SQLite quotes from a damaged file


def connect(path: Path) -> sqlite3.Connection:
    db = _connect(path)
    try:
        for pragma in SETTINGS:
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def in_memory() -> sqlite3.Connection:
    db = _connect(":memory:")
    db.execute("PRAGMA foreign_keys=ON")
    return db


def _connect(place: Path | str) -> sqlite3.Connection:
    db = sqlite3.connect(place, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    for name in ("clock_timestamp", "now"):  # as PostgreSQL and our schema there call it
        db.create_function(name, 0, lambda: time.time())  # noqa: PLW0108 - tests set clocks
    db.create_function("steady", 0, lambda: steady())  # noqa: PLW0108 - as above
    return db


def prepare(path: Path, *, make: bool = True) -> None:
    """Make the file, for its owner only, unless that is not wanted, or bring it up to date."""
    try:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
        elif not path.exists() or not path.stat().st_size:
            raise Unavailable("no_such_store", place=path)
        _warn_of_others(path)
        with failures(), closing(connect(path)) as db:
            migrate(db, path, make=make)
    except OSError as error:
        raise Unavailable("store_failed", reason=f"{path}: {error.strerror}") from error


def migrate(db: sqlite3.Connection, place: object, *, make: bool = True) -> None:
    """Bring the schema up to date, all of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    (have,) = db.execute("PRAGMA user_version").fetchone()
    if not (have or make):
        raise Unavailable("no_such_store", place=place)
    for version, script in steps("sqlite", have):
        for statement in statements(script):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")


@cache
def _warn_of_others(path: Path) -> None:
    """Whoever wants a group to read it may; but a file that everybody can read is hardly ever meant."""
    if path.stat().st_mode & 0o007:
        logger.warning("everybody on this machine can use the store: chmod o= %s", path)


@contextmanager
def failures() -> Iterator[None]:
    """Whatever goes wrong with the file is one error of ours."""
    try:
        yield
    except ERRORS as error:
        raise failure(error) from error


@contextmanager
def savepoint(db: sqlite3.Connection) -> Iterator[None]:
    """All of what is written within, or nothing; the rest of the transaction stands."""
    db.execute("SAVEPOINT work")
    try:
        yield
    except Exception:
        if db.in_transaction:  # a full disk ends it
            db.execute("ROLLBACK TO work")
            db.execute("RELEASE work")
        raise
    db.execute("RELEASE work")


def failure(error: sqlite3.Error | UnicodeDecodeError) -> Unavailable:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damaged = isinstance(error, UnicodeDecodeError) or code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
    return Unavailable("store_damaged" if damaged else "store_failed", reason=str(error))
