"""The page where a device wishes for notices, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from features.notices.push_service import Browser, encoded
from support.visitors import Phone, Server

ENDPOINT = "https://push.example.org/abc"


def subscription(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    browser = Browser()
    keys = {"p256dh": encoded(browser.public), "auth": encoded(browser.auth)}
    return {"endpoint": ENDPOINT, **keys, "zone": "Europe/Oslo", "hour": "7", "kind": ["turn", "today"], **more}


def stored(server: Server, column: str, endpoint: str) -> list[Any]:
    return server.stored(f"SELECT {column} FROM subscriptions WHERE endpoint = '{endpoint}'")  # noqa: S608 - ours


def test_a_wish_is_kept_changed_and_taken_back(server: Server, phone: Callable[[], Phone]):
    anna = phone()
    assert 'id="stop"' not in anna.get("/notices").text
    assert anna.post("/notices", **subscription()).status_code == 303
    assert stored(server, "kinds", ENDPOINT) == ["turn today"]
    assert 0 < stored(server, "due - at", ENDPOINT)[0] <= 86_400
    page = anna.get("/notices").text
    assert 'value="turn" checked' in page
    assert 'value="invited" checked' not in page
    assert '<option value="7" selected' in page
    other = f"{ENDPOINT}/new"
    assert anna.post("/notices/renew", **subscription(endpoint=other)).status_code == 204
    assert stored(server, "kinds", other) == ["turn today"]
    assert stored(server, "kinds", ENDPOINT) == []
    assert anna.post("/notices", **subscription(endpoint=other, kind=["turn"])).status_code == 303
    assert stored(server, "due", other) == [None]
    assert anna.post("/notices", **subscription(endpoint=other, kind=["turn"] * 500)).status_code == 303
    assert stored(server, "kinds", other) == ["turn"], "a backup with more of them would not be taken"
    assert anna.post("/notices/stop").status_code == 303
    assert stored(server, "kinds", other) == []
    anna.post("/notices/renew", **subscription())
    assert stored(server, "kinds", ENDPOINT) == [], "nobody wished for it"


def test_what_is_no_subscription_is_refused(phone: Callable[[], Phone]):
    anna = phone()
    assert anna.post("/notices", **subscription(endpoint="https://127.0.0.1:22/")).status_code == 422
    assert anna.post("/notices", **subscription(endpoint="http://push.example.org/")).status_code == 422
    for wrong in (
        {"p256dh": "AAAA"},
        {"p256dh": "é"},
        {"auth": "AAAA"},
        {"hour": "24"},
        {"zone": "<b>"},
        {"kind": ["gossip"]},
        {"endpoint": "https://push.example.org/" + "x" * 2_000},
    ):
        assert anna.post("/notices", **subscription(**wrong)).status_code == 400, wrong


def test_another_site_cannot_wish_for_somebody(phone: Callable[[], Phone]):
    anna = phone()
    answer = anna.http.post("/notices", data=subscription(), headers={"origin": "https://evil.example"})
    assert answer.status_code == 403


async def test_an_address_has_so_many_browsers_told_a_day(
    visit: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.features.notices.pages.MOST_AN_ADDRESS", 2)
    anna, there = await visit(), await visit(None, "127.0.0.2")
    answers = [(await anna.post("/notices", data=subscription())).status_code for _ in range(4)]
    assert answers == [303] * 4, "the same browser"
    for _ in range(3):
        anna.cookies.clear()
        answers.append((await anna.post("/notices", data=subscription())).status_code)
    assert answers[4:] == [303, 429, 429]
    assert (await there.post("/notices", data=subscription())).status_code == 303
