"""Limits by address count wrong codes, opened tables and streams without a seat; a class of 300 gets in."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge import limits
from kasta.edge.admission import Admission
from kasta.edge.config import Config
from kasta.edge.limits import Limits, Rate, RateLimit, Shares, most_connections
from kasta.edge.sse import EventQueue
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.tables.commands import Sit
from kasta.tables.node import STREAMS_A_DEVICE
from kasta.tables.service import Service
from support.visitors import Phone, Program, Server, faultless, own_address

WRONG = "BBBBBB"


def test_all_that_may_be_taken_at_once_can_be_at_any_time_of_the_clock():
    for tenths in range(1_000):
        now = tenths / 10
        assert RateLimit(Rate(1, 1e-3)).take("anna", now) == 0
        assert RateLimit(Rate(3, 0.7)).take("anna", now, 3) == 0
        assert RateLimit(Rate(1, 1e-3)).take("anna", now, 2) == 1_000


def test_nothing_is_given_back_before_its_time():
    limit = RateLimit(Rate(3, 10))
    assert [limit.take("anna", 0.0) for _ in range(4)] == [0, 0, 0, 1]
    assert limit.take("anna", 0.09) == 1
    assert limit.take("anna", 0.1) == 0
    assert limit.take("anna", 0.1) == 1, "what was refused costs nothing"


def test_who_has_not_come_for_long_is_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MOST_IDLE", 10)
    limit = RateLimit(Rate(1, 1))
    for second in range(100):
        limit.take(str(second), float(second))
        assert len(limit) <= 14
    assert limit.take("99", 99.0) == 1, "who came just now is not"


def test_only_who_has_more_than_one_would_have_gives_way():
    shares = Shares[int]()
    for holder, thing in (("anna", 1), ("anna", 2), ("tim", 3)):
        shares.add(holder, thing)
    assert list(shares.of_larger("tim")) == []
    shares.add("anna", 4)
    assert list(shares.of_larger("tim")) == [1, 2, 4]
    assert list(shares.of_larger("anna")) == []
    shares.remove(1)
    assert list(shares.of_larger("tim")) == []


@pytest.mark.parametrize(("files", "connections"), [(1_024, 896), (300, 172), (200, 100)])
def test_some_files_are_kept_back_from_connections(files: int, connections: int):
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    try:
        assert most_connections(Limits()) == connections
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))


def test_guessing_codes_is_slow(phone: Callable[[], Phone], program: Callable[[], Program]):
    eve, host = phone(), program()
    code = host.post("/tables", {"game": "knister", "room": True}).json()["code"]
    answers = [eve.post("/join", code=WRONG).status_code for _ in range(25)]
    assert answers == [400] * 20 + [429] * 5
    assert eve.post("/join", code=code).status_code == 429, "also the right one, or it could be told"
    assert eve.get(f"/api/rooms/{code}").status_code == 429, "the API counts the same"
    assert phone().post("/join", code=code).status_code == 303, "others are not kept out"


async def test_guessing_many_codes_at_once_is_no_quicker(visit: Callable[..., Any]):
    client = await visit(Config(wrong_codes_an_address=20))
    answers = await asyncio.gather(*(client.post("/join", data={"code": WRONG}) for _ in range(200)))
    assert sum(answer.status_code == 400 for answer in answers) == 20
    assert sum(answer.status_code == 429 for answer in answers) == 180


def test_a_code_leads_in_while_the_doors_are_open_and_on_to_the_next_game(phone: Callable[[], Phone]):
    host, guest = phone(), phone()
    table = host.open("Anna", room=1)
    code = host.http.get(f"/t/{table}").text.partition('class="code">')[2][:12].replace("&nbsp;", "")[:6]
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        assert guest.post("/join", code=typed).headers["location"] == f"/t/{table}"
    host.post(f"/t/{table}/lock")
    assert guest.post("/join", code=code).status_code == 400
    host.post(f"/t/{table}/lock", open="on")
    host.roll(table)
    assert guest.post("/join", code=code).headers["location"] == f"/t/{table}", "to watch"
    guest.post(f"/t/{table}/wait", name="Late")
    host.post(f"/t/{table}/end")
    again = host.post(f"/t/{table}/rematch").headers["location"]
    assert guest.post("/join", code=code).headers["location"] == again
    seats = guest.state(again.removeprefix("/t/"))["seats"]
    assert {(seat["name"], seat["mine"]) for seat in seats} == {("Anna", False), ("Late", True)}


def test_the_host_locks_the_door_and_removes_who_just_came(phone: Callable[[], Phone]):
    host, guest = phone(), phone()
    table = host.open("Anna", room=1)
    guest.post(f"/t/{table}/sit", name="Tim")
    assert 'id="desk"' in host.http.get(f"/t/{table}").text
    assert 'id="desk"' not in guest.http.get(f"/t/{table}").text
    host.post(f"/t/{table}/lock")
    page = guest.http.get(f"/t/{table}").text
    assert "You are watching" not in page, "who sits there does not watch"
    assert 'id="sit-name"' not in page
    assert guest.post(f"/t/{table}/remove-recent").status_code == 422
    host.post(f"/t/{table}/remove-recent")
    page = guest.http.get(f"/t/{table}").text
    assert "You are watching" in page
    assert "Tim" not in page


def test_an_address_opens_sixty_tables_in_ten_minutes(phone: Callable[[], Phone]):
    eve = phone()
    answers = [eve.post("/new/knister").status_code for _ in range(58)]
    answers += [eve.http.post("/api/tables", json={"game": "knister"}).status_code for _ in range(4)]
    assert answers == [303] * 58 + [201] * 2 + [429] * 2
    assert phone().post("/new/knister").status_code == 303


async def test_three_hundred_join_from_one_address_at_once(server: Server, phone: Callable[[], Phone]):
    """By code, as a class does: find the room, see it, sit down. A few mistype the code first."""
    host = phone()
    table = host.open(room=1)
    code = server.stored(
        f"SELECT code FROM codes JOIN tables ON tables.id = table_id WHERE name = '{table}'"  # noqa: S608
    )[0]
    address = own_address()

    async def pupil(number: int) -> None:
        fresh = httpx.Limits(max_keepalive_connections=0)  # a kept line may be closed just when it is used again
        transport = httpx.AsyncHTTPTransport(verify=False, local_address=address, limits=fresh)
        async with httpx.AsyncClient(
            transport=transport, base_url=server.url, headers={"origin": server.url}, timeout=30
        ) as client:
            await client.get("/")
            if number % 20 == 0:
                assert (await client.post("/join", data={"code": WRONG})).status_code == 400
            found = await client.post("/join", data={"code": code})
            assert found.status_code == 303, found.text
            await client.get(found.headers["location"])
            sat = await client.post(f"/t/{table}/sit", data={"name": f"Pupil {number}"})
            assert sat.status_code == 303, sat.text

    await asyncio.gather(*(pupil(number) for number in range(300)))
    assert host.state(table)["count"] == 300
    host.roll(table)


def test_a_device_holds_so_many_seats(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    answers = [anna.post(f"/tables/{table}/seats", {"name": f"N {n}"}).status_code for n in range(26)]
    assert answers == [201] * 24 + [429] * 2


def test_a_device_has_so_many_streams_at_a_table(server: Server, phone: Callable[[], Phone]):
    anna = phone()
    table, other = anna.open("Anna"), anna.open("Anna")
    limits = httpx.Limits(max_connections=50)
    with httpx.Client(base_url=server.url, cookies=dict([anna.cookie]), limits=limits) as client:
        streams, lines = [], []
        for number in range(STREAMS_A_DEVICE):
            kind = "t" if number % 2 else "api/tables"
            streams.append(client.send(client.build_request("GET", f"/{kind}/{table}/stream"), stream=True))
            lines.append(streams[-1].iter_lines())
            while not next(lines[-1]).startswith(("id:", "event:")):
                pass
        assert client.get(f"/t/{table}/stream").status_code == 429
        assert client.get(f"/api/tables/{table}/stream").status_code == 429
        with client.stream("GET", f"/t/{other}/stream") as stream:
            assert stream.status_code == 200
        for stream in streams:
            stream.close()


async def test_streams_are_limited_in_all_and_for_those_at_an_address_who_hold_no_seat():
    async with MemoryLog() as log:
        service = Service(log)
        table = await service.open("host", "knister")
        table = await service.do(table.id, Sit("anna", "Anna", entropy=""))
        admission = Admission(Config(streams=5, guests_an_address=2))

        def from_hall(device: str) -> Visitor:
            return Visitor(device, is_new=False, language="en", address="192.0.2.1", origin="")

        async with AsyncExitStack() as streams:

            async def follow(device: str) -> None:
                admission.check(from_hall(device), table)
                held = admission.counted(from_hall(device), table, EventQueue(), nullcontext())
                await streams.enter_async_context(held)

            await follow("eve")
            await follow("mallory")
            with pytest.raises(Illegal, match="2 people"):
                await follow("trent")
            for device in ("host", "anna", "anna"):
                await follow(device)
            with pytest.raises(Illegal, match="full"):
                await follow("anna")
        admission.check(from_hall("trent"), table)
        await service.close()


def test_when_the_server_is_full_the_address_with_most_streams_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Also if all of them are players, at tables of their own."""
    monkeypatch.setenv("KASTA_STREAMS", "12")
    with faultless(tmp_path) as server, ExitStack() as stack:
        anna, eve = (stack.enter_context(closing(Phone(server))) for _ in range(2))
        theirs, own = (each.open("Somebody") for each in (anna, eve))

        def follow(phone: Phone, table: str) -> httpx.Response:
            asked = phone.http.build_request("GET", f"/t/{table}/stream")
            answer = phone.http.send(asked, stream=True)
            stack.callback(answer.close)
            return answer

        def begin(phone: Phone, table: str) -> Iterator[str]:
            lines = follow(phone, table).iter_lines()
            while not next(lines).startswith("event:"):
                pass
            return lines

        flood, held = [begin(eve, own) for _ in range(12)], []
        assert anna.get(f"/t/{theirs}").status_code == 200
        for number in range(6):
            held.append(begin(anna, theirs))
            for _ in flood[number]:
                pass  # it ends
        assert follow(eve, own).status_code == 503
        assert follow(anna, theirs).status_code == 503, "half of them each"
        assert server.streams() == 12


