"""What would you do? The coach's answer as pages and programs get it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx

Visits = Callable[..., Any]
PARTS = {"accept": "application/vnd.kasta.parts+json"}


async def opened(visit: Visits, coach: str = "live", game: str = "yatzy") -> tuple[httpx.AsyncClient, str]:
    """A table of one player, with the first throw fallen."""
    anna = await visit()
    answer = await anna.post(f"/new/{game}", data={"name": "Anna", "coach": coach, "dice": "own"})
    table = answer.headers["location"].rsplit("/", 1)[-1]
    await anna.post(f"/t/{table}/roll", data={"turn": "0", "faces": "6 6 6 2 1"})
    return anna, table


async def test_the_best_three_are_told_in_words_and_the_record_says_so(visit: Visits):
    anna, table = await opened(visit)
    page = (await anna.get(f"/t/{table}")).text
    assert 'id="hint"' in page
    record = f"/t/{table}/record"
    assert "coached" not in (await anna.get(record)).text
    answer = await anna.post(f"/t/{table}/hint", data={"seat": "0"}, headers={"accept-language": "de"})
    assert answer.status_code == 200
    assert answer.text.count("<li>") == 3
    assert re.search(r'aria-label="6 6 6">.*</span> behalten', answer.text)
    assert "<html" in answer.text
    assert '"coached": [0]' in (await anna.get(record)).text
    part = await anna.post(f"/t/{table}/hint", data={"seat": "0"}, headers=PARTS)
    assert "<html" not in part.text
    assert re.search(r'<strong>I would do this: Keep <span[^>]*aria-label="6 6 6">', part.text)
    assert 'data-places="k-1 k-2 k-3"' in part.text
    assert 'data-say="I would do this: Keep 6 6 6. With 6 6 6, the chance of' in part.text
    await programs_get_the_same(anna, table)


async def programs_get_the_same(anna: httpx.AsyncClient, table: str) -> None:
    told = (await anna.post(f"/api/tables/{table}/hint", json={"seat": 0})).json()
    assert told["actions"][0]["do"] == "keep 6 6 6"
    assert told["actions"][0]["value"] > told["actions"][1]["value"]
    assert "chance" in told["actions"][1]["reason"]


async def test_nobody_gets_a_hint_for_anothers_seat(visit: Visits):
    (_, table), tim = await opened(visit), await visit()
    for answer in (
        await tim.post(f"/api/tables/{table}/hint", json={"seat": 0}),
        await tim.post(f"/t/{table}/hint", data={"seat": "0"}),
    ):
        assert answer.status_code == 422
    assert (await tim.post(f"/t/{table}/hint", data={"seat": "x"})).status_code == 404


async def test_a_silent_coach_has_no_button_and_no_answer(visit: Visits):
    anna, table = await opened(visit, coach="after")
    assert 'id="hint"' not in (await anna.get(f"/t/{table}")).text
    answer = await anna.post(f"/api/tables/{table}/hint", json={"seat": 0})
    assert answer.json()["error"]["code"] == "no_hints"
    await anna.post(f"/t/{table}/settings", data={"coach": "live"})
    assert 'id="hint"' in (await anna.get(f"/t/{table}")).text


async def test_who_plays_alone_by_one_tap_has_a_live_coach_and_rooms_have_one_afterwards(visit: Visits):
    anna = await visit()
    alone = await anna.post("/new/knister", data={"alone": "1"})
    state = (await anna.get(f"/api/tables/{alone.headers['location'].rsplit('/', 1)[-1]}")).json()
    assert state["settings"]["coach"] == "live"
    room = await anna.post("/new/knister", data={"name": "Anna", "room": "1"})
    state = (await anna.get(f"/api/tables/{room.headers['location'].rsplit('/', 1)[-1]}")).json()
    assert state["settings"]["coach"] == "after"
