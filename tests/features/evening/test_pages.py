"""The page of an evening: how it stands, what is next for who plays, and what the host agrees on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.features.evening import pages
from kasta.tables import evening
from kasta.tables.commands import Close, Roll, Sit
from kasta.tables.evening import EveningStanding
from kasta.tables.state import Table
from support.sites import new_site
from support.stores.finishing import finish_game
from support.visitors import device_of

Visits = Callable[..., Any]


async def test_an_evening_is_told_agreed_on_and_goes_on_with_any_game(visit: Visits, app_log: MemoryLog):
    host, guest, stranger = await visit(), await visit(), await visit()
    me, other = await device_of(host), await device_of(guest)
    site = new_site(app_log)
    name = await finish_game(site, me, other, game="knister")
    await site.close()
    address = f"/t/{name}/evening"
    for client, may_agree, may_go_on in ((host, True, True), (guest, False, True), (stranger, False, False)):
        page = (await client.get(address)).text
        assert "1. Knister" in page
        assert (f'action="/t/{name}/agree"' in page, f'action="/t/{name}/rematch"' in page) == (
            may_agree,
            may_go_on,
        )
    assert (await guest.post(f"/t/{name}/agree", data={"best_of": "1"})).status_code == 422
    agreed = await host.post(f"/t/{name}/agree", data={"best_of": "1", "level-0": "strong", "level-1": "weak"})
    assert (agreed.status_code, agreed.headers["location"]) == (303, address)
    page = (await stranger.get(address)).text
    assert "wins the evening!" in page
    assert "<td>+30</td>" in page
    following = await guest.post(f"/t/{name}/rematch", data={"game": "yatzy/plain"})
    page = (await stranger.get(address)).text
    assert f'href="{following.headers["location"]}">2. Yatzy, 13 boxes' in page
    assert (await stranger.get("/t/nowhere/evening")).status_code == 404


async def test_another_game_that_is_not_there_is_refused(visit: Visits, app_log: MemoryLog):
    host = await visit()
    site = new_site(app_log)
    name = await finish_game(site, await device_of(host), game="knister")
    await site.close()
    assert (await host.post(f"/t/{name}/rematch", data={"game": "chess"})).status_code == 400


async def test_of_a_crowd_the_best_and_ones_own_line_are_listed(visit: Visits, app_log: MemoryLog):
    stranger, guest = await visit(), await visit()
    me = await device_of(guest)
    site = new_site(app_log)
    table = (await site.service.open("d0", "knister")).id
    for number in range(60):
        await site.service.do(table, Sit(me if number == 59 else f"d{number}", f"Player{number}x"))
    await site.service.do(table, Roll("d0", 0))
    await site.service.do(table, Close("d0"))
    await site.close()
    shown = [(await client.get(f"/t/{table}/evening")).text for client in (stranger, guest)]
    listed = [set(re.findall(r"Player(\d+)x", page)) for page in shown]
    assert (len(listed[0]), listed[1]) == (10, listed[0] | {"59"})


async def test_a_page_is_counted_up_beside_what_others_do(
    visit: Visits, app_log: MemoryLog, monkeypatch: pytest.MonkeyPatch
):
    """A crowd takes a while: the thread that serves everybody does not wait for it."""
    client, threads, count = await visit(), list[threading.Thread](), evening.standings
    site = new_site(app_log)
    name = await finish_game(site, "anna", game="knister")
    await site.close()

    def standings(games: Sequence[Table]) -> list[EveningStanding]:
        threads.append(threading.current_thread())
        return count(games)

    monkeypatch.setattr(pages, "standings", standings)
    assert (await client.get(f"/t/{name}/evening")).status_code == 200
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()


async def test_pages_of_evenings_are_read_more_slowly_than_others(visit: Visits, app_log: MemoryLog):
    client = await visit()
    site = new_site(app_log)
    name = await finish_game(site, "anna", game="knister")
    await site.close()
    answers = [(await client.get(f"/t/{name}/evening")).status_code for _ in range(60)]
    assert set(answers) == {200, 429}
