"""What browsers are told with every answer, and whom the server believes."""

from __future__ import annotations

import re
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest

from kasta.edge.config import Config
from kasta.edge.http import PARTS
from kasta.edge.identity import network
from kasta.edge.middleware import HEADERS
from support.visitors import Phone, Program, Server

PATHS = {
    "/": 200,
    "/new/knister": 200,
    "/rules/yatzy": 200,
    "/health": 200,
    "/manifest.webmanifest": 200,
    "/static/current/page.js": 200,
    "/static/current/icon.svg": 200,
    "/static/current/icon.png": 200,
    "/static/current/nothing.js": 404,
    "/nothing": 404,
    "/t/nothing": 404,
    "/t/nothing/stream": 404,
    "/t/nothing/qr.svg": 404,
    "/join": 405,
    "/api/openapi.json": 200,
    "/api/tables/nothing": 404,
    "/api/nothing": 404,
    "/api/tables/%00": 400,
    f"/?{'x' * 5_000}": 414,
}


def check(answer: httpx.Response) -> None:
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value], name
    assert "server" not in answer.headers
    assert answer.headers.get("cache-control") or "/static/" in str(answer.url)


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_security_headers(path: str, phone: Callable[[], Phone]):
    answer = phone().get(path)
    assert answer.status_code == PATHS[path]
    check(answer)


