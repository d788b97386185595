"""Challenges that are put to a circle, and who is told of answers and invitations."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable

import pytest

from features.challenge.test_pages import challenge
from features.circle.people import circles_of, founded, visitor
from features.circle.test_pages import come_in, link_of, start
from features.day.playing import play
from features.day.test_results import settle
from features.notices.push_service import push_service
from features.notices.test_notices import Told
from kasta.dice import new_secret
from kasta.errors import Illegal
from kasta.features.challenge.groups import Answers
from kasta.tables.log import Log
from support.sites import challenges_of, served_site
from support.visitors import Phone

Phones = Callable[[], Phone]


def listed(phone: Phone, circle: str) -> list[str]:
    return re.findall(r'href="/challenge/([\w-]{22})"', phone.get(circle).text)


def test_a_circle_is_challenged_with_one_tap_and_lists_what_is_open(phone: Phones):
    eva, tim, mallory = phone(), phone(), phone()
    circle = start(eva)
    come_in(tim, link_of(eva, circle), "Tim")
    group = circle.removeprefix("/circle/")
    private = challenge(eva)
    assert listed(tim, circle) == [], "what is not put to a circle is not told there"
    one = challenge(eva, "knister", group=group, name="Eva")
    assert listed(tim, circle) == [one]
    assert listed(eva, circle) == [one]
    assert "Eva" in tim.get(f"/challenge/{one}").text
    assert f"/challenge/{private}/group" in eva.get(f"/challenge/{private}").text
    assert f"/challenge/{one}/group" not in eva.get(f"/challenge/{one}").text, "it is there"
    assert tim.post(f"/challenge/{private}/group", group=group).status_code == 422, "it is Eva's"
    assert eva.post(f"/challenge/{private}/group", group=group).headers["location"] == f"/challenge/{private}"
    assert listed(tim, circle) == [one, private]
    hers = challenge(mallory, name="Mallory")
    assert mallory.post(f"/challenge/{hers}/group", group=group).status_code == 422
    assert (
        mallory.post("/challenge", game="knister", name="M", games="1", days="3", group=group).status_code == 422
    )
    assert listed(tim, circle) == [one, private]
    eva.post(f"{circle}/leave", forget="1")
    assert listed(tim, circle) == [], "nothing of whoever left stands there"


@pytest.fixture
async def told(app_log: Log) -> AsyncIterator[Told]:
    async with served_site(app_log) as site, push_service() as service:
        told = Told(site, service)
        yield told
        await told.watch.close()


async def heard(told: Told) -> list[dict[str, str]]:
    """What browsers were sent since it was asked last."""
    await told.sender.settled()
    found = [json.loads(told.browsers[each.path[1:]].decrypt(each.body)) for each in told.service.heard]
    told.service.heard.clear()
    return found


async def test_whoever_made_a_challenge_is_told_once_until_they_look(told: Told):
    site = told.site
    challenges = challenges_of(site)
    one = await challenges.make("anna", "Anna", "knister", None, 1, 3)
    await told.wish("anna", "answered")
    await told.wish("tim", "answered")
    answers = Answers(challenges, site.notices)

    async def answer(*who: str) -> None:
        for each in who:
            await play(site.service, await challenges.play(one, 1, each, each.title()))
        await settle(site)

    await answer("anna")
    assert await heard(told) == []
    await answer("tim", "mia")
    (notice,) = await heard(told)
    assert (notice["title"], notice["text"]) == ("Your challenge was answered", "Knister")
    assert notice["address"] == f"/challenge/{one.id}"
    answers.seen(one, "tim")
    assert await heard(told) == []
    answers.seen(one, "anna")
    (gone,) = await heard(told)
    assert (gone["withdraw"], gone["tag"]) == ("1", notice["tag"])
    await answer("eva")
    assert len(await heard(told)) == 1
    await told.wish("anna", "turn")
    answers.seen(one, "anna")
    await heard(told)
    await answer("leo")
    assert await heard(told) == [], "each kind is a wish of its own"


async def test_a_circle_invites_its_members_and_nobody_who_left(told: Told):
    site, groups = told.site, told.site.groups
    circles = circles_of(site)
    circle = await founded(circles, "eva", "tim", "mia")
    await circles.add_device(circle, await circles.device_link(circle, "eva"), "laptop")
    await circles.leave(circle, "mia")
    for device in ("eva", "laptop", "tim", "mia", "stranger"):
        await told.wish(device, "group")
    await circles.open(circle, visitor("eva"), "knister", None)
    (notice,) = await heard(told)
    assert (notice["title"], notice["text"]) == ("A table waits in your circle", "Knister")
    assert notice["address"] == f"/circle/{circle}"
    assert "Eva" not in json.dumps(notice)
    await groups.seen(circle, "eva")
    assert await heard(told) == []
    await groups.seen(circle, "tim")
    assert [each["tag"] for each in await heard(told) if "withdraw" in each] == [notice["tag"]]
    (group,) = await groups.of("tim")
    await groups.invite(group, "tim", new_secret().hex(), lambda _: "A title", lambda _: "A text")
    assert len(await heard(told)) == 2, "both devices of Eva"
    await groups.seen(circle, "laptop")
    assert len(await heard(told)) == 2, "seen on one, gone on both"


@pytest.mark.parametrize("store_url", ["memory", "postgres"], indirect=True)
async def test_every_store_keeps_what_is_put_to_a_circle(log: Log):
    async with served_site(log) as site:
        circles, groups, book = circles_of(site), site.groups, challenges_of(site).book
        circle, other = await founded(circles, "eva", "tim"), await founded(circles, "eva")
        one = await challenges_of(site).make("eva", "Eva", "knister", None, 1, 3)
        assert not await groups.has(one.series(1))
        assert await groups.put(circle, "eva", one.series(1))
        assert not await groups.put(other, "eva", one.series(1)), "it is compared in one circle"
        assert await groups.has(one.series(1))
        assert await groups.matters(circle, "challenge/") == [one.series(1)]
        assert await groups.matters(circle, "quiz/") == await groups.matters(other, "challenge/") == []
        assert await circles.tables(circle, "tim") == [], "it is no table"
        assert set((await groups.people(circle)).keys()) == {"eva", "tim"}
        assert [each.id for each in await book.open_ones([one.id], ["eva"], 5)] == [one.id]
        assert await book.open_ones([one.id], ["tim"], 5) == []
        with pytest.raises(Illegal):
            await groups.put(circle, "mallory", "challenge/x")
