"""Limits by address count only wrong codes and opened tables; a class of 300 gets in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
from visitors import Phone, Program, Server, own_address

from kasta.table.presence import STREAMS_A_DEVICE
from kasta.web.config import Config

WRONG = "BBBBBB"


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


async def test_three_hundred_join_from_one_address_in_thirty_seconds(server: Server, phone: Callable[[], Phone]):
    """By code, as a class does: find the room, see it, sit down. A few mistype the code first."""
    host = phone()
    table = host.open(room=1)
    code = server.stored(
        f"SELECT code FROM codes JOIN tables ON tables.id = table_id WHERE name = '{table}'"  # noqa: S608
    )[0]
    address, begun = own_address(), time.monotonic()

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
    took = time.monotonic() - begun
    assert host.state(table)["count"] == 300
    assert took < 30, took
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
