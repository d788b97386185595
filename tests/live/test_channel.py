"""How news reach pages: one follower a table; each page hears what is new to it, a crowd what is new to all."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.edge.sse import BEAT, MOST_WAITING, WELCOME, EventQueue
from kasta.errors import Unavailable
from kasta.i18n import words
from kasta.live import channel as module, viewer as viewing
from kasta.live.channel import Channels
from kasta.live.joining import Joining
from kasta.live.subscriber import Subscriber, new_page
from kasta.live.viewer import Viewer, Views
from kasta.page.table_page import table_page
from kasta.structs import replace
from kasta.tables.commands import Configure, Play, Rename, Roll, Sit, TakeBack
from kasta.tables.events import Settings
from kasta.tables.node import Presence
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

MANY = MOST_LISTED + 10
PATIENCE = 60.0  # seconds


@dataclass
class Ear:
    """A page's stream, and all that it was sent."""

    subscriber: Subscriber
    told: list[bytes] = field(default_factory=list)

    async def listen(self) -> None:
        async for sent in self.subscriber.messages():
            self.told.append(sent)

    def events(self, kind: str) -> Iterator[dict[str, Any]]:
        for sent in self.told:
            for event in sent.decode().split("\n\n"):
                if event.startswith(f"event: {kind}\n"):
                    yield json.loads(event.partition("data: ")[2])


@dataclass
class Room:
    """A table of Knister whose host throws, and pages of some of its players."""

    service: Service
    log: MemoryLog
    channels: Channels
    table: str
    turn: int = 0

    async def sit(self, number: int) -> None:
        for seat in range(number):
            await self.service.do(self.table, Sit(f"d{seat}", f"P{seat}", entropy=""))

    async def roll(self) -> None:
        self.turn = (await self.service.do(self.table, Roll("host", self.turn))).turn

    async def pick(self, seat: int, cell: str) -> None:
        await self.service.do(self.table, Play(f"d{seat}", self.turn, seat, 0, cell))

    @asynccontextmanager
    async def page(self, device: str, seat: int | None = None) -> AsyncIterator[Ear]:
        """A page that shows the table as it is now; `seat` is the sheet that its address asks for."""
        viewer = Viewer(device, words("en"), "http://localhost", seat)
        html = gzip.decompress(await self.channels.document(self.table, viewer)).decode()
        digest = html.partition('data-digest="')[2].partition('"')[0]
        ear = Ear(Subscriber(new_page(), viewer))
        async with self.channels.subscribed(self.table, ear.subscriber, digest):
            hearing = asyncio.create_task(ear.listen())
            await settled()
            yield ear
            hearing.cancel()


