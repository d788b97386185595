"""The samples for nginx and Caddy, tried with the real programs: what a player and an operator rely on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from deploy.behind import PROXIES, Proxy, behind, missing
from support.visitors import Phone, Visitor

WRONG = "BBBBBB"  # no room has this code


def need(kind: str) -> None:
    if reason := missing(kind):
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}: make proxies")
        pytest.skip(f"{reason}: make proxies, as root, to try the samples")


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    need(request.param)
    with behind(request.param, tmp_path_factory.mktemp(request.param)) as proxy:
        yield proxy


@pytest.fixture
def phone(proxy: Proxy) -> Iterator[Callable[[], Phone]]:
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(Phone(proxy)))


def test_a_whole_game_is_played_through_the_proxy(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    for turn in range(25):
        anna.roll(table, turn)
        cell = anna.state(table)["seats"][0]["legal"][0]
        answer = anna.post(f"/t/{table}/play", turn=turn + 1, seat=0, step=0, do=cell)
        assert answer.status_code == 303, answer.text
    assert anna.state(table)["next"] == "over"


def test_events_arrive_while_the_stream_is_open(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    with anna.http.stream("GET", f"/t/{table}/stream") as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("event:")) == "event: news"
        anna.roll(table)
        assert any('"turn": 1' in line for line in lines)


def test_many_streams_pass_at_once(proxy: Proxy, phone: Callable[[], Phone]):
    anna = phone()
    table, before = anna.open("Anna"), proxy.server.streams()
    with ExitStack() as stack:
        streams = [stack.enter_context(anna.http.stream("GET", f"/t/{table}/stream")) for _ in range(12)]
        lines = [stream.iter_lines() for stream in streams]
        assert [next(each) for each in lines] == [": welcome"] * 12
        assert proxy.server.streams() == before + 12


def test_cookies_are_for_https_alone_and_links_begin_with_it(proxy: Proxy, phone: Callable[[], Phone]):
    anna = phone()
    assert anna.cookie[0].startswith("__Host-")
    answer = httpx.get(proxy.url, verify=proxy.trust)
    assert "; Secure" in answer.headers["set-cookie"]
    assert "max-age=" in answer.headers["strict-transport-security"]
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert proxy.url in anna.get(f"/t/{anna.open('Anna', room=1)}").text


def test_plain_http_is_sent_on_to_https(proxy: Proxy):
    answer = httpx.get(f"http://localhost:{proxy.plain}/rules/yatzy")
    assert answer.status_code in {301, 308}
    assert answer.headers["location"].startswith("https://localhost")
    assert answer.headers["location"].endswith("/rules/yatzy")


def test_limits_count_visitors_by_their_own_addresses_whatever_they_claim(phone: Callable[[], Phone]):
    eve, tim = phone(), phone()
    answers = [
        eve.http.post("/join", data={"code": WRONG}, headers={"x-forwarded-for": f"192.0.2.{number}"}).status_code
        for number in range(21)
    ]
    assert answers == [400] * 20 + [429]
    assert tim.post("/join", code=WRONG).status_code == 400, "others come through the same proxy"


def test_who_goes_around_the_proxy_is_counted_by_the_address_it_comes_from(proxy: Proxy):
    with closing(Visitor(proxy.server, {"origin": proxy.server.url})) as eve:
        answers = [
            eve.http.post(
                "/join", data={"code": WRONG}, headers={"x-forwarded-for": f"192.0.2.{number}"}
            ).status_code
            for number in range(21)
        ]
    assert answers == [400] * 20 + [429]


def test_what_is_for_the_operator_does_not_pass_however_it_is_spelled(proxy: Proxy, phone: Callable[[], Phone]):
    anna = phone()
    for path in ("/health", "/ready", "/metrics"):
        for spelled in (
            path,
            f"{path}/",
            f"{path}//",
            f"{path}%2f",
            f"/{path}",
            f"/.{path}",
            f"/%2e{path}",
            f"{path}/?x",
        ):
            assert anna.get(f"{proxy.url}{spelled}").status_code in {400, 404}, spelled


def test_neither_program_tells_its_version_nor_writes_down_links(proxy: Proxy, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    answer = anna.get(f"/t/{table}")
    assert answer.headers.get("server", "nginx") == "nginx"
    for file in proxy.folder.rglob("*"):
        if file.is_file() and "kasta.db" not in file.name:
            assert table.encode() not in file.read_bytes(), file


def test_a_body_that_is_too_large_is_refused(phone: Callable[[], Phone]):
    assert phone().post("/new/knister", name="x" * 40_000).status_code == 413


@pytest.mark.parametrize("kind", PROXIES)
def test_a_unix_socket_does_as_well_as_a_port(kind: str, tmp_path: Path):
    need(kind)
    with (
        behind(kind, tmp_path, by_socket=True) as proxy,
        closing(Phone(proxy)) as anna,
        closing(Phone(proxy)) as eve,
    ):
        table = anna.open("Anna")
        with anna.http.stream("GET", f"/t/{table}/stream") as stream:
            assert next(stream.iter_lines()) == ": welcome"
        answers = [eve.post("/join", code=WRONG).status_code for _ in range(21)]
        assert answers == [400] * 20 + [429]
        assert anna.post("/join", code=WRONG).status_code == 400, "each is known by an address of their own"
