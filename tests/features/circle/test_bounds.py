"""What one person can make of a circle ends somewhere: members, devices, seasons, what is counted of a game."""

from __future__ import annotations

import time

import pytest

from features.circle.people import (
    circles_of,
    come_in,
    counted,
    founded,
    game,
    member_of,
    rows,
    visitor,
)
from kasta.errors import Illegal
from kasta.features.circle import counting, service, store as stores
from kasta.tables.log import Log
from support.sites import served_site

BOTH = pytest.mark.parametrize("store_url", ["memory", "postgres"], indirect=True)
ONE = pytest.mark.parametrize("store_url", ["memory"], indirect=True)


@BOTH
async def test_who_comes_and_goes_without_a_game_is_not_known_for_ever(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stores, "MOST_GUESTS", 3)
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, device) for device in ("eva", "tim")]
        await counted(circles.store, circle, game(1, **{eva: 50, tim: 40}))
        await circles.leave(circle, "tim")
        for number in range(9):
            await come_in(circles, circle, "eva", f"{number}th")
            await circles.leave(circle, f"{number}th")
        known = await circles.store.members(circle)
        assert [known[eva].name, known[tim].name] == ["Eva", "Tim"], "who has played is known by the games"
        assert len(known) == 2 + 3 + 1
        assert len((await rows(log.db))["devices"]) == len(known)


@ONE
async def test_a_circle_has_an_end_also_with_those_who_have_left(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "MOST_EVER", 0.03)
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        await circles.leave(circle, "tim")
        await come_in(circles, circle, "eva", "mia")
        with pytest.raises(Illegal, match="at most 100"):
            await come_in(circles, circle, "eva", "bo")


@ONE
async def test_a_member_has_so_many_devices(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "MOST_DEVICES", 3)
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, device) for device in ("eva", "tim")]
        for member, device in ((eva, "laptop"), (tim, "tablet")):
            await circles.store.add_device(circle, member, device, time.time())
        with pytest.raises(Illegal) as refused:
            await circles.add_device(circle, await circles.device_link(circle, "eva"), "tim")
        assert refused.value.code == "too_many_devices"
        assert await member_of(circles, circle, "tim") == tim, "two people of four devices stay two"
        assert await circles.store.devices(circle, [eva]) == 2


@BOTH
async def test_a_season_without_a_game_only_begins_later(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stores, "MOST_SEASONS", 2)
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, device) for device in ("eva", "tim")]
        for _ in range(5):
            await circles.new_season(circle, "eva")
        (only,) = await circles.store.seasons(circle)
        assert only.number == 1
        for number in range(1, 4):
            await counted(circles.store, circle, game(number, number, **{eva: 50, tim: 40}))
            await circles.new_season(circle, "eva")
        assert [each.number for each in await circles.store.seasons(circle)] == [3, 4], "the last ones are listed"
        assert (await circles.of(circle, "eva")).circle.season == 4


@BOTH
async def test_of_a_game_of_many_it_is_not_kept_who_beat_whom(log: Log, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(counting, "MOST_PAIRED", 2)
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim", "mia")
        eva, tim, mia = [await member_of(circles, circle, device) for device in ("eva", "tim", "mia")]
        await counted(circles.store, circle, game(1, **{eva: 50, tim: 40}))
        await counted(circles.store, circle, game(2, **{eva: 50, tim: 40, mia: 60}))
        kept = await rows(log.db)
        assert len(kept["scores"]) == 2 * 3
        assert len(kept["pairs"]) == 2 * 2
        await circles.store.db.transaction(lambda: counting.recount(circle, tim))
        assert await rows(log.db) == kept


@ONE
async def test_who_comes_in_is_counted_by_address(log: Log, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva")
        monkeypatch.setattr(site.joining, "count_seats", asked.append)
        await come_in(circles, circle, "eva", "tim")
        assert asked == [visitor("tim").address]
