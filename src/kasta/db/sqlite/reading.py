"""A store that is only read: where that would bring it up to date, a copy of it."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote, unquote

from kasta.db.schema import steps

SCHEME = "sqlite:///"


@contextmanager
def unchanged(url: str) -> Iterator[str]:
    """The store itself, or, if its schema is older than ours, a copy for as long as this is open."""
    path = Path(unquote(url.removeprefix(SCHEME)))
    if not url.startswith(SCHEME) or not _is_old(path):
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="kasta-") as folder:
        copy = Path(folder, path.name)
        copy.touch(0o600)
        with closing(_opened(path)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        yield f"{SCHEME}{quote(str(copy))}"


def _is_old(path: Path) -> bool:
    """Whether opening it would change it; what is damaged or too new is refused elsewhere."""
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        with closing(_opened(path)) as db:
            (have,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return False
    newest = max(version for version, _ in steps("sqlite", 0))
    return 0 < int(have) < newest


def _opened(path: Path) -> sqlite3.Connection:
    """Only to read. A connection that could not write would leave files beside the store."""
    db = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=rw", uri=True)
    db.execute("PRAGMA query_only=ON")
    return db
