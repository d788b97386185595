"""Two nodes serve one store: whoever is present at one is present at the other, and what one refuses, both do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from typing import Any

import pytest
from msgspec.structs import replace

from kasta.core import Seat
from kasta.db import open_log
from kasta.db.admin import check
from kasta.errors import Conflict, Illegal
from kasta.tables import commands, events as e
from kasta.tables.autoplay import Autoplay
from kasta.tables.cluster_state import DEAD_SECONDS, Claim
from kasta.tables.commands import Close, Command, Configure, Extend, Host, MoveSeat, Play, Replace, Roll, Sit
from kasta.tables.log import Log, change
from kasta.tables.rights import AWAY_SECONDS, HOST_AWAY_SECONDS
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.stores.clock import Calendar, clock

HOST = "host"
PATIENCE = 60


async def until(is_so: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await is_so():
            await asyncio.sleep(0.05)


@pytest.fixture
async def nodes(logs: tuple[Log, Log]) -> AsyncIterator[tuple[Service, Service]]:
    services = Service(logs[0], auto_seconds=0), Service(logs[1], auto_seconds=0)
    yield services
    for service in services:
        await service.close()


async def seated(service: Service, *people: str, settings: e.Settings | None = None) -> Table:
    table = await service.open(HOST, "knister", settings=settings)
    for name in people:
        table = await service.do(table.id, Sit(name, name.title()))
    return table


async def present(nodes: tuple[Service, Service], table: str, device: str, stack: AsyncExitStack) -> None:
    """The device streams at the first node, and the second one has heard of it."""
    stream = await stack.enter_async_context(aclosing(nodes[0].follow(table, device)))
    await anext(stream)
    cluster, other = nodes[1]._log.cluster, nodes[1].node.id  # noqa: SLF001
    await until(lambda: cluster.around(other, [table]))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (MoveSeat("anna", Seat(0), "anna's tablet"), "not_your_seat"),
        (Replace(HOST, Seat(0), "greedy"), "bot_plays_here"),
        (Close(HOST), "table_closed"),
    ],
    ids=["moved", "a bot's", "closed"],
)
async def test_who_may_not_act_any_more_may_not_at_a_node_that_has_not_heard_of_it(
    nodes: tuple[Service, Service], change: Command, code: str, monkeypatch: pytest.MonkeyPatch
):
    here, there = nodes
    table = await thrown(here, e.Settings())
    await there.table(table)
    for node in nodes:
        monkeypatch.setattr(node, "silence", lambda _: lambda device: 30.0 * (device == "anna"))
    await here.do(table, change)
    pick = Play("anna", 1, Seat(0), 0, "a1")
    with pytest.raises(Illegal) as refused:
        await there.do(table, pick)
    assert refused.value.code == code
    if code != "table_closed":
        await here.do(table, Play("tim", 1, Seat(1), 0, "b2"))
        async for _, problem in check(here._log):  # noqa: SLF001
            pytest.fail(problem)


async def test_who_asked_for_more_time_at_another_node_is_given_it(
    nodes: tuple[Service, Service], hours: Callable[[float], None]
):
    """As a node that stood still meanwhile does not know."""
    here, there = nodes
    table = await thrown(here, e.Settings(pace=600))
    await there.table(table)
    await here.do(table, Extend("anna", 1, Seat(0)))
    hours(700)
    clock = await there._tables.get(table)  # noqa: SLF001
    await until(lambda: _has(lambda: clock.table.more_time == 1 or clock.table.owing < 2))
    assert (await here.table(table)).owing == 2
    await here.do(table, Play("anna", 1, Seat(0), 0, "a1"))


@pytest.mark.parametrize(
    ("settings", "late", "code"),
    [
        (e.Settings(pace=600), Extend("anna", 1, Seat(0)), "already_acted"),
        (e.Settings(coach="live"), commands.AskHint("anna", 1, Seat(0)), "nothing_to_decide"),
    ],
    ids=["more time", "a hint"],
)
async def test_who_has_acted_has_acted_at_a_node_that_has_not_heard_of_it(
    nodes: tuple[Service, Service], settings: e.Settings, late: Command, code: str
):
    here, there = nodes
    table = await thrown(here, settings)
    await there.table(table)
    await here.do(table, Play("anna", 1, Seat(0), 0, "a1"))
    with pytest.raises(Illegal) as refused:
        await there.do(table, late)
    assert refused.value.code == code


async def test_leaving_is_decided_again_after_a_pick_that_may_have_ended_the_game(nodes: tuple[Service, Service]):
    here = nodes[0]
    table = await thrown(here, e.Settings())
    before = await here.do(table, Play("anna", 1, Seat(0), 0, "a1"))
    await here.do(table, Play("tim", 1, Seat(1), 0, "a1"))
    with pytest.raises(Conflict):
        await here._log.append(change(before, e.Left(1, Seat(0), 1)))  # noqa: SLF001


async def thrown(here: Service, settings: e.Settings) -> str:
    """A table of Anna and Tim after the first throw."""
    table = (await seated(here, "anna", "tim", settings=settings)).id
    await here.do(table, Roll(HOST, 0))
    return table


async def _has(is_so: Callable[[], bool]) -> bool:
    return is_so()


async def test_a_present_host_is_not_deposed_at_another_node(
    nodes: tuple[Service, Service], hours: Callable[[float], None]
):
    _, there = nodes
    async with AsyncExitStack() as stack:
        table = (await seated(nodes[0], "anna", "tim")).id
        await there.table(table)
        await present(nodes, table, HOST, stack)
        hours(HOST_AWAY_SECONDS + 6)
        with pytest.raises(Illegal, match="Only the host"):
            await there.do(table, Host("anna", "anna"))


async def test_a_host_who_has_gone_is_succeeded_at_any_node(
    nodes: tuple[Service, Service], durable_url: str, monkeypatch: pytest.MonkeyPatch
):
    here, there = nodes
    table, cluster = (await seated(here, "anna", "tim")).id, here._log.cluster  # noqa: SLF001
    await cluster.beat("third", {(table, HOST): True, (table, "anna"): True})
    await cluster.beat("third", {(table, HOST): False})
    await clock(durable_url, monkeypatch)(HOST_AWAY_SECONDS + 1)
    with pytest.raises(Illegal, match="Only the host"):
        await there.do(table, Host("anna", "anna"))  # perhaps all nodes began anew: the host may still come back
    await cluster.beat("third", {})  # no, this one has been there all the time
    assert (await there.do(table, Host("anna", "anna"))).host == "anna"


async def thrown_with_tim_present(nodes: tuple[Service, Service], stack: AsyncExitStack) -> str:
    """A table with a throw, where Anna is nowhere and Tim is at the first node."""
    table = (await seated(nodes[0], "anna", "tim")).id
    await nodes[0].do(table, Roll(HOST, 0))
    await nodes[1].table(table)
    await present(nodes, table, "tim", stack)
    return table


async def test_nobody_stands_in_for_somebody_who_is_present_at_another_node(
    nodes: tuple[Service, Service], hours: Callable[[float], None]
):
    there = nodes[1]
    async with AsyncExitStack() as stack:
        table = await thrown_with_tim_present(nodes, stack)
        hours(AWAY_SECONDS + 6)
        with pytest.raises(Illegal, match="not away"):
            await there.stand_in(table, HOST, Seat(1))
        assert (await there.stand_in(table, HOST, Seat(0))).stood_in(Seat(0)), "who is nowhere is away"


@pytest.mark.parametrize("command", [MoveSeat(HOST, 1, "host's tablet"), Replace(HOST, 1, "greedy")])
async def test_nobody_takes_the_seat_of_somebody_who_is_present_at_another_node(
    command: Command, nodes: tuple[Service, Service], hours: Callable[[float], None]
):
    there = nodes[1]
    async with AsyncExitStack() as stack:
        table = await thrown_with_tim_present(nodes, stack)
        hours(AWAY_SECONDS + 6)
        with pytest.raises(Illegal, match="not away"):
            await there.do(table, command)
    assert await there.do(table, replace(command, seat=0)), "who is nowhere is away"


async def test_nobody_throws_for_somebody_who_is_present_at_another_node(
    nodes: tuple[Service, Service], hours: Callable[[float], None]
):
    here, there = nodes
    async with AsyncExitStack() as stack:
        table = (await seated(here, "anna", "tim")).id
        await here.do(table, Roll(HOST, 0))
        for seat, device in enumerate(("anna", "tim")):
            await here.do(table, Play(device, 1, Seat(seat), 0, "c3"))
        await there.table(table)
        await present(nodes, table, "tim", stack)  # whose turn it is
        hours(AWAY_SECONDS + 6)
        with pytest.raises(Illegal):
            await there.do(table, Roll("anna", 1))
    assert (await here.do(table, Roll("tim", 1))).turn == 2


async def test_two_crowds_sit_down_at_two_nodes_and_everybody_has_a_seat(nodes: tuple[Service, Service]):
    table = await seated(nodes[0])
    sat = (
        node.do(table.id, Sit(f"{node.node.id} {number}", f"Guest {number} {node.node.id[:4]}"))
        for number in range(60)
        for node in nodes
    )
    await asyncio.gather(*sat, nodes[1].do(table.id, Sit(HOST, "Robot", bot="greedy")))
    for node in nodes:
        seen = await node.table(table.id)
        assert sorted(seen.places) == list(range(121))
        assert len({place.name for place in seen.places.values()}) == 121


@pytest.mark.parametrize(
    ("meanwhile", "codes"),
    [
        (Sit("eve", "Anna"), [None, "name_taken", None]),
        (Configure(HOST, e.Settings(open=False)), ["seats_closed"] * 3),
        (Close(HOST), ["table_closed"] * 3),
    ],
    ids=["a seat", "a locked door", "the end"],
)
async def test_a_crowd_is_decided_on_what_another_node_has_just_written(
    nodes: tuple[Service, Service], meanwhile: Command, codes: list[str | None]
):
    table = await seated(nodes[0], "tim")
    await nodes[1].table(table.id)
    await nodes[0].do(table.id, meanwhile)
    sat = (nodes[1].do(table.id, Sit(name.lower(), name)) for name in ("Bob", "Anna", "Ida"))
    outcomes = await asyncio.gather(*sat, return_exceptions=True)
    assert [getattr(each, "code", None) for each in outcomes] == codes
    seen = await nodes[0].table(table.id)
    assert sorted(place.name for place in seen.places.values()) == (
        ["Anna", "Bob", "Ida", "Tim"] if codes[0] is None else ["Tim"]
    )


async def test_pages_hear_of_those_who_come_elsewhere_and_of_claims(nodes: tuple[Service, Service]):
    here, there = nodes
    table = (await seated(here, "anna", "tim")).id
    async with AsyncExitStack() as stack:
        page = await stack.enter_async_context(aclosing(there.changes(table)))
        await anext(page)
        await present((there, here), table, "anna", stack)
        stream = await stack.enter_async_context(aclosing(here.follow(table, "tim")))
        await anext(stream)
        async with asyncio.timeout(PATIENCE):
            while there.node.stay(table, "tim") is None:
                await anext(page)
            await here._log.cluster.claim(table, Claim(Seat(0), "lost", 42, time.monotonic() + 600))  # noqa: SLF001
            while not there.node.claims(table):
                await anext(page)


# -- what a node does by itself -------------------------------------------------------------------------------


async def test_bots_and_throws_of_a_table_act_at_one_node(
    nodes: tuple[Service, Service], monkeypatch: pytest.MonkeyPatch
):
    here, _ = nodes
    asked = list[tuple[int, int]]()
    choice = Autoplay.choice

    async def counted(self: Autoplay, table: Table, seat: Seat) -> Play:
        asked.append((table.turn, seat))
        return await choice(self, table, seat)

    monkeypatch.setattr(Autoplay, "choice", counted)
    table = (await here.open(HOST, "knister", settings=e.Settings(thrower="auto"))).id
    for name in ("One", "Two"):
        await here.do(table, Sit(HOST, name, bot="greedy"))
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(aclosing(node.changes(table))) for node in nodes]
        for page in pages:
            await anext(page)
        await here.do(table, Roll(HOST, 0))
        for page in pages:
            async with asyncio.timeout(PATIENCE):
                while not (await anext(page)).is_closed:
                    pass
    assert sorted(asked) == [(turn, seat) for turn in range(1, 26) for seat in (0, 1)]


async def test_another_node_goes_on_for_one_that_dies(
    nodes: tuple[Service, Service], durable_url: str, monkeypatch: pytest.MonkeyPatch
):
    here, there = nodes
    table = (await seated(here, "anna")).id
    await here.do(table, Sit(HOST, "Bot", bot="greedy"))
    assert await here._log.cluster.take(table, "dead")  # noqa: SLF001
    async with aclosing(there.changes(table)) as page:
        await anext(page)
        await there.do(table, Roll(HOST, 0))
        await asyncio.sleep(0)
        assert (await there.table(table)).owing == 2, "the bot is another's"
        await clock(durable_url, monkeypatch)(DEAD_SECONDS + 1)
        async with asyncio.timeout(PATIENCE):
            while (await anext(page)).owing == 2:
                pass


# -- clocks that are set --------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [3_600.0, -3_600.0, 91 * 86_400.0, -400 * 86_400.0])
async def test_a_clock_that_is_set_deposes_nobody(
    nodes: tuple[Service, Service], durable_url: str, monkeypatch: pytest.MonkeyPatch, jump: float
):
    here, there = nodes
    calendar = Calendar(durable_url, monkeypatch)
    async with AsyncExitStack() as stack:
        table = (await seated(here, "anna", "tim")).id
        await here.do(table, Roll(HOST, 0))
        await there.table(table)
        for device in (HOST, "tim"):
            await present(nodes, table, device, stack)
        cluster = there._log.cluster  # noqa: SLF001
        await until(lambda: _sees(there, table, HOST, "tim"))
        live = there._tables.find(table)  # noqa: SLF001
        assert live
        live.since -= 3_600  # it has been served there for long: who is nowhere has been away since then
        await calendar.set(jump)
        await cluster.sweep()
        for _ in range(2):  # at once, and after the nodes have said that they live
            await there.node.refresh(table)
            with pytest.raises(Illegal, match="Only the host"):
                await there.do(table, Host("anna", "anna"))
            with pytest.raises(Illegal, match="not away"):
                await there.stand_in(table, HOST, Seat(1))
            await here.node._beat()  # noqa: SLF001
            await cluster.sweep()
        assert there.silence(table)(HOST) < AWAY_SECONDS
        assert not (await there.table(table)).stood_in(Seat(1))


async def _sees(service: Service, table: str, *devices: str) -> bool:
    await service.node.refresh(table)
    return all(service.node.stay(table, device) for device in devices)


@pytest.mark.parametrize("jump", [3_600.0, -3_600.0])
async def test_a_clock_that_is_set_lets_no_turn_run_out(
    nodes: tuple[Service, Service], durable_url: str, monkeypatch: pytest.MonkeyPatch, jump: float
):
    here, there = nodes
    table = (await here.open(HOST, "knister", settings=e.Settings(pace=600))).id
    for name in ("anna", "tim"):
        await here.do(table, Sit(name, name.title()))
    await here.do(table, Roll(HOST, 0))
    await there.table(table)
    await Calendar(durable_url, monkeypatch).set(jump)
    for node in nodes:
        left = node.waits(table)
        assert left is not None
        assert 600 - PATIENCE < left <= 600
    assert (await there.table(table)).owing == 2


@pytest.mark.parametrize("jump", [3_600.0, -3_600.0, -400 * 86_400.0])
async def test_a_clock_that_is_set_blocks_nobody_for_long(
    logs: tuple[Log, Log], durable_url: str, monkeypatch: pytest.MonkeyPatch, jump: float
):
    cluster = logs[0].cluster
    for _ in range(3):
        await cluster.hit("eve", 2, 600)
    await Calendar(durable_url, monkeypatch).set(jump)
    assert await cluster.hit("eve", 2, 600) <= 600
    assert await cluster.wait("eve", 2) <= 600


async def test_a_claim_does_not_last_for_as_long_as_the_databases_clock_was_set_back(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    async with await open_log(postgres_url) as log:
        assert await log.cluster.claim("t1", Claim(Seat(0), "eve", 42, time.monotonic() + 600))
        await Calendar(postgres_url, monkeypatch).set(-86_400.0)
        assert await log.cluster.claim("t1", Claim(Seat(0), "anna", 42, time.monotonic() + 600))
