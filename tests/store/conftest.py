"""Real stores: an SQLite file, and a PostgreSQL server of the tests' own unless KASTA_TEST_POSTGRES names one.

A server that cannot be had is a failure, never a reason to skip.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
from ahead import let_pass
from clock import Calendar, Later, clock
from pg_server import Server

from kasta.db import open_log
from kasta.tables.log import Log


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Where databases can be made."""
    if named := os.environ.get("KASTA_TEST_POSTGRES"):
        yield named
        return
    server = Server()
    yield server.url
    server.remove()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server for this test alone, which may be stopped and killed."""
    server = Server()
    yield server
    server.remove()


@asynccontextmanager
async def _database(server: str) -> AsyncIterator[str]:
    name = f"kasta_{secrets.token_hex(8)}"
    db = await asyncpg.connect(server)
    await db.execute(f"CREATE DATABASE {name}")
    yield urlsplit(server)._replace(path=f"/{name}").geturl()
    await db.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await db.close()


@pytest.fixture
async def postgres_url(postgres_server: str) -> AsyncIterator[str]:
    """A fresh, empty database."""
    async with _database(postgres_server) as url:
        yield url


@pytest.fixture
async def other_postgres_url(postgres_server: str) -> AsyncIterator[str]:
    async with _database(postgres_server) as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kasta.sqlite'}"


@pytest.fixture(params=["sqlite", "postgres"])
def durable_url(request: pytest.FixtureRequest) -> str:
    """A fresh store that outlives its process, one kind after the other."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """A fresh store, one kind after the other."""
    if request.param == "memory":
        return "memory:"
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
async def log(store_url: str) -> AsyncIterator[Log]:
    async with await open_log(store_url) as opened:
        yield opened


@pytest.fixture
def later(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Later:
    return clock(store_url, monkeypatch)


@pytest.fixture
def calendar(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Calendar:
    return Calendar(store_url, monkeypatch)


@pytest.fixture
async def logs(durable_url: str) -> AsyncIterator[tuple[Log, Log]]:
    """One store, opened twice."""
    async with await open_log(durable_url) as one, await open_log(durable_url) as other:
        yield one, other


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets time pass for both nodes. The store's own goes on as it does: who is there keeps saying so."""
    return partial(let_pass, monkeypatch)
