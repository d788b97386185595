"""What nodes know of each other, in every kind of store."""

from __future__ import annotations

import asyncio
import time

import pytest

from kasta.core import Seat
from kasta.tables.cluster_state import DEAD_SECONDS, KEPT_SECONDS, Claim
from kasta.tables.log import Log
from support.stores.clock import Later

ABOUT = 20  # seconds that a busy machine may add


async def silence(log: Log, node: str, device: str) -> float | None:
    """For how long a device was not at the table, as a node sees it."""
    around = (await log.cluster.around(node, ["t1", "t2"])).get("t1")
    return None if around is None else time.monotonic() - around.stays[device].until


async def test_a_node_sees_who_is_present_at_others_and_not_itself(log: Log):
    await log.cluster.beat("a", {("t1", "anna"): True, ("t3", "eve"): True})
    await log.cluster.beat("b", {("t2", "tim"): True})
    assert set(await log.cluster.around("a", ["t1", "t2"])) == {"t2"}
    seen = await log.cluster.around("b", ["t1", "t2"])
    assert list(seen) == ["t1"]
    assert list(seen["t1"].stays) == ["anna"]


async def test_it_is_known_since_when_somebody_has_gone(log: Log, later: Later):
    await log.cluster.beat("a", {("t1", "anna"): True})
    await log.cluster.beat("a", {("t1", "anna"): False})
    await later(100)
    await log.cluster.beat("a", {})
    assert await silence(log, "b", "anna") == pytest.approx(100, abs=ABOUT)
    await log.cluster.beat("a", {("t1", "anna"): True})
    assert await silence(log, "b", "anna") == pytest.approx(0, abs=ABOUT)


async def test_who_was_present_at_a_node_that_died_has_gone_with_it(log: Log, later: Later):
    await log.cluster.beat("a", {("t1", "anna"): True})
    await later(100)
    assert await silence(log, "b", "anna") == pytest.approx(100, abs=ABOUT)


async def test_who_has_gone_from_one_node_and_come_to_another_is_there(log: Log, later: Later):
    await log.cluster.beat("a", {("t1", "anna"): True})
    await later(100)
    await log.cluster.beat("c", {("t1", "anna"): True})
    assert await silence(log, "b", "anna") == pytest.approx(0, abs=ABOUT)


async def test_one_node_acts_at_a_table_until_it_gives_that_back_or_dies(log: Log, later: Later):
    cluster = log.cluster
    assert await cluster.take("t1", "a")
    assert await cluster.take("t1", "a")
    assert not await cluster.take("t1", "b")
    assert await cluster.take("t2", "b")
    await cluster.give_back(["t1", "t2"], "a")
    assert await cluster.take("t1", "b")
    assert not await cluster.take("t2", "a"), "it was not a's to give back"
    await later(DEAD_SECONDS + ABOUT)
    assert await cluster.take("t1", "a")
    assert not await cluster.take("t1", "b")


async def test_of_many_nodes_that_want_to_act_one_does(log: Log):
    took = await asyncio.gather(*(log.cluster.take("t1", f"node {number}") for number in range(8)))
    assert sum(took) == 1


def claim(seat: int, device: str, digits: int) -> Claim:
    return Claim(Seat(seat), device, digits, time.monotonic() + 600)


async def test_several_claim_a_seat_and_see_different_digits(log: Log, later: Later):
    cluster = log.cluster
    assert await cluster.claim("t1", claim(0, "anna", 42))
    assert not await cluster.claim("t1", claim(0, "tim", 42))
    assert await cluster.claim("t1", claim(0, "tim", 43))
    assert await cluster.claim("t1", claim(1, "eve", 42)), "of another seat"
    assert await cluster.claim("t1", claim(2, "anna", 44)), "in place of the first"
    assert await claims(log) == {(0, "tim", 43), (1, "eve", 42), (2, "anna", 44)}
    assert await cluster.claim("t1", claim(0, "lost", 42))
    await cluster.drop_claims("t1", Seat(0))
    assert await claims(log) == {(1, "eve", 42), (2, "anna", 44)}
    await later(601)
    assert await cluster.around("b", ["t1"]) == {}
    assert await cluster.claim("t1", claim(2, "tim", 44))


async def claims(log: Log) -> set[tuple[Seat, str, int]]:
    found = (await log.cluster.around("b", ["t1"]))["t1"].claims
    return {(each.seat, each.device, each.digits) for each in found}


async def test_so_many_are_counted_and_the_others_wait(log: Log, later: Later):
    cluster = log.cluster
    waits = await asyncio.gather(*(cluster.hit("eve", 3, 600) for _ in range(10)))
    assert sorted(waits)[:3] == [0, 0, 0]
    assert all(600 - ABOUT < wait <= 600 for wait in sorted(waits)[3:])
    assert await cluster.wait("eve", 3) > 0
    assert await cluster.wait("tim", 3) == 0
    await later(601)
    assert await cluster.wait("eve", 3) == 0
    assert await cluster.hit("eve", 3, 600) == 0


async def test_what_is_over_is_forgotten_and_the_rest_is_not(log: Log, later: Later):
    cluster = log.cluster
    await cluster.beat("a", {("t1", "anna"): True})
    await cluster.beat("b", {("t1", "tim"): True})
    await cluster.take("t1", "a")
    await later(KEPT_SECONDS + 1)
    await cluster.beat("b", {})
    await cluster.sweep()
    assert list((await cluster.around("c", ["t1"]))["t1"].stays) == ["tim"]
    assert await cluster.take("t1", "c")
