"""Where the operator allows it, open tables are found from the home page, and strangers are brought together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from httpx import AsyncClient

from kasta.db.key_value import KeyValue
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.visitor import Visitor
from kasta.feature import Site
from kasta.features.listing import ListingSettings
from kasta.features.listing.service import Listing
from kasta.features.listing.strangers import MOST_STRANGERS, Strangers
from kasta.tables.commands import Configure, Roll, Sit
from kasta.tables.events import Settings
from support.fixtures.servers import Visits
from support.sites import served_site
from support.visitors import device_of

OPEN = Config(of_features=(ListingSettings(open_tables=True),))


async def opened(client: AsyncClient, **fields: str) -> str:
    answer = await client.post("/new/knister", data={"name": "Annabella", **fields})
    return str(answer.headers["location"])


async def test_a_listed_table_is_found_from_the_home_page_and_nobody_is_named(visit: Visits):
    anna, bo = await visit(OPEN), await visit(OPEN)
    await device_of(anna)
    table = await opened(anna, listed="on")
    home = (await bo.get("/")).text
    assert f'href="{table}"' in home
    assert "1 sits there" in home
    assert "Annabella" not in home
    await anna.post(f"{table}/roll", data={"turn": "0"})
    assert f'href="{table}"' not in (await bo.get("/")).text


async def test_where_the_operator_does_not_allow_it_there_is_nothing_of_it(visit: Visits):
    anna = await visit()
    await device_of(anna)
    table = await opened(anna, listed="on")
    assert table not in (await (await visit()).get("/")).text
    assert "/somebody" not in (await anna.get("/")).text
    assert (await anna.post("/somebody", data={"game": "knister", "name": "Anna"})).status_code == 404


async def test_two_strangers_find_each_other_by_a_button(visit: Visits):
    anna, bo = await visit(OPEN), await visit(OPEN)
    for each in (anna, bo):
        await device_of(each)
    wish = {"game": "knister", "name": "Anna"}
    table = (await anna.post("/somebody", data=wish)).headers["location"]
    page = (await anna.get(table)).text
    assert "Waiting for somebody" in page
    assert "Begin with 1 player" in page, "a throw by mistake would begin alone"
    assert (await anna.get(f"{table}/waits")).json()["due"] is False
    assert (await bo.post("/somebody", data=wish)).headers["location"] == table
    seats = (await bo.get(f"/api/tables/{table.removeprefix('/t/')}")).json()["seats"]
    assert sorted(seat["name"] for seat in seats) == ["Anna", "Anna 2"]
    assert (await anna.get(f"{table}/waits")).json() == {
        "title": "Begin when all are here",
        "due": True,
        "over": False,
    }
    assert (await bo.get(f"{table}/waits")).json()["due"] is False
    assert (await anna.post("/somebody", data={"game": "none", "name": "Anna"})).status_code == 400


@asynccontextmanager
async def strangers(patience: float = 0.0) -> AsyncIterator[tuple[Strangers, Site]]:
    async with MemoryLog() as log, served_site(log) as site:
        found = Strangers(cast("Listing", site.given["listing"]), site.service, site.joining, patience)
        yield found, site
        await found.close()


def visitor(device: str) -> Visitor:
    return Visitor(device, is_new=False, language="en", address="127.0.0.1", origin="http://kasta.test")


async def test_strangers_share_a_table_of_the_game_they_want_until_it_is_full_or_begins():
    async with strangers() as (found, site):
        first = await found.play(visitor("0"), "knister", "A", with_bot=False)
        assert (await found.play(visitor("0"), "knister", "A", with_bot=False)).id != first.id, "not with oneself"
        other = await found.play(visitor("9"), "yatzy", "B", with_bot=False)
        assert other.id != first.id
        for number in range(1, MOST_STRANGERS):
            assert (await found.play(visitor(str(number)), "knister", "A", with_bot=False)).id == first.id
        second = await found.play(visitor("5"), "knister", "A", with_bot=False)
        assert second.id != first.id
        await site.service.do(second.id, Roll("0", 0))
        third = await found.play(visitor("6"), "knister", "A", with_bot=False)
        assert third.id not in {first.id, second.id}
        private = await site.service.open("7", "maxi", settings=Settings())
        assert (await found.play(visitor("8"), "maxi", "A", with_bot=False)).id != private.id


async def test_a_bot_comes_after_a_while_if_it_is_wished_and_nobody_else_has():
    async with strangers() as (found, site):
        alone = await found.play(visitor("0"), "knister", "Anna", with_bot=True)
        await found.settled()
        seats = (await site.service.table(alone.id)).places.values()
        assert [each.is_program for each in seats] == [False, True]
        without = await found.play(visitor("1"), "yatzy", "Bo", with_bot=False)
        await found.settled()
        assert len((await site.service.table(without.id)).places) == 1
    async with strangers(0.2) as (found, site):
        table = await found.play(visitor("0"), "knister", "Anna", with_bot=True)
        await found.play(visitor("1"), "knister", "Bo", with_bot=True)
        async with asyncio.timeout(30):
            await found.settled()
        assert [each.bot for each in (await site.service.table(table.id)).places.values()] == [None, None]


async def test_a_crowd_is_not_listed_and_not_read_again_for_the_list():
    async with MemoryLog() as log, served_site(log) as site:
        listing = cast("Listing", site.given["listing"])
        small, crowd = [
            (await site.service.open("eve", "knister", settings=Settings(listed=True))).id for _ in "12"
        ]
        for number in range(31):
            await site.service.do(crowd, Sit(f"d{number}", f"P{number}", entropy=""))
        assert [table.id for table in await listing.tables()] == [small]
        await site.service.do(crowd, Configure("eve", Settings(listed=True, pace=60)))
        assert await KeyValue(log.db).all("listed", "", 9) == {small: ""}
