"""Who is who: cookies, tokens, seat links and claims cannot be forged, replayed or guessed."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from kasta.core import Seat
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.errors import Illegal
from kasta.live.joining import Joining
from kasta.tables.service import Service
from support.ahead import let_pass
from support.visitors import Phone, Program, Server


def forgeries(token: str, other: str) -> dict[str, str]:
    device, _, signature = token.partition(".")
    return {
        "no signature": device,
        "an empty one": f"{device}.",
        "another's": f"{device}.{other.partition('.')[2]}",
        "of another key": Signer(bytes(32)).token(device),
        "one letter off": f"{device}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}",
        "cut short": token[:-1],
        "more after it": f"{token}A",
        "in other case": token.swapcase(),
        "no device": f".{signature}",
        "of the service": f".{Signer(bytes(32)).token('').partition('.')[2]}",
    }


def test_no_forged_cookie_is_somebody(server: Server, phone: Callable[[], Phone]):
    anna, eve = phone(), phone()
    table = anna.open("Anna")
    name, token = anna.cookie
    for what, forged in forgeries(token, eve.token).items():
        with httpx.Client(base_url=server.url, cookies={name: forged}, headers={"origin": server.url}) as client:
            answer = client.post(f"/t/{table}/end")
            assert answer.status_code == 422, what
            assert answer.headers["set-cookie"].startswith(f"{name}="), f"{what}: a stranger becomes somebody new"
    assert anna.state(table)["secret"] is None


def test_no_forged_token_is_somebody(phone: Callable[[], Phone], program: Callable[[], Program]):
    anna, eve = phone(), phone()
    table = anna.open("Anna")
    for what, forged in forgeries(anna.token, eve.token).items():
        client = program()
        client.hold(forged)
        assert client.post(f"/tables/{table}/close").status_code == 401, what
        assert client.get(f"/api/tables/{table}").status_code == 401, what
        assert client.get(f"/t/{table}").status_code == 401, what
        assert client.post("/tables", {"game": "knister"}).status_code == 401, what


def test_a_bad_token_beside_a_good_cookie_is_still_bad(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    answer = anna.http.post(f"/t/{table}/end", headers={"authorization": "Bearer x", "origin": "http://evil.test"})
    assert answer.status_code == 401


@pytest.mark.parametrize("scheme", ["Basic eDp5", "Digest x", "bearer", "", "Bearerx y"])
def test_another_kind_of_authorization_opens_no_way_around_the_origin(scheme: str, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    headers = {"authorization": scheme, "origin": "http://evil.test"}
    assert anna.http.post(f"/t/{table}/end", headers=headers).status_code in {401, 403}
    assert anna.state(table)["secret"] is None


def test_a_page_behind_a_proxy_with_a_password_still_knows_its_device(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    assert anna.http.post(f"/t/{table}/end", headers={"authorization": "Basic eDp5"}).status_code == 303


def test_the_cookie_of_a_device_that_was_signed_out_holds_no_seat(phone: Callable[[], Phone]):
    """Replaying the old cookie after the seat has moved does nothing."""
    old, new = phone(), phone()
    table = phone().open()
    old.sit(table, "Anna")
    assert new.post(f"/t/{table}/move", secret=old.seat_link(table)).status_code == 303
    assert old.post(f"/t/{table}/rename", seat=0, name="Old").status_code == 422
    assert new.post(f"/t/{table}/rename", seat=0, name="New").status_code == 303


def test_a_seat_link_works_once_even_if_the_seat_comes_back(phone: Callable[[], Phone]):
    old, new, thief = phone(), phone(), phone()
    table = phone().open()
    old.sit(table, "Anna")
    link = old.seat_link(table)
    assert new.post(f"/t/{table}/move", secret=link).status_code == 303
    assert thief.post(f"/t/{table}/move", secret=link).status_code == 422
    assert old.post(f"/t/{table}/move", secret=new.seat_link(table)).status_code == 303
    assert thief.post(f"/t/{table}/move", secret=link).status_code == 422


def test_of_many_who_use_a_seat_link_at_once_one_gets_the_seat(phone: Callable[[], Phone]):
    """Also at the host's own seat, whose device may move everything."""
    host = phone()
    table = host.open("Anna")
    link, phones = host.seat_link(table), [phone() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: one.post(f"/t/{table}/move", secret=link).status_code, phones))
    assert sorted(answers) == [303] + [422] * 7


def test_a_seat_link_is_for_its_table_and_seat_alone(phone: Callable[[], Phone]):
    anna, thief = phone(), phone()
    table, other = anna.open("Anna", "Tim"), anna.open("Anna", "Tim")
    link = anna.seat_link(table, 0)
    _, expires, signature = link.split(".")
    tried = [f"1.{expires}.{signature}", f"0.{int(expires) + 1}.{signature}", f"0.{expires}.", "0", "", "x.y.z"]
    tried += [f"00.{expires}.{signature}", f"0.{expires}.{signature}.", f"²{link[1:]}", f"-0{link[1:]}"]
    for secret in tried:
        assert thief.post(f"/t/{table}/move", secret=secret).status_code == 422, secret
    assert thief.post(f"/t/{other}/move", secret=link).status_code == 422
    assert thief.get(f"/t/{table}/seat").status_code == 200, "opening it only shows a button"
    assert not thief.state(table)["seats"][0]["mine"]


