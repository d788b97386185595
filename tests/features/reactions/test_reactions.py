"""Reactions and nudges as pages hear of them: once, at all nodes, bounded, and in a hall only counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from kasta.errors import Illegal
from kasta.feature import Site
from kasta.features.reactions.nudges import Nudges
from kasta.features.reactions.service import A_DEVICE, REACTIONS, Reactions
from kasta.i18n import words
from kasta.live.notices import Notice
from kasta.live.subscriber import Subscriber, new_page
from kasta.live.viewer import Viewer
from kasta.structs import replace
from kasta.tables.commands import Configure, Play, Replace, Roll, Sit
from kasta.tables.log import Log
from kasta.tables.view import MOST_LISTED
from support.sites import served_site

PATIENCE = 60.0  # seconds
HOST = "d0"


@dataclass
class Screen:
    """A page's stream, and all that it was sent."""

    subscriber: Subscriber
    told: list[bytes] = field(default_factory=list)

    async def listen(self) -> None:
        async for sent in self.subscriber.messages():
            self.told.append(sent)

    def signals(self) -> Iterator[dict[str, Any]]:
        for event in b"".join(self.told).decode().split("\n\n"):
            if event.startswith("event: signal\n"):
                yield json.loads(event.partition("data: ")[2])


@asynccontextmanager
async def screen(site: Site, table: str, device: str, language: str = "en") -> AsyncIterator[Screen]:
    page = Screen(Subscriber(new_page(), Viewer(device, words(language), "")))
    listening = asyncio.create_task(page.listen())
    async with site.channels.subscribed(table, page.subscriber, ""):
        yield page
    page.subscriber.close()
    await listening


async def opened(site: Site, seats: int = 2) -> str:
    table = (await site.service.open(HOST, "knister")).id
    for seat in range(seats):
        await site.service.do(table, Sit(f"d{seat}", f"P{seat}", entropy=""))
    return table


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


def reactions_of(site: Site) -> Reactions:
    return cast("Reactions", site.given["reactions"])


def nudges_of(site: Site) -> Nudges:
    return cast("Nudges", site.given["nudges"])


@pytest.fixture
async def site(app_log: Log) -> AsyncIterator[Site]:
    async with served_site(app_log) as site:
        yield site


async def refused(work: Any) -> str:  # noqa: ANN401
    with pytest.raises(Illegal) as error:
        await work
    return error.value.code


async def test_all_who_look_are_told_once_each_in_their_language(site: Site):
    table = await opened(site)
    async with screen(site, table, "d0") as anna, screen(site, table, "guest", "de") as guest:
        await reactions_of(site).react(table, "d1", "laugh")
        await until(lambda: list(anna.signals()) and list(guest.signals()))
        assert list(anna.signals()) == [
            {"kind": "reaction", "given": [{"seat": 1, "reaction": "laugh", "name": "P1"}], "text": "P1: Haha."}
        ]
        await reactions_of(site).react(table, "d0", "luck")
        await until(lambda: len(list(guest.signals())) == 2)
        assert [told["text"] for told in guest.signals()] == ["P1: Haha.", "P0: Viel Glück."]
    assert (await site.service.table(table)).seq == 3, "nothing of it is in the log"


async def test_what_comes_together_is_told_together(site: Site):
    table = await opened(site, 20)
    async with screen(site, table, "d0") as anna:
        for number in range(80):
            await reactions_of(site).react(table, f"d{number % 20}", "thanks")
        await until(lambda: sum(len(told["given"]) for told in anna.signals()) == 80)
        assert len(list(anna.signals())) <= 3
        assert anna.subscriber.is_open, "nobody is cut off by it"


async def test_a_device_has_four_at_once_and_then_six_a_minute(site: Site):
    table, now = await opened(site), 0.0
    reactions = Reactions(site.service, site.signals, lambda: now)
    for _ in range(A_DEVICE.at_once):
        await reactions.react(table, "d1", "ouch")
    assert await refused(reactions.react(table, "d1", "ouch")) == "too_many_reactions"
    await reactions.react(table, "d0", "ouch")
    taken = 0
    for now in range(1, 601):  # noqa: B007 - the clock
        try:
            await reactions.react(table, "d1", "ouch")
            taken += 1
        except Illegal:
            pass
    assert taken == 60


