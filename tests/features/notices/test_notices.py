"""Notices: who is told of what and when, what is taken back, and what a push service cannot do to a game."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from features.notices.push_service import Browser, PushService, encoded, push_service
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.feature import Site
from kasta.features.notices.lookups import is_public
from kasta.features.notices.post import NotPublicError, PushAnswer, origin_of, post
from kasta.features.notices.sender import Sender
from kasta.features.notices.store import PERSONAL as OF_NOTICES, Subscription, Subscriptions
from kasta.features.notices.times import is_night, next_time
from kasta.features.notices.watch import Watch
from kasta.live.notices import Notice
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.log import Log
from support.sites import PERSONAL, backup, new_site, restore, served_site

HOST = "d0"
MIDNIGHT = 1_779_926_400.0  # in UTC
NOON = MIDNIGHT + 43_200


class Told:
    """A site with its own sender, whose clock stands, and a push service with a browser for each device."""

    def __init__(self, site: Site, service: PushService) -> None:
        self.site, self.service, self.now = site, service, NOON
        self.browsers: dict[str, Browser] = {}
        self.store = Subscriptions(site.log.db)
        self.sender = Sender(self.store, site.signer.key, "mailto:a@b.c", (service.origin,), lambda: self.now)
        self.watch = Watch(site.service, self.store, site.notices, self.sender, 0.0, lambda: self.now)
        site.notices.send, site.notices.withdraw = self.sender.send, self.sender.withdraw

    async def wish(self, device: str, kinds: str = "turn invited today", **more: Any) -> Subscription:  # noqa: ANN401
        browser = self.browsers[device] = Browser()
        wish = Subscription(
            device,
            f"{self.service.origin}/{device}",
            encoded(browser.public),
            encoded(browser.auth),
            **{"language": "en", "zone": "UTC", "kinds": kinds, "hour": None, "due": None, "at": self.now, **more},
        )
        await self.store.put(wish)
        return wish

    async def look(self, *names: str) -> list[tuple[str, dict[str, str]]]:
        """What browsers are sent after something happened at tables: device, and what its worker is told."""
        self.service.heard.clear()
        for name in names:
            await self.watch.hear(await self.site.service.table(name))
        await self.watch.look_at_tables(time.monotonic() + 1)
        await self.sender.settled()
        return [self.read(each.path[1:], each.body) for each in self.service.heard]

    def read(self, device: str, body: bytes) -> tuple[str, dict[str, str]]:
        return device, json.loads(self.browsers[device].decrypt(body))

    def notice(self, device: str, once: str = "", kind: str = "turn", topic: str = "t") -> Notice:
        return Notice(kind, device, topic, once, lambda _: "Title", lambda _: "Text", "/t/x")


@pytest.fixture
async def site(app_log: Log) -> AsyncIterator[Site]:
    async with served_site(app_log) as site:
        yield site


@pytest.fixture
async def told(site: Site) -> AsyncIterator[Told]:
    async with push_service() as service:
        told = Told(site, service)
        yield told
        await told.watch.close()


async def opened(site: Site, *, rolled: bool = True) -> str:
    table = (await site.service.open(HOST, "knister")).id
    for seat in range(3):
        await site.service.do(table, Sit(f"d{seat}", f"P{seat}", entropy=""))
    if rolled:
        await site.service.do(table, Roll(HOST, 0))
    return table


def away(site: Site, monkeypatch: pytest.MonkeyPatch, *devices: str) -> None:
    monkeypatch.setattr(site.service, "silence", lambda _: lambda device: 60.0 * (device in devices))


async def test_who_is_away_is_told_once_that_it_is_their_turn(
    told: Told, site: Site, monkeypatch: pytest.MonkeyPatch
):
    table = await opened(site)
    for device in ("d0", "d1"):
        await told.wish(device, language="sv")
    away(site, monkeypatch, "d1", "d2")
    ((device, data),) = await told.look(table)
    assert device == "d1"
    assert data["title"] == "Din tur"
    assert data["text"] == "Knister"
    assert data["address"] == f"/t/{table}"
    assert "P0" not in str(data)
    assert await told.look(table) == [], "at most one for each matter"


async def test_it_is_signed_and_may_be_replaced(told: Told, site: Site, monkeypatch: pytest.MonkeyPatch):
    table = await opened(site)
    await told.wish("d1")
    away(site, monkeypatch, "d1")
    ((_, data),) = await told.look(table)
    (pushed,) = told.service.heard
    assert told.service.claims(pushed, told.sender.key.public)["aud"] == told.service.origin
    assert pushed.headers["topic"] == data["tag"]
    assert len(data["tag"]) == 32
    assert pushed.headers["ttl"] == "21600"
    assert pushed.headers["content-encoding"] == "aes128gcm"


async def test_it_is_taken_back_when_it_is_answered_elsewhere(
    told: Told, site: Site, monkeypatch: pytest.MonkeyPatch
):
    table = await opened(site)
    await told.wish("d1")
    away(site, monkeypatch, "d1")
    ((_, before),) = await told.look(table)
    await site.service.do(table, Play("d1", 1, 1, 0, "c3"))
    ((device, data),) = await told.look(table)
    assert (device, data["tag"], data["withdraw"]) == ("d1", before["tag"], "1")
    assert await told.look(table) == []
    for seat in (0, 2):
        await site.service.do(table, Play(f"d{seat}", 1, seat, 0, "c3"))
    ((_, data),) = await told.look(table)
    assert data["title"] == "Your turn", "to throw, now"


async def test_each_kind_is_a_wish_of_its_own(told: Told, site: Site, monkeypatch: pytest.MonkeyPatch):
    table = await opened(site)
    await told.wish("d1", "invited")
    await told.wish("d2", "turn")
    away(site, monkeypatch, "d1", "d2")
    assert [device for device, _ in await told.look(table)] == ["d2"]
    for seat in range(3):
        await site.service.do(table, Play(f"d{seat}", 1, seat, 0, "c3"))
    now = await site.service.table(table)
    for turn in range(1, 25):
        await site.service.do(table, Roll(now.places[now.next().roller].device, turn))  # type: ignore[union-attr]
        now = await site.service.table(table)
        for seat in range(3):
            cell = str(now.game.legal(now.play, seat)[0])
            await site.service.do(table, Play(f"d{seat}", turn + 1, seat, 0, cell))
        now = await site.service.table(table)
    next_table = (await site.service.rematch(table, HOST)).id
    found = {device: data for device, data in await told.look(table) if "withdraw" not in data}
    assert found.keys() == {"d1"}
    assert found["d1"]["address"] == f"/t/{next_table}"


async def test_at_night_only_what_was_asked_for_at_that_hour(told: Told):
    told.now = MIDNIGHT
    await told.wish("d1", zone="UTC")
    await told.wish("d2", zone="Asia/Tokyo")
    for device in ("d1", "d2"):
        told.sender.send(told.notice(device))
    told.sender.send(told.notice("d1", kind="today", topic="today"))
    await told.sender.settled()
    assert sorted(each.path for each in told.service.heard) == ["/d1", "/d2"]
    told.now += 8.5 * 3600
    told.service.heard.clear()
    told.sender.wake_held()
    await told.sender.settled()
    assert [each.path for each in told.service.heard] == ["/d1"], "in the morning"


async def test_the_throws_of_the_day_come_at_their_hour_once(told: Told):
    await told.wish("d1", hour=12, due=NOON)
    await told.wish("d2", hour=13, due=NOON + 3600)
    for _ in range(2):
        await told.watch.look_at_clock()
    await told.sender.settled()
    assert [each.path for each in told.service.heard] == ["/d1"]
    told.now += 86_400
    await told.watch.look_at_clock()
    await told.sender.settled()
    assert sorted(each.path for each in told.service.heard) == ["/d1", "/d1", "/d2"]


def test_hours_are_those_of_the_device_also_when_clocks_are_changed():
    def at(text: str) -> float:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()

    assert next_time(7, "Europe/Oslo", at("2026-10-24T12:00")) == at("2026-10-25T06:00")
    assert next_time(7, "Europe/Oslo", at("2026-10-25T06:00")) == at("2026-10-26T06:00")
    assert next_time(7, "No/Where", at("2026-10-24T06:00")) == at("2026-10-24T07:00")
    assert is_night("America/New_York", at("2026-11-19T03:00"))
    assert not is_night("America/New_York", at("2026-11-19T13:00"))


@pytest.mark.parametrize(
    ("status", "stays", "asked"),
    [(404, False, 1), (410, False, 1), (413, True, 1), (429, True, 3), (503, True, 3)],
)
async def test_what_a_push_service_answers(
    told: Told, monkeypatch: pytest.MonkeyPatch, status: int, *, stays: bool, asked: int
):
    monkeypatch.setattr("kasta.features.notices.sender.PAUSE_SECONDS", 0.0)
    wish = await told.wish("d1")
    told.service.status = status
    told.sender.send(told.notice("d1"))
    async with asyncio.timeout(30):
        while len(told.service.heard) < asked:
            await asyncio.sleep(0.01)
            await told.sender.settled()
    assert (await told.store.of(["d1"]) == {"d1": wish}) == stays
    assert len(told.service.heard) == asked


async def test_a_service_that_says_nothing_or_is_not_there_costs_nobody_a_move(
    told: Told, site: Site, monkeypatch: pytest.MonkeyPatch
):
    table = await opened(site)
    told.service.status = None
    for number in range(50):
        await told.wish(f"x{number}")
        told.sender.send(told.notice(f"x{number}"))
    await told.wish("d1")
    await told.store.put(Subscription(**{**_fields(await told.wish("d2")), "endpoint": "http://127.0.0.1:9/gone"}))
    away(site, monkeypatch, "d1", "d2")
    await told.watch.hear(await site.service.table(table))
    await told.watch.look_at_tables(time.monotonic() + 1)
    async with asyncio.timeout(5):
        for seat in range(3):
            await site.service.do(table, Play(f"d{seat}", 1, seat, 0, "c3"))
    async with asyncio.timeout(30):
        while not told.service.heard:
            await asyncio.sleep(0.01)


def _fields(wish: Subscription) -> dict[str, Any]:
    return {name: getattr(wish, name) for name in wish.__struct_fields__}


async def test_more_than_fits_is_dropped(told: Told, monkeypatch: pytest.MonkeyPatch):
    told.service.status = None
    monkeypatch.setattr(told.sender, "_waiting", asyncio.Queue(5))
    for number in range(2_000):
        told.sender.send(told.notice("nobody", str(number)))
    assert told.sender.waiting == 5


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example/x",
        "https://push.example:8443/x",
        "https://user@push.example/x",
        "ftp://push.example/x",
        "https:///x",
        "https://push.example/a b",
        "https://push.example/\r\nx: y",
        "https://push.example:x/",
        "",
    ],
)
def test_only_https_addresses_are_taken(address: str):
    with pytest.raises(NotPublicError):
        origin_of(address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "100.64.0.1", "192.88.99.1", "224.0.0.1"),
        *("[::1]", "[::ffff:127.0.0.1]", "[fd00::1]", "[fec0::1]", "[::7f00:1]", "[fe80::1]", "[ff02::1]"),
        *("[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[3fff::1]"),
    ],
)
async def test_no_host_of_our_own_network_is_asked(host: str):
    with pytest.raises(NotPublicError):
        await post(f"https://{host}/x", {}, b"")


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8"])
def test_hosts_of_the_internet_are_asked(address: str):
    assert is_public(address)


async def test_a_name_that_nobody_answers_for_holds_up_nothing_else(monkeypatch: pytest.MonkeyPatch):
    """As the servers of names of whoever made up an address can be silent for long."""
    answer = threading.Event()
    known = {"fcm.googleapis.com": "127.0.0.1"}

    def look_up(host: str, *_: object, **__: object) -> list[Any]:
        if host not in known:
            answer.wait(60)
        return [(0, 0, 0, "", (known.get(host, "127.0.0.1"), 0))]

    monkeypatch.setattr("socket.getaddrinfo", look_up)
    asked = [asyncio.create_task(post(f"https://{number}.example.org/", {}, b"")) for number in range(40)]
    try:
        async with asyncio.timeout(30):
            await asyncio.sleep(0)
            assert await asyncio.to_thread(int) == 0, "threads are left for others"
            with pytest.raises(NotPublicError):  # its name was looked up
                await post("https://fcm.googleapis.com/fcm/send/x", {}, b"")
    finally:
        answer.set()
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def test_services_that_are_made_up_take_no_turn_of_those_that_people_have(
    told: Told, monkeypatch: pytest.MonkeyPatch
):
    made_up = asyncio.Event()

    async def silent(address: str, *more: Any) -> PushAnswer:  # noqa: ANN401
        if "made-up" in address:
            await made_up.wait()
            return PushAnswer(201, 0)
        return await post(address, *more)

    monkeypatch.setattr("kasta.features.notices.sender.post", silent)
    for number in range(60):
        wish = await told.wish(f"x{number}")
        await told.store.put(
            Subscription(**{**_fields(wish), "endpoint": f"https://made-up-{number}.example.org/"})
        )
        told.sender.send(told.notice(f"x{number}"))
    await told.wish("d1")
    told.sender.send(told.notice("d1"))
    async with asyncio.timeout(30):
        while not told.service.heard:
            await asyncio.sleep(0.01)
    made_up.set()
    await told.sender.settled()


async def test_a_device_is_told_of_so_much_and_then_once_a_minute(told: Told):
    await told.wish("d1")
    await told.wish("d2")
    for number in range(50):
        told.sender.send(told.notice("d1", str(number), topic=f"t{number}"))
    told.sender.send(told.notice("d2"))
    await told.sender.settled()
    assert Counter(each.path for each in told.service.heard) == {"/d1": 20, "/d2": 1}


async def test_what_is_kept_can_be_had_deleted_and_backed_up(told: Told, app_log: Log):
    wish = await told.wish("d1")
    await told.wish("old", at=NOON - 100 * 86_400)
    fetch = app_log.db.fetch
    ((name, text),) = [each async for each in OF_NOTICES.files(fetch, "d1")]
    assert name == "notices.json"
    assert json.loads(text)["endpoint"] == wish.endpoint
    lines = [line.encode() async for line in backup(app_log, lambda _: None)]
    await delete_idle(app_log.db, PERSONAL, NOON - 86_400)
    assert (await told.store.of(["d1", "old"])).keys() == {"d1"}
    await move_all(app_log.db, PERSONAL, "d1", "d9")
    assert await told.store.of(["d1", "d9"]) == {}, "the other browser has not asked for any"
    await restore(app_log, lines)
    assert (await told.store.of(["d1"])) == {"d1": wish}
    await told.store.tell("d1", "topic", "1")
    await delete_all(app_log.db, PERSONAL, "d1")
    assert await told.store.of(["d1"]) == {}
    assert await told.store.told(["d1"], "topic") == set()


async def test_two_nodes_tell_once(logs: tuple[Log, Log]):
    async with push_service() as service:
        nodes = list[Told]()
        for log in logs:
            nodes.append(Told(new_site(log), service))
        one, other = nodes
        await one.wish("d1", hour=12, due=NOON)
        other.browsers = one.browsers
        for node in nodes:
            node.sender.send(node.notice("d1", "once"))
        await asyncio.gather(*(node.watch.look_at_clock() for node in nodes))
        for node in nodes:
            await node.sender.settled()
        assert len(service.heard) == 2, "the notice, and that of the day"
        for node in nodes:
            await node.watch.close()
            await node.site.close()
