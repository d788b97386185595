"""Secrets before the end: searched for in every answer, every stream and all that the server prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import Unavailable
from support.spying import in_all_ways, listen, look_around
from support.visitors import Phone, Program, Server

Play = tuple[str, Phone, Phone, Phone, Program]


@pytest.fixture
def play(phone: Callable[[], Phone], program: Callable[[], Program]) -> Play:
    """A game in which everything happens that tells of devices: seats, a claim, a move, a new host, errors."""
    host, tim, lost, client = phone(), phone(), phone(), program()
    table = host.open("Anna", room=1)
    tim.sit(table, "Tim")
    host.sit(table, "Lena")
    client.sit(table, "Robot")
    host.roll(table)
    tim.post(f"/t/{table}/play", turn=1, seat=1, step=0, do="c3")
    tim.post(f"/t/{table}/play", turn=1, seat=1, step=0, do="c3")
    tim.post(f"/t/{table}/take-back", turn=1, seat=1, step=1)
    lost.post(f"/t/{table}/claim", seat=2)
    digits = host.get(f"/t/{table}").text.partition('name="digits" value="')[2][:2]
    assert host.post(f"/t/{table}/accept", seat=2, digits=digits).status_code == 303
    assert host.post(f"/t/{table}/host", seat=1).status_code == 303
    return table, host, tim, lost, client


def test_neither_the_dice_nor_the_key_are_told_before_the_end(
    server: Server, play: Play, program: Callable[[], Program]
):
    table, *people = play
    told = "".join(text for who in (*people, program()) for text in look_around(who, table))
    told += (
        "".join(answer.text for who in people for answer in who.heard if hasattr(answer, "_content"))
        + server.printed()
    )
    key = server.stored("SELECT key FROM keys")[0]
    secret = server.stored(f"SELECT secret FROM secrets JOIN tables ON id = table_id WHERE name = '{table}'")[0]  # noqa: S608
    for hidden in (key, secret):
        assert len(hidden) == 32
        assert not [way for way in in_all_ways(hidden) if way in told]
    play[2].post(f"/t/{table}/end")
    after = "".join(look_around(program(), table))
    assert secret.hex() in after, "told at the end"
    assert not [way for way in in_all_ways(key) if way in after], "the key never is"


def test_nobody_hears_of_anothers_device_token_or_seat_link(play: Play, program: Callable[[], Program]):
    table, host, tim, lost, client = play
    token = client.http.headers["authorization"].removeprefix("Bearer ")
    devices = {who: who.device for who in (host, tim, lost)} | {client: token.partition(".")[0]}
    links = {who: who.seat_link(table, seat) for who, seat in ((host, 0), (tim, 1), (lost, 2))}
    stranger = program()
    for viewer in (host, tim, lost, client, stranger):
        told = "".join(look_around(viewer, table))
        for owner, device in devices.items():
            assert owner is viewer or device not in told
        for owner, link in links.items():
            assert owner is viewer or link.rpartition(".")[2] not in told
    assert '"device":""' in listen(stranger, f"/api/tables/{table}/stream", 3)


def test_nothing_that_opens_a_door_is_printed(server: Server, play: Play):
    table, host, tim, lost, client = play
    printed = server.printed().replace("TimeoutError", "")  # of a bot; Tim is somebody
    private = [table, "Anna", "Tim", "Robot", client.http.headers["authorization"][7:]]
    private += [who.token for who in (host, tim, lost)] + [who.device for who in (host, tim, lost)]
    private += server.stored("SELECT code FROM codes")
    assert not [word for word in private if word in printed]


async def test_a_fault_of_ours_is_printed_without_what_people_sent(
    visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fail(*_: Any, **__: Any) -> None:  # noqa: ANN401
        raise ValueError(said)

    client, said = await visit(), "Anna's secret"
    monkeypatch.setattr("kasta.features.rules.pages.rules_page", fail)
    answer = await client.get("/rules/knister", headers={"cookie": "a=secret"})
    assert answer.status_code == 500
    assert "Anna" not in answer.text
    assert "a fault: ValueError" in caplog.text
    assert "rules" in caplog.text
    assert "Anna" not in caplog.text
    assert "a=secret" not in caplog.text


@pytest.mark.parametrize("code", ["store_failed", "damaged"])
async def test_what_ails_the_store_is_told_to_who_hosts_it_and_to_nobody_else(
    code: str, visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def fail(*_: Any, **__: Any) -> None:  # noqa: ANN401
        raise Unavailable(code, reason="postgresql://db.example:5432 refuses")

    client = await visit()
    monkeypatch.setattr(MemoryLog, "read", fail)
    for path in ("/t/somewhere", "/t/somewhere/stream", "/api/tables/somewhere", "/api/tables/somewhere/record"):
        for language in ("en", "de"):
            answer = await client.get(path, headers={"accept-language": language})
            assert answer.status_code == (503 if code == "store_failed" else 500)
            assert "db.example" not in answer.text + str(answer.headers)
    assert caplog.text.count("db.example") == (code == "store_failed"), "once, not for everybody who asks"


def test_entropy_is_told_as_the_proof_needs_it_and_the_secret_is_not(program: Callable[[], Program]):
    """What seats gave may be known: without the secret it says nothing of the dice."""
    anna = program()
    table = anna.open()
    anna.post(f"/tables/{table}/seats", {"name": "Anna", "entropy": "blue cat"})
    header = json.loads(anna.get(f"/api/tables/{table}/record").text.splitlines()[0])
    assert header["dice"]["entropy"] == ["blue cat"]
    assert header["dice"].get("secret") is None
    assert "blue cat" not in anna.get(f"/t/{table}").text


def test_links_and_codes_are_not_to_be_guessed(program: Callable[[], Program]):
    anna = program()
    tables = {anna.open() for _ in range(20)}
    assert {len(table) for table in tables} == {22}, "128 bits"
    codes = {anna.post("/tables", {"game": "knister", "room": True}).json()["code"] for _ in range(20)}
    assert len(codes) == 20
    assert not set("".join(codes)) & set("AEIOU01ILSZ25N")