async def test_only_who_plays_with_others_may_react_and_the_host_can_switch_it_off(site: Site):
    react, service = reactions_of(site).react, site.service
    table = await opened(site, 1)
    assert await refused(react(table, "d0", "ouch")) == "nobody_there"
    await service.do(table, Sit(HOST, "Beside", entropy=""))
    await service.do(table, Sit(HOST, "Robot", bot="quick", entropy=""))
    assert await refused(react(table, "d0", "ouch")) == "nobody_there", "one phone, and a bot"
    await service.do(table, Sit("d1", "Tim", entropy=""))
    await react(table, "d0", "ouch", 1)
    assert await refused(react(table, "d0", "ouch", 3)) == "not_your_seat"
    assert await refused(react(table, "guest", "ouch")) == "not_seated"
    settings = (await service.table(table)).settings
    await service.do(table, Roll(HOST, 0))
    await service.do(table, Configure(HOST, replace(settings, reactions=False)))
    assert await refused(react(table, "d0", "ouch")) == "reactions_off"


async def test_in_a_hall_they_are_counted(site: Site):
    table = await opened(site, MOST_LISTED + 2)
    async with screen(site, table, "d3", "sv") as page:
        for seat in range(MOST_LISTED + 2):
            for reaction in ("laugh", "thanks") if seat % 2 else ("laugh",):
                await reactions_of(site).react(table, f"d{seat}", reaction)
        await until(lambda: sum(told["counts"].get("laugh", 0) for told in page.signals()) == MOST_LISTED + 2)
        told = list(page.signals())
        assert sum(each["counts"].get("thanks", 0) for each in told) == MOST_LISTED // 2 + 1
        assert len(told) <= 2
        assert "given" not in str(told)
        assert told[0]["text"] == "Haha 32, Tack 16"


async def test_two_nodes_show_what_either_is_sent(logs: tuple[Log, Log]):
    async with AsyncExitStack() as stack:
        here, there = [await stack.enter_async_context(served_site(log)) for log in logs]
        table = await opened(here)
        anna = await stack.enter_async_context(screen(here, table, "d0"))
        tim = await stack.enter_async_context(screen(there, table, "d1"))
        await until(lambda: there.service.seen(table))
        await reactions_of(here).react(table, "d0", "well_done")
        await until(lambda: list(tim.signals()))
        await there.service.table(table)
        await reactions_of(there).react(table, "d1", "thanks")
        await until(lambda: len(list(anna.signals())) == 2)
        said = ["P0: Well done.", "P1: Thanks."]
        assert [told["text"] for told in anna.signals()] == said
        assert [told["text"] for told in tim.signals()] == said


async def waiting_for_tim(site: Site, hours: Callable[[float], None]) -> str:
    """All but the second have picked, a minute and a half ago."""
    table = await opened(site, 3)
    await site.service.do(table, Roll(HOST, 0))
    for seat in (0, 2):
        await site.service.do(table, Play(f"d{seat}", 1, seat, 0, "c3"))
    assert await refused(nudges_of(site).nudge(table, "d0")) == "nobody_waits", "they have not waited for long"
    hours(90)
    return table


async def test_who_keeps_all_waiting_for_a_minute_is_nudged_once(site: Site, hours: Callable[[float], None]):
    table = await waiting_for_tim(site, hours)
    async with screen(site, table, "d1", "fr") as tim, screen(site, table, "d2") as eva:
        assert await refused(nudges_of(site).nudge(table, "d1")) == "nobody_waits", "they wait for you"
        assert await nudges_of(site).nudge(table, "d0") == [1]
        assert await refused(nudges_of(site).nudge(table, "d2")) == "too_many_nudges"
        await until(lambda: list(tim.signals()))
        assert list(tim.signals()) == [{"kind": "nudge", "text": "P0 vous attend."}]
        await reactions_of(site).react(table, "d2", "hurry")
        await until(lambda: list(eva.signals()))
        assert [told["kind"] for told in eva.signals()] == ["reaction"], "it is nobody else's affair"


async def test_who_is_away_and_nudged_is_told_on_the_lock_screen_too(
    site: Site, hours: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
):
    table = await waiting_for_tim(site, hours)
    sent = list[Notice]()
    monkeypatch.setattr(site.notices, "send", sent.append)
    assert await nudges_of(site).nudge(table, "d0") == [1]
    (notice,) = sent
    assert (notice.device, notice.topic, notice.address) == ("d1", f"turn/{table}", f"/t/{table}")
    assert notice.title(words("nb")) == "Noen venter på deg"


async def test_a_bot_is_not_nudged(site: Site, hours: Callable[[float], None], monkeypatch: pytest.MonkeyPatch):
    table = await waiting_for_tim(site, hours)
    monkeypatch.setattr(site.service, "silence", lambda _: lambda _device: 1e6)
    monkeypatch.setattr(site.service.autoplay, "nudge", lambda _live: None)
    await site.service.do(table, Replace(HOST, 1, "quick"))
    assert await refused(nudges_of(site).nudge(table, "d0")) == "nobody_waits"


def test_each_has_its_picture():
    from kasta.edge.folders import PAGE

    drawn = (PAGE / "templates/components/reactions.html").read_text()
    assert all(f'id="reaction-{name}"' in drawn for name in REACTIONS)
