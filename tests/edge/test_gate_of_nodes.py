"""A table that two nodes serve: links, claims, codes and limits are shared through the store."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from kasta.app import create_app
from kasta.core import Seat
from kasta.edge.config import Config
from kasta.tables.cluster_state import Claim
from kasta.tables.log import Log
from kasta.tables.rights import AWAY_SECONDS


@pytest.fixture
async def phone_at(logs: tuple[Log, Log]) -> AsyncIterator[Callable[[int], httpx.AsyncClient]]:
    """Makes phones that call one of two applications. They know each other by the store alone."""
    async with AsyncExitStack() as stack:
        apps = [
            await create_app(log, Config(lan=True, tables_an_address=3, wrong_codes_an_address=3)) for log in logs
        ]

        def phone(node: int) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(apps[node])
            client = httpx.AsyncClient(
                transport=transport, base_url="http://kasta.test", headers={"origin": "http://kasta.test"}
            )
            stack.push_async_callback(client.aclose)
            return client

        yield phone


PhoneAt = Callable[[int], httpx.AsyncClient]


async def opened(host: httpx.AsyncClient, *names: str) -> str:
    answer = await host.post("/new/knister", data={"name": list(names)})
    return answer.headers["location"].removeprefix("/t/")


def at(phone_at: PhoneAt, node: int, phone: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same phone, at a node."""
    again = phone_at(node)
    again.cookies = phone.cookies
    return again


async def link(phone: httpx.AsyncClient, table: str) -> str:
    """The secret in the link that moves the first seat."""
    found = re.search(r'/seat#(0\.[^"]+)"', (await phone.post(f"/t/{table}/seat-link", data={"seat": 0})).text)
    assert found
    return found[1]


async def move(phone: httpx.AsyncClient, table: str, secret: str) -> int:
    return (await phone.post(f"/t/{table}/move", data={"secret": secret})).status_code


async def test_a_seat_link_that_was_used_at_one_node_is_refused_at_another(phone_at: PhoneAt):
    old, new, thief = phone_at(0), phone_at(0), phone_at(1)
    table = await opened(old, "Anna")
    for phone in (new, thief):
        await phone.get("/")
    used = await link(old, table)
    assert await move(new, table, used) == 303
    assert await move(old, table, await link(at(phone_at, 1, new), table)) == 303
    assert await move(thief, table, used) == 422, "though the seat is again where the link was made"


async def test_a_seat_that_is_claimed_at_one_node_is_shown_and_given_at_another(phone_at: PhoneAt):
    host, lost, thief = phone_at(0), phone_at(0), phone_at(1)
    table = await opened(host, "Host", "Anna")
    for phone in (lost, thief):
        await phone.get("/")
    await host.post(f"/t/{table}/roll", data={"turn": 0})
    assert (await lost.post(f"/t/{table}/claim", data={"seat": 1})).status_code == 303
    assert (await thief.post(f"/t/{table}/claim", data={"seat": 1})).status_code == 303, "and blocks nobody"
    found = re.search(r"your number is (\d\d)", (await at(phone_at, 1, lost).get(f"/t/{table}")).text)
    assert found
    there = at(phone_at, 1, host)
    assert found[1] in (await there.get(f"/t/{table}")).text
    answer = await there.post(f"/t/{table}/accept", data={"seat": 1, "digits": found[1]})
    assert answer.status_code == 303
    state = (await at(phone_at, 1, lost).get(f"/api/tables/{table}")).json()
    assert {seat["name"]: seat["mine"] for seat in state["seats"]} == {"Host": False, "Anna": True}
    assert (await host.post(f"/t/{table}/accept", data={"seat": 1, "digits": found[1]})).status_code == 422


async def test_the_seat_of_somebody_who_is_present_at_one_node_is_not_claimed_or_given_at_another(
    logs: tuple[Log, Log], phone_at: PhoneAt, hours: Callable[[float], None]
):
    """Neither while they are there nor when they have come back since it was claimed."""
    host, tim, tablet = phone_at(0), phone_at(0), phone_at(1)
    table = await opened(host, "Host")
    await tablet.get("/")
    await tim.post(f"/t/{table}/sit", data={"name": "Tim"})
    await host.post(f"/t/{table}/roll", data={"turn": 0})
    token = next(iter(tim.cookies.values()))
    await logs[0].cluster.beat("third", {(table, token.partition(".")[0]): True})
    there = at(phone_at, 1, host)
    await there.get(f"/t/{table}")
    hours(AWAY_SECONDS + 6)
    assert (await tablet.post(f"/t/{table}/claim", data={"seat": 1})).status_code == 422
    await logs[0].cluster.claim(table, Claim(Seat(1), "tablet", 42, time.monotonic() + 600))
    assert (await there.post(f"/t/{table}/accept", data={"seat": 1, "digits": 42})).status_code == 422
    assert "42" not in re.findall(r'name="digits" value="(\d\d)"', (await there.get(f"/t/{table}")).text)


async def test_an_address_opens_no_more_tables_at_two_nodes_than_at_one(phone_at: PhoneAt):
    answers = [(await phone_at(node).post("/new/knister")).status_code for node in (0, 1, 0, 1, 0)]
    assert answers == [303] * 3 + [429] * 2


async def test_wrong_codes_are_counted_whichever_node_they_are_tried_at(phone_at: PhoneAt):
    answers = [
        (await phone_at(node).post("/join", data={"code": "BBBBBB"})).status_code for node in (0, 1, 0, 1, 0)
    ]
    assert answers == [400] * 3 + [429] * 2
