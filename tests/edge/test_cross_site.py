"""Cookie posts need the same origin; programs show a token instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kasta.edge.config import Config
from support.visitors import Phone, Server

HERE = "here"
FOREIGN = {
    "another origin": {"origin": "http://evil.test"},
    "another port": {"origin": "http://127.0.0.1:1"},
    "another port, told so": {"origin": "http://127.0.0.1:1", "sec-fetch-site": "same-site"},
    "a name that begins alike": {"origin": f"http://{HERE}.evil.test"},
    "ours as a user name": {"origin": f"http://{HERE}@evil.test"},
    "ours as a path": {"origin": f"http://evil.test/{HERE}"},
    "no origin at all": {},
    "null": {"origin": "null"},
    "empty": {"origin": ""},
    "unreadable": {"origin": "http://["},
    "a referer from elsewhere": {"referer": f"http://evil.test/?{HERE}"},
    "a referer without a site": {"referer": "about:blank"},
    "a good referer and a bad origin": {"origin": "http://evil.test", "referer": f"http://{HERE}/"},
    "cross-site": {"sec-fetch-site": "cross-site"},
    "cross-site with our origin": {"sec-fetch-site": "cross-site", "origin": f"http://{HERE}"},
    "same-site": {"sec-fetch-site": "same-site"},
    "by hand, from elsewhere": {"sec-fetch-site": "none", "origin": "http://evil.test"},
    "by hand, from nowhere": {"sec-fetch-site": "none"},
}
OURS = {
    "our origin": {"origin": f"http://{HERE}"},
    "our referer": {"referer": f"http://{HERE}/t/x?y=z"},
    "same-origin": {"sec-fetch-site": "same-origin"},
    "same-origin behind a proxy that renames us": {
        "sec-fetch-site": "same-origin",
        "origin": "https://public.test",
    },
}


def fill(headers: dict[str, str], server: Server) -> dict[str, str]:
    return {name: value.replace(HERE, f"127.0.0.1:{server.port}") for name, value in headers.items()}


@pytest.mark.parametrize("way", FOREIGN)
def test_a_post_from_elsewhere_does_nothing(way: str, server: Server, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    del anna.http.headers["origin"]
    headers = fill(FOREIGN[way], server)
    for path in (f"/t/{table}/end", "/language", "/join", "/new/knister", f"/t/{table}/nothing"):
        assert anna.http.post(path, headers=headers, data={"alone": "1"}).status_code == 403, path
    for path, body in (("/api/tables", {"game": "knister"}), (f"/api/tables/{table}/close", {})):
        answer = anna.http.post(path, headers=headers, json=body)
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "403"
    assert anna.state(table)["secret"] is None


@pytest.mark.parametrize("way", OURS)
def test_a_post_from_our_own_pages_is_heard(way: str, server: Server, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    del anna.http.headers["origin"]
    assert anna.http.post(f"/t/{table}/end", headers=fill(OURS[way], server)).status_code == 303


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE", "PROPFIND"])
def test_no_other_method_is_let_in_from_elsewhere(method: str, phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    answer = anna.http.request(method, f"/t/{table}/end", headers={"origin": "http://evil.test"})
    assert answer.status_code in {403, 405}
    assert anna.state(table)["secret"] is None


def test_looking_changes_nothing(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    before = anna.state(table)
    for action in ("roll", "end", "move", "sit", "leave", "code", "command"):
        assert anna.get(f"/t/{table}/{action}?turn=0&seat=0&name=x").status_code in {404, 405}
    assert anna.state(table) == before


def test_no_other_site_may_read_or_ask_first(phone: Callable[[], Phone]):
    answer = phone().http.options(
        "/api/tables",
        headers={
            "origin": "http://evil.test",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization",
        },
    )
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_a_program_without_cookies_needs_no_origin(server: Server):
    answer = httpx.post(f"{server.url}/api/tables", json={"game": "knister"})
    assert answer.status_code == 201
    token = answer.json()["token"]
    table = answer.json()["table"]
    closed = httpx.post(f"{server.url}/api/tables/{table}/close", headers={"authorization": f"Bearer {token}"})
    assert closed.json()["secret"]


def test_a_post_without_host_and_origin_is_not_from_here(server: Server):
    answer = server.raw(b"POST /new/knister HTTP/1.0\r\ncontent-length: 7\r\n\r\nalone=1", 1)
    assert b" 400 " in answer.splitlines()[0]


async def test_the_public_address_is_ours_too(visit: Callable[..., Any]):
    client = await visit(Config(url="https://kasta.example"))
    headers = {"origin": "https://kasta.example"}
    assert (await client.post("/new/knister", headers=headers)).status_code == 303
    headers = {"origin": "https://other.example"}
    assert (await client.post("/new/knister", headers=headers)).status_code == 403