def test_answers_to_posts_and_streams_carry_them_too(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", room=1)
    answers = [
        anna.post(f"/t/{table}/roll", turn=7),
        anna.post(f"/t/{table}/roll", turn=0),
        anna.post("/join", code="BBBBBB"),
        anna.post("/language", language="sv"),
        anna.http.post("/language", headers={"origin": "http://evil.test"}),
        anna.post("/new/knister", name="x" * 40_000),
        *(anna.get(f"/t/{table}{page}") for page in ("", "/parts", "/proof", "/record", "/qr.svg", "/seat")),
    ]
    for path in (f"/t/{table}/stream", f"/api/tables/{table}/stream"):
        with anna.http.stream("GET", path) as stream:
            answers.append(stream)
    for answer in answers:
        check(answer)
    assert {answer.status_code for answer in answers} == {200, 303, 400, 403, 409, 413}


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere():
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy
    assert "data:" not in policy
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
        assert part in policy


def test_no_page_holds_anything_inline_or_from_elsewhere(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", "Tim")
    anna.roll(table)
    for path in (
        "/",
        "/new/yatzy",
        "/rules/knaster",
        "/nothing",
        f"/t/{table}",
        f"/t/{table}/proof",
        f"/t/{table}/seat",
    ):
        page = anna.get(path).text
        assert not re.search(r"<style|\son\w+=|\sstyle=|javascript:|<iframe|<object", page), path
        assert not re.search(r"<script(?![^>]* src=\"/static/)", page), path
        assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", page), path


def morsel(answer: httpx.Response) -> tuple[str, dict[str, str]]:
    cookie = SimpleCookie(answer.headers["set-cookie"])
    (name,) = cookie
    return name, {key: str(value) for key, value in cookie[name].items() if value}


def test_the_cookie_is_kept_from_scripts_and_other_sites(server: Server):
    name, about = morsel(httpx.get(server.url))
    assert about.keys() == {"path", "httponly", "samesite", "max-age"}
    assert about["samesite"] == "Lax"
    assert re.fullmatch(r"kasta-[0-9a-f]{8}", name), "each instance has its own, since cookies ignore ports"


async def test_with_https_the_cookies_are_secure(visit: Callable[..., Any]):
    config = Config(url="https://kasta.test")
    client = await visit(config, base_url="https://kasta.test", headers={"origin": "https://kasta.test"})
    name, about = morsel(await client.get("/"))
    assert name.startswith("__Host-")
    assert about["secure"] == "True"
    assert about["path"] == "/"
    assert "domain" not in about
    name, about = morsel(await client.post("/language", data={"language": "sv"}))
    assert name == "__Host-kasta-language"
    assert about.keys() == {"path", "secure", "httponly", "samesite", "max-age"}
    assert 'lang="sv"' in (await client.get("/")).text


async def test_an_encoding_is_said_once(visit: Callable[..., Any]):
    client = await visit(Config(metrics_token="0123456789abcdef"))  # noqa: S106 - of this test
    for path in ("/", "/nothing", "/ready", "/metrics", "/api/tables/nothing"):
        for accept in ("*/*", PARTS):
            headers = {"accept": accept, "authorization": "Bearer 0123456789abcdef"}
            assert (await client.get(path, headers=headers)).headers["content-type"].count("charset") <= 1


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/openapi.json", "/static/current/icon.svg", "/%00"])
async def test_with_https_browsers_are_told_to_stay_there_and_without_it_they_are_not(
    path: str, visit: Callable[..., Any]
):
    safe = await visit(Config(url="https://kasta.test"), base_url="https://kasta.test")
    assert (await safe.get(path)).headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in (await (await visit()).get(path)).headers


def test_programs_and_files_get_no_cookie(program: Callable[[], Program]):
    for path in ("/api/openapi.json", "/static/current/page.js", "/api/tables/nothing"):
        assert "set-cookie" not in program().get(path).headers


BACK = [
    "//evil.test",
    "https://evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\tevil",
    "javascript:alert(1)",
    "/\r\nx: y",
]
BACK += [
    "/%0d%0ax:y",
    "http:evil.test",
    "",
    "evil.test",
    "/日本",
    "/²",
    " //evil.test",
    "///evil.test",
    "/@evil.test",
]


@pytest.mark.parametrize("back", BACK)
def test_changing_the_language_leads_nowhere_else(back: str, phone: Callable[[], Phone]):
    answer = phone().post("/language", language="de", back=back)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    assert "x" not in answer.headers


def test_changing_the_language_leads_back(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    for back in ("/", f"/t/{table}", f"/t/{table}?seat=0", f"/t/{table}/proof"):
        assert anna.post("/language", language="de", back=back).headers["location"] == back
    assert 'lang="de"' in anna.get("/").text
    anna.post("/language", language="../../etc", back="/")
    assert 'lang="de"' in anna.get("/").text


@pytest.mark.parametrize("seat", ["²", "1\r\nx: y", "0" * 400, "\u0661"])
def test_what_is_posted_never_becomes_a_header(seat: str, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    answer = anna.post(f"/t/{table}/roll", turn=0, seat=seat)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/t/{table}"


HOSTS = [
    "evil.test",
    "kasta.test.evil.test",
    "evil.test:80",
    "kasta.test@evil.test",
    "x" * 300,
    "a b",
    "<b>",
    "[::2]",
    "",
]


@pytest.mark.parametrize("host", HOSTS)
async def test_with_a_list_of_hosts_others_are_refused(host: str, visit: Callable[..., Any]):
    client = await visit(Config(allow=("kasta.test",)))
    assert (await client.get("/", headers={"host": host})).status_code in {400, 421}
    assert (await client.get("/api/openapi.json", headers={"host": host})).json()["error"]["kind"] == "http"


@pytest.mark.parametrize("host", ["kasta.test", "KASTA.test:8000", "[::1]", "[::1]:8000"])
async def test_the_listed_hosts_are_answered(host: str, visit: Callable[..., Any]):
    client = await visit(Config(allow=("kasta.test",)))
    assert (await client.get("/", headers={"host": host})).status_code == 200


def test_on_this_machine_only_no_other_name_leads_here(server: Server):
    """A page elsewhere could otherwise give its own name this address."""
    for host, status in (("evil.test", 421), (f"localhost:{server.port}", 200), ("127.0.0.1", 200)):
        assert httpx.get(server.url, headers={"host": host}).status_code == status


def test_which_names_are_answered_to():
    local = ("localhost", "127.0.0.1", "[::1]")
    url, allow = "https://Kasta.example", ("wall.example",)
    assert Config().hosts == Config(uds="kasta.sock", lan=True).hosts == Config(host="::1").hosts == local
    assert Config(lan=True).hosts == Config(host="::").hosts == (), "phones use whatever name the network gives"
    assert Config(url=url).hosts == ("kasta.example", *local)
    assert Config(url=url, allow=allow, lan=True).hosts == ("wall.example", "kasta.example", *local)


async def test_a_strange_host_is_neither_shown_nor_drawn(visit: Callable[..., Any]):
    client = await visit()
    table = (await client.post("/new/knister", data={"alone": "1"})).headers["location"]
    for host in ('"><script>', "x" * 4_000, "é", "a/b", "a?b"):
        for path in (table, f"{table}/qr.svg"):
            assert (await client.get(path, headers={b"host": host.encode()})).status_code == 400


async def opened(client: httpx.AsyncClient, **headers: str) -> int:
    return (await client.post("/new/knister", headers={"x-forwarded-for": headers["by"]})).status_code


async def test_forwarded_addresses_are_believed_from_trusted_proxies_only(visit: Callable[..., Any]):
    config = Config(proxy=("10.0.0.1",), tables_an_address=2)
    stranger = await visit(config, address="10.9.9.9")
    assert [await opened(stranger, by=f"1.1.1.{n}") for n in range(3)] == [303, 303, 429]
    proxy = await visit(config, address="10.0.0.1")
    assert [await opened(proxy, by=f"1.1.1.{n}") for n in range(5)] == [303] * 5
    assert [await opened(proxy, by=f"{n}.{n}.{n}.{n}, 2.2.2.2") for n in range(3)] == [303, 303, 429], (
        "the last hop"
    )


async def test_a_chain_of_trusted_proxies_is_followed_to_the_first_who_is_none(visit: Callable[..., Any]):
    proxy = await visit(Config(proxy=("10.0.0.0/8", "fd00::/8"), tables_an_address=2), address="10.1.2.3")
    chains = [f"{n}.{n}.{n}.{n}, 2.2.2.2, fd00::1, 10.0.0.9" for n in range(3)]
    assert [await opened(proxy, by=chain) for chain in chains] == [303, 303, 429]


async def test_forwarded_addresses_are_read_line_after_line_and_what_is_none_ends_them(visit: Callable[..., Any]):
    proxy = await visit(Config(proxy=("10.0.0.0/8",), tables_an_address=2), address="10.1.2.3")

    async def by(*lines: str) -> int:
        headers = [("origin", "http://kasta.test"), *(("x-forwarded-for", line) for line in lines)]
        return int((await proxy.post("/new/knister", headers=headers)).status_code)

    assert [await by(f"{n}.{n}.{n}.{n}, 2.2.2.2", "10.0.0.9") for n in range(3)] == [303, 303, 429]
    assert await by("1.1.1.1, 3.3.3.3", "10.0.0.9") == 303
    assert [await by("4.4.4.4", f"rubbish{n}") for n in range(3)] == [303, 303, 429], "the proxy's own"


async def test_a_proxy_of_version_4_is_known_by_a_socket_for_both(visit: Callable[..., Any]):
    config = Config(proxy=("10.0.0.1",), tables_an_address=2)
    proxy = await visit(config, address="::ffff:10.0.0.1")
    assert [await opened(proxy, by=f"1.1.1.{n}") for n in range(4)] == [303] * 4
    assert "::ffff:10.0.0.1" in Config(proxy=("::ffff:0:0/96",)).proxies


async def test_whoever_may_open_the_unix_socket_is_a_proxy(visit: Callable[..., Any]):
    proxy = await visit(Config(uds="kasta.sock", allow=("kasta.test",), tables_an_address=2), address="")
    assert [await opened(proxy, by=f"9.9.9.9, 1.1.1.{n}") for n in range(4)] == [303] * 4
    assert [await opened(proxy, by="2.2.2.2") for _ in range(3)] == [303, 303, 429]


def test_the_server_itself_believes_no_forwarded_address(phone: Callable[[], Phone]):
    """Our own process must not either: uvicorn would believe whoever is on this machine."""
    anna = phone()
    answers = [
        anna.http.post("/join", data={"code": "BBBBBB"}, headers={"x-forwarded-for": f"1.1.1.{n}"})
        for n in range(25)
    ]
    assert [answer.status_code for answer in answers][-5:] == [429] * 5


def test_limits_count_an_ipv6_household_as_one():
    assert network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9") != network("2001:db8:1:3::1")
    assert network("::ffff:1.2.3.4") == network("1.2.3.4")
    assert network("rubbish" * 100) == ("rubbish" * 100)[:64]


ESCAPES = [
    "../app.py",
    "..%2fapp.py",
    "%2e%2e/app.py",
    "....//app.py",
    "..\\app.py",
    "%00",
    "app.js%00.css",
    "/etc/passwd",
]
ESCAPES += ["%2fetc%2fpasswd", "..%252fapp.py", ".", "..", "", "../templates/base.html", "%c0%ae%c0%ae/app.py"]


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out_of_the_static_files(path: str, server: Server):
    answer = server.raw(f"GET /static/{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
    assert re.match(rb"HTTP/1.1 (400|404|405) ", answer), answer[:200]
    assert b"import" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize("table", [*ESCAPES, "a'--", "a%27%20OR%201=1", "%F0%9F%8E%B2", "a" * 3_000])
def test_no_table_is_found_by_trickery(table: str, server: Server):
    in_api = [f"/api/tables/{table}"] if table else []  # without a name it lists the open tables
    for path in (f"/t/{table}", f"/t/{table}/record", *in_api):
        answer = server.raw(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        assert re.match(rb"HTTP/1.1 (400|404|405) ", answer), (path, answer[:200])


@pytest.mark.parametrize("path", ["/api/tables", "//api//tables", "/api/tables/", "/api/tables%2f"])
def test_slashes_too_many_change_nothing_of_an_answer(path: str, server: Server, program: Callable[[], Program]):
    """Who may send it, and how it is refused, go by the path that the framework reads."""
    eve, asked = program(), f"{server.url}{path}"
    assert eve.http.post(asked, json={"game": "knister"}).status_code == 201
    refused = eve.http.post(asked, json={"game": "knister"}, headers={"x": "x" * 33_000})
    assert (refused.status_code, refused.json()["error"]["code"]) == (431, "431")
