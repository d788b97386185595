"""Circles as people use them; nobody outside finds anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from features.circle.people import circles_of, counted, founded, game, member_of
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.features.circle.service import CircleSettings
from support.sites import served_site
from support.visitors import Phone, device_of

Visits = Callable[..., Any]
Phones = Callable[[], Phone]


def start(phone: Phone, name: str = "Eva", circle: str = "Our kitchen table") -> str:
    """A new circle: its address."""
    answer = phone.post("/circles", circle=circle, name=name, mark="3")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def link_of(phone: Phone, circle: str) -> str:
    found = re.search(r'value="[^"]*(/circles/join/[\w-]+)"', phone.get(f"{circle}/link").text)
    assert found
    return found[1]


def come_in(phone: Phone, link: str, name: str) -> httpx.Response:
    return phone.post(link, name=name, mark="1")


def test_a_circle_is_started_joined_by_its_link_and_one_tap_invites_all(phone: Phones):
    eva, tim = phone(), phone()
    circle = start(eva)
    link = link_of(eva, circle)
    assert eva.get(circle).text.count("Invite somebody") == 1
    assert "Our kitchen table" in tim.get(link).text
    assert come_in(tim, link, "eva").status_code == 422, "nobody is mistaken for another"
    assert come_in(tim, link, "Tim").headers["location"] == circle
    table = eva.post(f"{circle}/play", game="yatzy15/sheet").headers["location"]
    for page in (tim.get("/").text, tim.get(circle).text):
        assert "Eva invites you" in page
        assert f'value="{table.removeprefix("/t/")}"' in page
    assert tim.post(f"{circle}/sit", table=table.removeprefix("/t/")).headers["location"] == table
    seats = [seat["name"] for seat in tim.state(table.removeprefix("/t/"))["seats"]]
    assert sorted(seats) == ["Eva", "Tim"]
    assert "invites you" not in tim.get("/").text
    assert f'href="{table}"' in tim.get(circle).text


def test_a_mark_that_nobody_has_is_offered(phone: Phones):
    eva, tim, lena = phone(), phone(), phone()
    link = link_of(eva, start(eva))
    assert 'value="0" checked' in tim.get(link).text
    assert tim.post(link, name="Tim", mark="0").status_code == 303
    assert 'value="1" checked' in lena.get(link).text


def test_nobody_outside_finds_anything(phone: Phones):
    eva, mallory = phone(), phone()
    circle = start(eva)
    member = re.search(rf"{circle}/member/[\w-]+", eva.get(circle).text)
    assert member
    table = eva.post(f"{circle}/play", game="knister/sheet").headers["location"].removeprefix("/t/")
    pages = [circle, member[0], *(f"{circle}/{page}" for page in ("evenings", "people", "link"))]
    for page in pages:
        assert eva.get(page).status_code == 200
        answer, none = mallory.get(page), mallory.get(page.replace(circle, "/circle/AAAAAAAAAAAAAAAAAAAAAA"))
        assert (answer.status_code, none.status_code) == (404, 404)
        assert answer.text.replace(circle, "") == none.text.replace("/circle/AAAAAAAAAAAAAAAAAAAAAA", "")
    posts = ("play", "sit", "me", "name", "new-link", "season", "remove", "leave", "device")
    fields = {"game": "knister/sheet", "table": table, "name": "Eva", "circle": "Mine", "member": member[0]}
    for post in posts:
        assert mallory.post(f"{circle}/{post}", **fields).status_code == 404, post
    assert mallory.get("/circles/join/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404
    for page in ("/", "/circles"):
        assert "Our kitchen table" not in mallory.get(page).text
        assert circle not in mallory.get(page).text
    assert mallory.post(f"/circles/device{circle.removeprefix('/circle')}", secret="1.9.x").status_code == 422  # noqa: S106
    assert len(circle.removeprefix("/circle/")) == 22, "128 bits"


def test_only_the_host_names_it_begins_a_season_and_removes_and_then_the_old_link_is_dead(phone: Phones):
    eva, tim = phone(), phone()
    circle = start(eva)
    link = link_of(eva, circle)
    come_in(tim, link, "Tim")
    member = next(each for each in re.findall(rf"{circle}/member/([\w-]+)", eva.get(circle).text)[1:])
    for post in ("name", "season", "new-link", "remove"):
        assert tim.post(f"{circle}/{post}", circle="Mine", member=member).status_code == 422
    assert eva.post(f"{circle}/name", circle="The other table").status_code == 303
    assert "The other table" in tim.get(circle).text
    assert eva.post(f"{circle}/remove", member=member).status_code == 303
    assert "You have left this circle." in tim.get(circle).text
    assert tim.get(f"{circle}/people").status_code == 404
    assert tim.get(link).status_code == 404
    assert link_of(eva, circle) != link
    assert tim.post(f"{circle}/leave", forget="1").status_code == 303
    assert tim.get(circle).status_code == 404
    assert eva.post(f"{circle}/name", circle=" ").status_code == 400
    assert eva.post(f"{circle}/name", circle="x" * 41).status_code == 400


def test_another_device_of_one_s_own_is_the_same_member(phone: Phones):
    eva, laptop = phone(), phone()
    circle = start(eva)
    secret = re.search(r'value="[^"]*/circles/device/[\w-]+#([^"]+)"', eva.post(f"{circle}/device").text)
    assert secret
    address = f"/circles/device/{circle.removeprefix('/circle/')}"
    assert "/circles/device" in laptop.get(address).text
    assert laptop.post(address, secret=secret[1]).headers["location"] == circle
    assert "Eva <small>(you)</small>" in laptop.get(circle).text
    assert laptop.post(f"{circle}/me", name="Evelyn", mark="5").status_code == 303
    assert 'value="5" checked' in eva.get(f"{circle}/people").text
    assert phone().post(address, secret=secret[1]).status_code == 422, "once"


async def test_the_page_tells_how_it_stands_records_evenings_and_one_against_another(
    visit: Visits, app_log: MemoryLog
):
    client = await visit()
    me = await device_of(client)
    async with served_site(app_log) as site:
        circles = circles_of(site)
        circle = await founded(circles, me, "tim", "mia")
        eva, tim, mia = [await member_of(circles, circle, device) for device in (me, "tim", "mia")]
        await circles.rename_me(circle, me, "Eva", 2)
        evening = 1_777_836_000.0  # 2026-05-03
        for number, totals in enumerate(({eva: 104, tim: 60}, {eva: 50, tim: 70, mia: 70}, {tim: 40, mia: 44})):
            await counted(circles.store, circle, game(number, ended=evening + 1_000 * number, **totals))
        await counted(circles.store, circle, game(9, ended=evening + 90_000, **{eva: 61, tim: 60}))
        page = (await client.get(f"/circle/{circle}")).text
        assert "104, Eva, 3 May" in page
        assert "2 wins in a row: Mia" in page
        line = re.search(r"1\.\s+<span[^>]*>■</span> Eva.*?</tr>", page, re.DOTALL)
        assert line
        assert re.findall(r"<td>(.*?)</td>", line[0]) == ["2", "3", "71.7", "104"]
        assert [*re.findall(r"<h3><time[^>]*>(.*?)</time>", page)] == ["4 May", "3 May"]
        assert re.search(r"3 games\. Won: (Mia 2, Eva 1, Tim 1|Mia 2, Tim 1, Eva 1)", page)
        assert 'href="/t/table 1"' in page
        assert 'href="/t/table 2"' not in page, "who did not play there is not told where it was"
        pairs = (await client.get(f"/circle/{circle}/member/{eva}")).text
        assert re.findall(r"Tim</a></th>\s*(.*?)</tr>", pairs, re.DOTALL)
        cells = re.findall(r"<td>(\d+)</td>", pairs)
        assert cells == ["3", "2", "0", "1", "1", "0", "0", "1"]
        await circles.new_season(circle, me)
        assert "All time" in (await client.get(f"/circle/{circle}?season=2")).text
        older = (await client.get(f"/circle/{circle}/evenings?before={evening + 80_000}")).text
        assert "4 May" not in older
        assert "3 May" in older
        for wrong in ("?season=99", "?season=x", "?game=no&rules=x", "/evenings?before=nan", "/evenings?before=x"):
            assert (await client.get(f"/circle/{circle}{wrong}")).status_code == 200


async def test_the_operator_can_switch_circles_off(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    async with served_site(app_log) as site:
        circle = await founded(circles_of(site), me)
    off = await visit(Config(of_features=(CircleSettings(circles=False),)), cookies=client.cookies)
    assert "/circle" in (await client.get("/")).text
    assert "/circle" not in (await off.get("/")).text
    for address in (f"/circle/{circle}", "/circles", f"/circles/device/{circle}"):
        assert (await client.get(address)).status_code == 200
        assert (await off.get(address)).status_code == 404
    assert (await off.post("/circles", data={"circle": "New", "name": "Eva"})).status_code == 404


@pytest.mark.parametrize("most", [2])
async def test_a_circle_has_no_more_members_than_the_operator_allows(visit: Visits, app_log: MemoryLog, most: int):
    client = await visit(Config(of_features=(CircleSettings(circle_members=most),)))
    await device_of(client)
    async with served_site(app_log) as site:
        circle = await founded(circles_of(site), "eva", "tim")
        secret = (await circles_of(site).of(circle, "eva")).circle.secret
    answer = await client.post(f"/circles/join/{secret}", data={"name": "Mia", "mark": "1"})
    assert answer.status_code == 422
    assert "at most 2 members" in answer.text


def test_a_link_for_another_device_works_once_however_it_is_spelled(phone: Phones):
    eva = phone()
    circle = start(eva)
    secret = re.search(r'value="[^"]*/circles/device/[\w-]+#([^"]+)"', eva.post(f"{circle}/device").text)
    assert secret
    address = f"/circles/device/{circle.removeprefix('/circle/')}"
    assert phone().post(address, secret=secret[1]).status_code == 303
    member, expires, signature = secret[1].split(".")
    for time in (f"0{expires}", f"00{expires}99", f"{expires}0", f"{expires[:-1]}\u0660", "", "9" * 5_000):
        mallory = phone()
        assert mallory.post(address, secret=f"{member}.{time}.{signature}").status_code == 422, time
        assert mallory.get(circle).status_code == 404
