"""A failover that closes no connection: whoever waits is told, the server says so, and goes on by new ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress

import httpx
import pytest

from kasta.app import create_app
from kasta.core import Throw
from kasta.db import open_log
from kasta.db.postgres import pool
from kasta.edge import health
from kasta.errors import Unavailable
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.log import Seq
from kasta.tables.service import Service
from support.relays import SilentRelay
from support.stores.pg_server import Server


async def begun(service: Service) -> str:
    """A table of one, with a throw: the connection of who writes is open."""
    table = (await service.open("ada", "knister")).id
    await service.do(table, Sit("ada", "Ada"))
    await service.do(table, Roll("ada", 0))
    return table


async def move(service: Service, name: str) -> None:
    """The next throw or pick, decided on what was seen last."""
    table = service.seen(name) or await service.table(name)
    if isinstance(table.next(), Throw):
        await service.do(name, Roll("ada", table.turn))
    else:
        do = str(table.game.legal(table.play, 0)[0])
        await service.do(name, Play("ada", table.turn, 0, table.step(0), do))


@pytest.fixture
async def proxy(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SilentRelay]:
    monkeypatch.setattr(pool, "ANSWER_SECONDS", 1.5)
    monkeypatch.setattr(pool, "CONNECT_SECONDS", 1.5)
    monkeypatch.setattr(pool, "WATCH_SECONDS", 1.0)
    monkeypatch.setattr(health, "STUCK_SECONDS", 0.5)
    made = SilentRelay(own_server.socket)
    yield made
    await made.stop()


async def test_a_move_is_refused_and_the_next_one_taken_after_a_silent_failover(proxy: SilentRelay):
    async with await open_log(await proxy.start()) as log:
        service = Service(log)
        table = await begun(service)
        proxy.freeze()
        began = time.monotonic()
        with pytest.raises(Unavailable) as refused:
            await asyncio.wait_for(move(service, table), 30)
        assert refused.value.code == "store_failed"
        assert time.monotonic() - began < 10
        await asyncio.wait_for(move(service, table), 30)
        await service.close()


async def test_a_server_whose_writes_wait_is_not_ready_until_they_are_taken_again(proxy: SilentRelay):
    """Other connections may still be well: who asks only one of those hears nothing of it."""
    async with await open_log(await proxy.start()) as log:
        service = Service(log)
        table = await begun(service)
        transport = httpx.ASGITransport(await create_app(log))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.get("/ready")).status_code == 200
            proxy.freeze()
            await log._pool._pool.expire_connections()  # type: ignore[attr-defined] # noqa: SLF001 - all but the writer's
            playing = asyncio.create_task(move(service, table))
            said = set[int]()
            while not playing.done():
                began = time.monotonic()
                said.add((await client.get("/ready")).status_code)
                assert time.monotonic() - began < 2
                await asyncio.sleep(0.2)
            assert 503 in said
            with pytest.raises(Unavailable):
                await playing
            while (await client.get("/ready")).status_code != 200:
                await asyncio.sleep(0.2)
            await move(service, table)
        await service.close()


async def test_a_node_that_is_cut_off_refuses_soon_whatever_is_asked_and_is_well_afterwards(proxy: SilentRelay):
    """Pages, forms and the API are answered within the time that one connection has."""
    async with await open_log(await proxy.start()) as log:
        transport, site = httpx.ASGITransport(await create_app(log)), "http://localhost"
        async with httpx.AsyncClient(transport=transport, base_url=site, headers={"origin": site}) as client:
            table = (await client.post("/new/knister", data={"name": "Ada"})).headers["location"]
            pick = {"turn": 1, "seat": 0, "step": 0, "do": "a1"}
            assert (await client.post(f"{table}/roll", data={"turn": 0})).status_code == 303
            proxy.is_cut = True
            proxy.freeze()

            async def answered() -> list[int]:
                asked = (
                    *(
                        client.get(path)
                        for path in ("/", table, f"/api{table.replace('/t/', '/tables/')}", "/games")
                    ),
                    client.post(f"{table}/play", data=pick),
                    client.post("/new/knister", data={"name": "Bo"}),
                )
                return [answer.status_code for answer in await asyncio.gather(*asked)]

            for _ in range(2):  # on connections that were open, and on new ones
                async with asyncio.timeout(8):
                    found = await answered()
                assert 503 in found
                assert set(found) <= {200, 503}
            proxy.is_cut = False
            async with asyncio.timeout(20):
                while set(await answered()) - {200, 303, 409}:
                    await asyncio.sleep(0.1)


async def test_a_node_hears_of_others_again_after_a_silent_failover(proxy: SilentRelay):
    """Who followed through it may have to come again, as pages do by themselves."""
    url = await proxy.start()
    async with await open_log(url) as here, await open_log(url) as there:
        one, other = Service(here), Service(there)
        table = await begun(one)

        async def hear() -> Seq:
            while True:
                with suppress(Unavailable):
                    async with aclosing(one.follow(table, "bo", Seq(3))) as news:
                        return (await anext(news))[0]

        hearing = asyncio.create_task(hear())
        await asyncio.sleep(0.1)
        proxy.freeze()
        is_done = False
        while not is_done:
            with suppress(Unavailable):
                await move(other, table)
                is_done = True
        assert await asyncio.wait_for(hearing, 30) == 4
        for service in (one, other):
            await service.close()


async def test_a_store_closes_while_its_connections_are_silent(proxy: SilentRelay):
    log = await open_log(await proxy.start())
    await begun(Service(log))
    proxy.freeze()
    await asyncio.wait_for(log.close(), 20)
