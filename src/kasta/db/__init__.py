"""Where tables are kept: in memory, in an SQLite file, or in PostgreSQL, chosen by a URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import platformdirs

from kasta.errors import Unavailable, Unreadable
from kasta.extras import extra

if TYPE_CHECKING:
    from kasta.tables.log import Log

EXAMPLE = "sqlite:///path, postgresql://host/name or memory:"


def default_url() -> str:
    """One SQLite file in the user's data folder."""
    return f"sqlite:///{Path(platformdirs.user_data_dir('kasta')) / 'kasta.sqlite'}"


async def open_log(url: str, *, make: bool = True) -> Log:
    """The log behind `memory:`, `sqlite:///path` or `postgresql://...`, brought up to date if need be.

    Where there is none it is made, or refused.
    """
    try:
        return await _open(url, urlsplit(url).scheme, make=make)
    except ValueError:  # a port that is no number, or half an address
        raise Unreadable("unknown_store", example=EXAMPLE) from None


async def _open(url: str, scheme: str, *, make: bool) -> Log:
    if url == "memory:":
        if not make:
            raise Unavailable("no_such_store", place=url)
        from kasta.db.sqlite.memory import MemoryLog

        return MemoryLog()
    if scheme == "sqlite" and url.startswith("sqlite:///"):
        from kasta.db.sqlite.log import SqliteLog

        return await SqliteLog.open(Path(unquote(url.removeprefix("sqlite:///"))), make=make)
    if scheme in {"postgresql", "postgres"}:
        with extra("postgres"):
            from kasta.db.postgres.log import PostgresLog

        return await PostgresLog.open(url, make=make)
    raise Unreadable("unknown_store", example=EXAMPLE)
