"""A real server for every worker, and an application in this process where a socket adds nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing
from dataclasses import replace
from typing import Any

import httpx
import pytest
from visitors import Phone, Program, Server, faultless

from kasta.app import create_app
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with faultless(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def phone(server: Server) -> Iterator[Callable[[], Phone]]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(Phone(server)))


@pytest.fixture
def program(server: Server) -> Iterator[Callable[[], Program]]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(Program(server)))


Visits = Callable[..., Any]


@pytest.fixture
async def log() -> AsyncIterator[MemoryLog]:
    """What the applications of `visit` serve."""
    async with MemoryLog() as log:
        yield log


@pytest.fixture
async def visit(log: MemoryLog) -> AsyncIterator[Visits]:
    """Makes an application with the settings given, and a client of it at an address."""
    async with AsyncExitStack() as stack:
        apps: dict[Config, Any] = {}

        async def make(
            config: Config | None = None,
            address: str = "127.0.0.1",
            **options: Any,  # noqa: ANN401
        ) -> httpx.AsyncClient:
            config = config or Config()
            config = replace(config, lan=not config.allow)  # else only localhost is answered to
            apps[config] = apps.get(config) or await create_app(log, config)
            transport = httpx.ASGITransport(apps[config], client=(address, 1), raise_app_exceptions=False)
            options = {"base_url": "http://kasta.test", "headers": {"origin": "http://kasta.test"}, **options}
            return await stack.enter_async_context(httpx.AsyncClient(transport=transport, **options))

        yield make