@pytest.mark.parametrize("path", ["/t/{}/rematch", "/api/tables/{}/rematch"])
async def test_a_rematch_counts_as_a_table_that_is_opened(
    visit: Callable[..., Awaitable[httpx.AsyncClient]], path: str
):
    client = await visit(Config(tables_an_address=2))
    table = (await client.post("/new/knister", data={"name": "Anna"})).headers["location"].removeprefix("/t/")

    async def again(table: str) -> httpx.Response:
        for action in ("roll", "end"):
            assert (await client.post(f"/t/{table}/{action}", data={"turn": 0})).status_code == 303
        return await client.post(path.format(table))

    assert (await client.post(path.format(table))).status_code == 422, "the game is not over: that is not counted"
    first = await again(table)
    assert first.status_code in {200, 303}
    assert (await client.post(path.format(table))).status_code == first.status_code, "it is open already"
    following = first.headers.get("location", "").removeprefix("/t/") or first.json()["table"]
    refused = await again(following)
    assert refused.status_code == 429
    assert 590 <= int(refused.headers["retry-after"]) <= 600


async def test_an_address_takes_so_many_seats_and_sends_so_many_commands_a_day(
    visit: Callable[..., Awaitable[httpx.AsyncClient]],
):
    """However many devices it is. A rematch takes as many seats as it brings along."""
    config = Config(limits=Limits(seats_an_address=Rate(9, 1 / 60), commands_an_address=Rate(15, 1 / 60)))
    anna, tim, there = await visit(config), await visit(config), await visit(config, "127.0.0.2")
    for each in (anna, tim, there):
        await each.get("/")
    table = (await anna.post("/new/knister", data={"name": ["Anna", "Bea"], "bots": 1})).headers["location"]
    assert (await tim.post(f"{table}/sit", data={"name": "Tim"})).status_code == 303
    assert (await anna.post(f"{table}/bot")).status_code == 303
    for action in ("roll", "end"):
        assert (await anna.post(f"{table}/{action}", data={"turn": 0})).status_code == 303
    refused = await anna.post(f"{table}/rematch")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60"), "five more seats, of four"
    assert (await there.post(f"{table}/rematch")).status_code == 422, "of an address that has taken none"
    api = "/api/tables/" + (await anna.post("/new/knister")).headers["location"].removeprefix("/t/")
    sat = [(await anna.post(f"{api}/seats", json={"name": f"N{n}"})).status_code for n in range(6)]
    assert sat == [201] * 4 + [429] * 2
    sent = [(await tim.post(f"{api}/roll", json={"turn": 9})).status_code for _ in range(3)]
    assert sent == [409, 409, 429]
    assert (await tim.get(api)).status_code == 200
    assert (await there.post(f"{api}/seats", json={"name": "There"})).status_code == 201