async def until(is_so: Callable[[], object]) -> None:
    """Wait for what must happen, however slow the machine is."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def settled() -> None:
    """Let all that is on its way arrive."""
    for _ in range(50):
        await asyncio.sleep(0)
    await asyncio.sleep(0.02)


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    async with MemoryLog() as log:
        service = Service(log)
        channels = Channels(Views(service, Joining(log, service, Signer(b"key"), Config())))
        table = await service.open("host", "knister", settings=Settings(thrower="host"))
        yield Room(service, log, channels, table.id)
        await service.close()


async def test_a_page_that_shows_all_is_told_nothing_but_welcome_and_beats(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "HEARTBEAT_SECONDS", 0.05)
    await room.sit(2)
    async with room.page("d0") as anna:
        await until(lambda: BEAT in anna.told)
        assert list(dict.fromkeys(anna.told)) == [WELCOME, BEAT]
    assert room.service.counters()["streams"] == 0
    await settled()
    gc.collect()
    assert not room.log._watches  # noqa: SLF001 - nobody waits for news any more


async def test_a_page_whose_post_was_answered_is_not_made_again_for_its_stream(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    made: list[str] = []

    def count(table: Any, device: str, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
        made.append(device)
        return table_page(table, device, *args, **options)

    await room.sit(2)
    await room.roll()
    monkeypatch.setattr(viewing, "table_page", count)
    async with room.page("d0") as anna, room.page("d1"):
        made.clear()
        picked = await room.service.do(room.table, Play("d0", 1, 0, 0, "c3"))
        answer = await room.channels.changed(
            picked, anna.subscriber.viewer, anna.subscriber.key[1], is_first_pick=True
        )
        await settled()
        assert answer["parts"]
        assert made == ["d0", "d1"]
        room.service.refresh(room.table)  # such as somebody who goes away
        await settled()
        assert made == ["d0", "d1", "d0", "d1"]


async def test_a_page_looks_where_its_address_says_until_the_next_throw(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    asked = room.service.table

    async def ask_a_slow_store(table: str) -> Table:
        await asyncio.sleep(0.01)
        return await asked(table)

    monkeypatch.setattr(room.service, "table", ask_a_slow_store)
    for name in ("Anna", "Tim"):
        await room.service.do(room.table, Sit("d0", name, entropy=""))
    await room.roll()
    async with room.page("d0", seat=1) as ear:
        assert ear.subscriber.viewer.seat == 1
        assert list(ear.events("news")) == []
        for seat in (0, 1):
            await room.service.do(room.table, Play("d0", 1, seat, 0, "c3"))
        await room.roll()
        await settled()
        assert ear.subscriber.viewer.seat is None


async def test_one_follower_serves_all_pages_of_a_table(room: Room):
    await room.sit(4)
    async with AsyncExitStack() as stack:
        for device in ("d0", "d1", "d2", "d3", "d3", "nobody"):
            await stack.enter_async_context(room.page(device))
        live = room.service._tables.find(room.table)  # noqa: SLF001
        assert live is not None
        assert len(live.followers) == 1


async def test_others_hear_of_a_pick_only_what_it_changed_for_them(room: Room):
    await room.sit(3)
    await room.roll()
    async with room.page("d0") as picker, room.page("d1") as other:
        await room.pick(0, "c3")
        await settled()
        (mine,) = picker.events("news")
        (news,) = other.events("news")
        assert any('id="t-0-c3"' in part for part in mine["parts"])
        assert not any("c3" in part for part in news["parts"])  # it stays hidden
        assert {part.split('id="')[1].split('"')[0] for part in news["parts"]} == {"status", "p-0"}
        assert len(json.dumps(news)) < 3_000


async def test_a_throw_tells_a_page_no_cell_that_it_can_free_by_itself(room: Room):
    await room.sit(2)
    await room.roll()
    async with room.page("d0") as page:
        for turn, cell in enumerate(("a1", "b2", "c3")):
            await room.pick(0, cell)
            await room.pick(1, cell)
            await settled()
            page.told.clear()
            await room.roll()
            await settled()
            (news,) = page.events("news")
            cells = [part for part in news["parts"] if part.startswith("<td") and 'id="t-0-' in part]
            assert [f'id="t-0-{cell}"' in part for part in cells] == [True], turn  # no longer fresh


async def test_news_are_numbered_without_a_gap_whoever_brings_them(room: Room):
    await room.sit(2)
    await room.roll()
    async with room.page("d0") as page:
        numbers = []
        for cell in ("a1", "b2"):
            await room.service.do(room.table, Play("d0", room.turn, 0, 0, cell))
            table = await room.service.table(room.table)
            answer = await room.channels.changed(
                table, page.subscriber.viewer, page.subscriber.key[1], is_first_pick=True
            )
            numbers += [answer["number"]] if answer else []
            await room.pick(1, cell)
            await room.roll()
            await settled()
        numbers = sorted([*numbers, *(news["number"] for news in page.events("news"))])
        assert numbers == list(range(1, len(numbers) + 1))


async def test_a_crowd_is_told_a_throw_in_the_same_bytes(room: Room):
    await room.sit(MANY)
    async with room.page("d0") as anna, room.page("d1") as bo, room.page("host") as host:
        await room.roll()
        await settled()
        (crowd,) = anna.events("crowd")
        assert anna.told[-1][1] is bo.told[-1][1]
        assert crowd["turn"] == 1
        assert any('id="status"' in part for part in crowd["due"])
        assert list(host.events("news"))
        assert not list(host.events("crowd"))


async def test_a_crowd_is_not_told_whose_turn_it_is_at_the_phone_of_a_family(room: Room):
    for name in ("Eva", "Tim"):
        await room.service.do(room.table, Sit("family", name, entropy=""))
    await room.sit(MANY)
    async with room.page("d5") as page:
        await room.roll()
        await settled()
        *_, crowd = page.events("crowd")
        assert "Your turn" in "".join(crowd["due"])


async def test_picks_of_a_crowd_are_counted_at_most_twice_a_second(room: Room):
    await room.sit(MANY)
    await room.roll()
    async with room.page("d0") as page:
        begun = asyncio.get_running_loop().time()
        for seat in range(MANY):
            await room.pick(seat, "a1")
            await asyncio.sleep(0.02)
        await until(lambda: [*page.events("count")][-1]["owing"] == 0)
        passed = asyncio.get_running_loop().time() - begun
        told = [each["owing"] for each in page.events("count")]
        assert 2 <= len(told) <= 2 + passed / module.CALM_SECONDS, "one is told when the page comes"
        assert told == sorted(told, reverse=True)


async def test_a_throw_does_not_wait_with_the_count_of_a_crowds_picks(room: Room, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "CALM_SECONDS", 600)
    await room.sit(MANY)
    await room.roll()
    async with room.page("d0") as page:
        for seat in range(MANY):
            await room.pick(seat, "a1")
        await settled()
        assert {each["owing"] for each in page.events("count")} == {MANY}, "the next count is in ten minutes"
        await room.roll()
        await until(lambda: any(b'"turn": 2' in sent for sent in page.told))


async def test_the_answer_to_a_pick_in_a_crowd_brings_only_what_it_changed(room: Room):
    await room.sit(MANY)
    await room.roll()
    viewer = Viewer("d3", words("en"), "")
    table = await room.service.do(room.table, Play("d3", 1, 3, 0, "c3"))
    answer = await room.channels.changed(table, viewer, "", is_first_pick=True)
    ids = [part.split('id="')[1].split('"')[0] for part in answer["parts"]]
    lines = ["l-3-3", "l-3-c", "l-3-%5C", "l-3-/"]  # which say what stands in them
    assert sorted(ids) == sorted(["status", "play", "after", "t-3-c3", *lines, "total-3"])


async def test_a_pick_that_is_taken_back_in_a_crowd_goes_from_the_page(room: Room):
    viewer = Viewer("d0", words("en"), "http://localhost")
    await room.sit(1)
    async with room.page("d0") as anna:  # which has seen the sheet empty, while it was told all that is new to it
        page = anna.subscriber.key[1]
        for seat in range(1, MANY):
            await room.service.do(room.table, Sit(f"d{seat}", f"P{seat}"))
        await room.roll()
        await room.channels.all(await room.service.table(room.table), viewer, page)
        picked = await room.service.do(room.table, Play("d0", 1, 0, 0, "c3"))
        await room.channels.changed(picked, viewer, page, is_first_pick=True)
        back = await room.service.do(room.table, TakeBack("d0", 1, 0, 1))
        answer = await room.channels.changed(back, viewer, page, is_first_pick=False)
    assert any('id="c-0-c3"' in part for part in answer["parts"])


async def test_a_time_limit_that_is_set_during_a_throw_is_told_to_those_who_owe_a_pick(room: Room):
    await room.sit(MANY)
    await room.roll()
    await room.pick(0, "a1")
    async with room.page("d1") as page:
        await room.service.do(room.table, Configure("host", Settings(thrower="host", pace=60)))
        await settled()
        *_, crowd = page.events("crowd")
    assert any('id="extend"' in part for part in crowd["due"])
    assert not any('id="extend"' in part for part in crowd["wait"])


async def test_a_crowd_is_not_told_what_somebody_in_the_middle_of_a_pick_has_to_do():
    """Who completes a line of Knaster owes circles, and that tells what was picked."""
    own = Settings(thrower="host", dice="own")
    async with MemoryLog() as log:
        service = Service(log)
        channels = Channels(Views(service, Joining(log, service, Signer(b"key"), Config())))
        room = Room(service, log, channels, (await service.open("host", "knaster", settings=own)).id)
        await room.sit(MANY)
        for turn, second in enumerate((4, 4, 4, 1, 2), 1):
            await service.do(room.table, Roll("host", turn - 1, (3 if second == 4 else 1, second)))
            room.turn = turn
            for seat in range(MANY if turn < 5 else 1):
                await room.pick(seat, f"{'abcde'[turn - 1]}1")
        table = service.seen(room.table)
        assert table is not None
        assert (table.is_due(0), table.step(0)) == (True, 1), "three circles are owed"
        async with room.page("d0") as anna, room.page("d9") as tim:
            await service.do(room.table, Configure("host", replace(own, pace=60)))
            await settled()
            (told,) = tim.events("crowd")
            assert "Your turn" in "".join(told["due"])
            assert "more to circle" not in json.dumps(told)
            assert "Take back" not in json.dumps(told)
            assert list(anna.events("stale")), "her page asks for what she has to do"
            assert not list(anna.events("crowd"))
        await service.close()


async def test_pages_hear_that_somebody_is_away_and_back(room: Room, monkeypatch: pytest.MonkeyPatch):
    for name in ("node", "rights", "view"):
        monkeypatch.setattr(f"kasta.tables.{name}.AWAY_SECONDS", 0.3)
    await room.sit(2)
    await room.roll()
    async with room.page("d0") as anna:
        async with room.page("d1"):
            pass
        await until(lambda: any("away" in part for news in anna.events("news") for part in news["parts"]))
        anna.told.clear()
        async with room.page("d1"):
            await settled()
            (news,) = anna.events("news")
            assert not any("away" in part for part in news["parts"])


@pytest.mark.parametrize("error", [RuntimeError("Anna"), Unavailable("store_failed")], ids=["fault", "store"])
async def test_when_news_cannot_be_told_streams_end_and_whoever_comes_back_hears_all(
    room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    def fail(*_args: Any, **_options: Any) -> Any:  # noqa: ANN401 - as it is called
        raise error

    await room.sit(2)
    async with room.page("d0") as before:
        with monkeypatch.context() as patched:
            patched.setattr(viewing, "table_page", fail)
            await room.roll()
            await settled()
        assert not before.subscriber.is_open  # a page whose stream ends comes back
        async with room.page("d0") as anna, room.page("d1") as ben:  # before the other stream has gone
            await room.pick(0, "c3")
            await room.pick(1, "c3")
            await room.roll()
            await settled()
            assert [news["turn"] for news in anna.events("news")][-1] == 2
            assert [news["turn"] for news in ben.events("news")][-1] == 2
        async with room.page("host") as host:
            await settled()
            assert host.subscriber.is_open
    assert room.service.counters()["streams"] == 0


async def test_a_page_that_cannot_be_made_leaves_no_stream_behind(room: Room, monkeypatch: pytest.MonkeyPatch):
    def fail(*_args: Any, **_options: Any) -> Any:  # noqa: ANN401 - as it is called
        raise RuntimeError

    await room.sit(2)
    async with room.page("d0") as anna:
        subscriber = Subscriber("broken", Viewer("d1", words("en"), ""))
        with monkeypatch.context() as patched:
            patched.setattr(viewing, "table_page", fail)
            with pytest.raises(RuntimeError):
                async with room.channels.subscribed(room.table, subscriber, ""):
                    pass
        assert room.channels._channels[room.table].find("d1", "broken") is None  # noqa: SLF001
        await room.roll()
        await settled()
        assert list(anna.events("news"))


async def test_a_rename_is_told_whatever_the_name_looks_like(room: Room):
    await room.sit(2)
    async with room.page("d0") as anna:
        for name in ("P1 disabled", "P1"):
            await room.service.do(room.table, Rename("d1", 1, name))
            await settled()
        told = ["".join(news["parts"]) for news in anna.events("news")]
        assert "P1 disabled" in told[0]
        assert len(told) == 2


async def test_a_page_that_takes_nothing_is_cut_off_and_fills_no_memory(room: Room):
    await room.sit(2)
    viewer = Viewer("d0", words("en"), "")
    stuck = Subscriber("stuck", viewer)
    for _ in range(10 * MOST_WAITING):
        stuck.send(b"x")
    assert [sent async for sent in stuck.messages()] == []


async def test_what_is_pushed_never_overtakes_what_has_to_wait():
    queue, pushed, is_free = EventQueue(), list[bytes](), True

    def push(told: bytes) -> bool:
        if is_free:
            pushed.append(told)
        return is_free

    queue.push = push
    taken = queue.messages()
    assert await anext(taken) == WELCOME
    coming = asyncio.ensure_future(anext(taken))
    await asyncio.sleep(0)
    queue.send(b"first")
    is_free = False
    queue.send(b"second")
    is_free = True
    queue.send(b"third")
    assert (pushed, await coming) == ([b"first"], b"secondthird")


async def test_a_program_hears_each_throw_at_once_and_picks_as_a_count(room: Room):
    await room.sit(3)
    told: list[dict[str, Any]] = []
    program = EventQueue()

    async def hear() -> None:
        async for sent in program.messages():
            told.extend(json.loads(line[6:]) for line in sent.decode().splitlines() if line.startswith("data: {"))

    async with room.channels.program_subscribed(room.table, program, "watcher"):
        hearing = asyncio.create_task(hear())
        await room.roll()
        await settled()
        assert told[0] == {"turn": 0, "faces": [], "owing": 0, "over": False}
        assert told[-1]["turn"] == 1
        assert told[-1]["owing"] == 3
        assert len(told[-1]["faces"]) == 2
        heard = len(told)
        for seat in range(3):
            await room.pick(seat, "c3")
        await settled()
        assert len(told) == heard  # picks are told later, together
        await until(lambda: len(told) > heard)
        assert [each["owing"] for each in told[heard:]] == [0]
        hearing.cancel()
    assert room.service.counters()["streams"] == 0


async def test_who_comes_first_after_a_restart_is_told_to_be_back(room: Room):
    told: list[str] = []
    presence = Presence(room.service.node, told.append)
    with presence.of(room.table, "d0"), presence.of(room.table, "d0"):
        await settled()
    assert told == [room.table]  # once, not for each of its streams