def test_a_seat_link_expires_after_ten_minutes(monkeypatch: pytest.MonkeyPatch):
    signer = Signer(bytes(32))
    link, now = signer.seat_link("t1", 0, "anna"), time.time()
    monkeypatch.setattr(time, "time", lambda: now + 599)
    assert signer.check_seat_link(link, "t1", 0, "anna")
    monkeypatch.setattr(time, "time", lambda: now + 601)
    assert not signer.check_seat_link(link, "t1", 0, "anna")


def digits_of(who: Phone, table: str) -> str:
    found = re.search(r"your number is (\d\d)", who.get(f"/t/{table}").text)
    assert found
    return found[1]


def test_only_the_host_or_the_seats_own_device_accepts_a_claim(phone: Callable[[], Phone]):
    host, tim, lost = phone(), phone(), phone()
    table = host.open("Host")
    tim.sit(table, "Tim")
    host.sit(table, "Anna")
    host.roll(table)
    assert lost.post(f"/t/{table}/claim", seat=2).status_code == 303
    for guess in range(10, 100):
        for who in (tim, lost):
            assert who.post(f"/t/{table}/accept", seat=2, digits=guess).status_code == 422
    digits = digits_of(lost, table)
    assert digits in host.get(f"/t/{table}").text
    assert host.post(f"/t/{table}/accept", seat=2, digits="x").status_code == 422
    assert host.post(f"/t/{table}/accept", seat=2, digits=digits).status_code == 303
    assert lost.state(table)["seats"][0]["mine"]


def test_asking_again_gives_the_same_digits(phone: Callable[[], Phone]):
    host, lost, other = phone(), phone(), phone()
    table = host.open("Host", "Anna")
    host.roll(table)
    seen = set()
    for _ in range(5):
        assert lost.post(f"/t/{table}/claim", seat=1).status_code == 303
        seen.add(digits_of(lost, table))
    assert len(seen) == 1
    assert other.post(f"/t/{table}/claim", seat=1).status_code == 303
    assert digits_of(other, table) not in seen


def test_a_strangers_claim_does_not_keep_the_owner_from_coming_back(phone: Callable[[], Phone]):
    host, stranger, lost = phone(), phone(), phone()
    table = host.open("Host", "Anna")
    host.roll(table)
    for who in (stranger, lost):
        assert who.post(f"/t/{table}/claim", seat=1).status_code == 303
    shown = host.get(f"/t/{table}").text
    assert digits_of(stranger, table) in shown
    assert host.post(f"/t/{table}/accept", seat=1, digits=digits_of(lost, table)).status_code == 303
    assert [seat["mine"] for seat in lost.state(table)["seats"] if seat["seat"] == 1] == [True]
    assert "number is" not in stranger.get(f"/t/{table}").text, "the seat has been given"


@pytest.fixture
async def joining() -> AsyncIterator[Joining]:
    async with MemoryLog() as log:
        yield Joining(log, Service(log), Signer(bytes(32)), Config())


async def test_only_so_many_codes_are_kept_in_memory_and_the_store_knows_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.live.joining.MOST_CODES", 3)
    async with MemoryLog() as log:
        service = Service(log)
        joining = Joining(log, service, Signer(bytes(32)), Config())
        tables = [(await service.open("host", "knister")).id for _ in range(9)]
        codes = [await joining.give_code(table) for table in tables]
        assert [await joining.code_of(table) for table in tables] == codes
        assert len(joining.codes) == 3
        await service.close()


async def test_no_two_who_claim_a_seat_see_the_same_digits(joining: Joining):
    for number in range(90):
        await joining.claim("t1", 0, f"device {number}", f"address {number}")
    assert len({claim.digits for claim in joining.claims("t1")}) == 90
    with pytest.raises(Illegal):
        await joining.claim("t1", 0, "device 90", "address 90")
    await joining.claim("t1", 1, "device 90", "address 90")


async def test_an_address_claims_a_seat_only_so_often_and_keeps_no_other_from_it(joining: Joining):
    for number in range(20):
        await joining.claim("t1", 0, f"stranger {number}", "here")
    with pytest.raises(Illegal) as refused:
        await joining.claim("t1", 0, "stranger", "here")
    assert refused.value.code == "too_many_claims"
    await joining.claim("t1", 1, "tim", "here")
    await joining.claim("t2", 0, "tim", "here")
    await joining.claim("t1", 0, "anna", "there")


async def test_a_device_claims_one_seat_at_a_time(joining: Joining):
    for seat in (0, 1, 2):
        await joining.claim("t1", Seat(seat), "anna", "here")
    assert [claim.seat for claim in joining.claims("t1")] == [2]


async def test_a_claim_ends_after_ten_minutes(joining: Joining, monkeypatch: pytest.MonkeyPatch):
    await joining.claim("t1", 0, "thief", "here")
    let_pass(monkeypatch, 601)
    assert joining.claims("t1") == []


def test_the_key_that_signs_is_kept_where_others_cannot_read_it(server: Server):
    assert Path(server.database).stat().st_mode & 0o077 == 0
