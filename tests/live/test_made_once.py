"""What is made once for many: nobody is shown what was made for somebody else."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import product
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.games import OURS
from kasta.i18n import LANGUAGES, words
from kasta.live import viewer as viewing
from kasta.live.channel import Channels
from kasta.live.joining import Joining
from kasta.live.page_state import PageState
from kasta.live.subscriber import Subscriber
from kasta.live.viewer import STRANGER, Viewer, Views
from kasta.page import sheet_model as sheets, table_sheet as drawn
from kasta.page.component import LARGEST_KEPT, MARK, Fragment, FragmentCache, kept, without_known
from kasta.page.sections import SECTIONS
from kasta.page.table_page import table_page
from kasta.tables.commands import Close, Play, Roll, Sit, Wait
from kasta.tables.events import Settings
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

SOON = 10.0  # seconds, on a busy machine
DRAWN = [each.__wrapped__ for each in (drawn._cell, drawn._line_box)]  # type: ignore[attr-defined]  # noqa: SLF001
CACHES = (kept, *DRAWN, sheets._drawing, sheets._still)  # noqa: SLF001


@pytest.fixture
async def channels() -> AsyncIterator[Channels]:
    async with MemoryLog() as log:
        service = Service(log)
        yield Channels(Views(service, Joining(log, service, Signer(b"key"), Config())))
        await service.close()


async def page(channels: Channels, table: str, viewer: Viewer) -> str:
    return gzip.decompress(await channels.document(table, viewer)).decode()


async def opened(channels: Channels, game: str, devices: list[str]) -> str:
    """A table in its second round, where all but the last have picked."""
    service = channels.views.service
    table = await service.open("host", game, settings=Settings(thrower="host"))
    await channels.views.joining.give_code(table.id)
    for number, device in enumerate(devices):
        table = await service.do(table.id, Sit(device, f"Name of {number}"))
    for turn, cell in enumerate(("a1", "b2")):
        table = await service.do(table.id, Roll("host", turn))
        for seat, device in enumerate(devices[: len(devices) - turn]):
            table = await service.do(table.id, Play(device, turn + 1, seat, 0, cell))
    return table.id


@pytest.mark.parametrize("game", OURS)
async def test_a_section_is_made_of_its_arguments_and_nothing_else(channels: Channels, game: str):
    service, said = channels.views.service, words("en")
    table = await service.open("d0", game, settings=Settings(thrower="host", pace=60))
    seated = [await service.do(table.id, Sit(f"d{number // 2}", f"Name of {number}")) for number in range(3)]
    tables = [table, *seated]
    tables.append(await service.do(table.id, Roll("d0", 0)))
    for _ in range(3):
        now = tables[-1]
        if (seat := next(filter(now.is_due, range(3)), None)) is not None:
            do = str(now.game.legal(now.play, seat)[-1])
            tables.append(await service.do(table.id, Play(f"d{seat // 2}", now.turn, seat, now.step(seat), do)))
    tables.append(await service.do(table.id, Close("d0")))
    made: dict[tuple[str, object], str] = {}
    for each, device in product(tables, ["d0", "d1", "guest"]):
        page = await channels.views.page(each, Viewer(device, said, ""))
        for name, section in SECTIONS.items():
            arguments = section.arguments(page)
            hash(arguments)
            fragment = section.draw(said, page, arguments)
            assert sorted(fragment.children) == sorted(fragment.frame.split(MARK)[1::2])
            html = "".join(map(without_known, [fragment.frame, *map(fragment.child, fragment.children)]))
            assert made.setdefault((name, arguments), html) == html, name


@pytest.mark.parametrize("many", [4, MOST_LISTED + 4])
async def test_a_page_is_the_same_whoever_was_shown_one_before(channels: Channels, many: int):
    devices = ["d0", "d0", *(f"d{number}" for number in range(2, many))]
    table = await opened(channels, "knister", devices)
    await channels.views.service.do(table, Wait("late", "Late"))
    await channels.views.joining.claim(table, 2, "claimant", "192.0.2.1")
    viewers = [
        Viewer(device, words(language), origin, seat)
        for device, language, origin, seat in product(
            ["host", "d0", "d2", devices[-1], "late", "claimant", "guest", "another guest"],
            ["en", "de"],
            ["http://here", "https://there"],
            [None, 1],
        )
    ]
    async with channels.subscribed(table, Subscriber("any", viewers[0]), ""):
        warm = [await page(channels, table, viewer) for viewer in (*viewers, *reversed(viewers))]
        for viewer, shown, again in zip(viewers, warm, reversed(warm), strict=False):
            for each in CACHES:
                each.cache_clear()
            channels._channels[table]._strangers.clear()  # noqa: SLF001
            assert shown == again == await page(channels, table, viewer), viewer


async def test_strangers_of_a_crowd_share_a_page_with_nobody_else(channels: Channels):
    devices = [f"d{number}" for number in range(MOST_LISTED + 4)]
    table = await opened(channels, "knister", devices)
    said = words("en")
    async with channels.subscribed(table, Subscriber("any", Viewer("host", said, "")), ""):
        one, other = [await channels.document(table, Viewer(device, said, "")) for device in ("x", "y")]
        assert one is other
        assert all(f"Name of {number}<" not in gzip.decompress(one).decode() for number in range(5, len(devices)))
        for viewer in (Viewer("x", words("sv"), ""), Viewer("x", said, "http://else"), Viewer("d1", said, "")):
            assert await channels.document(table, viewer) is not one
    assert Signer(b"key").device(STRANGER) is None


async def test_a_stranger_sees_soon_how_many_sit_there(channels: Channels):
    devices = [f"d{number}" for number in range(MOST_LISTED + 4)]
    service, viewer = channels.views.service, Viewer("x", words("en"), "")
    table = await service.open("host", "knister")
    for device in devices:
        await service.do(table.id, Sit(device, device))
    subscriber = Subscriber("any", viewer)
    async with channels.subscribed(table.id, subscriber, ""):
        assert f"<small>{len(devices)}</small>" in await page(channels, table.id, viewer)
        await service.do(table.id, Sit("more", "more"))
        async with asyncio.timeout(SOON):
            async for told in subscriber.messages():
                if f'"seats": {len(devices) + 1}'.encode() in told:
                    break
        assert f"<small>{len(devices) + 1}</small>" in await page(channels, table.id, viewer)


async def test_pages_that_were_shown_are_kept_only_up_to_so_many_bytes(channels: Channels):
    devices = [f"d{number}" for number in range(MOST_LISTED)]
    table = await opened(channels, "knister", devices)
    languages = [words(language) for language in LANGUAGES]
    tracemalloc.start()
    try:
        for device, said in product(devices[:20], languages):
            await page(channels, table, Viewer(device, said, ""))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 25_000_000  # of which most are compiled templates and drawn sheets

    cache = FragmentCache(100_000)
    for number in range(100):
        cache.get(number, lambda: Fragment("x" * 10_000, {}))
        cache.get("often", lambda: Fragment("often", {}))
    assert sum(each.size for half in (cache._young, cache._old) for each in half.values()) <= 100_000  # noqa: SLF001
    often = cache.get("often", lambda: Fragment("new", {}))
    assert often.frame == "often"
    large = [cache.get("large", lambda: Fragment("x" * LARGEST_KEPT, {})) for _ in range(2)]
    assert large[0] is not large[1]


async def test_what_strangers_see_is_made_once_and_others_are_served_in_between(
    channels: Channels, monkeypatch: pytest.MonkeyPatch
):
    """However many watch a table, and although one of them shows something else than the others."""
    devices = [f"d{number}" for number in range(10)]
    table, service, said = await opened(channels, "knister", devices), channels.views.service, words("en")
    pages = [Subscriber(f"page {number}", Viewer(f"x{number}", said, "")) for number in range(40)]
    pages += [Subscriber("page", Viewer(device, said, "")) for device in devices]
    async with AsyncExitStack() as streams:
        for each in pages:
            await streams.enter_async_context(channels.subscribed(table, each, ""))
        await asyncio.sleep(0.05)
        pages[7].state.forget()
        made, rounds = list[str](), 0

        def count(now: Table, device: str, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
            made.append(device)
            return table_page(now, device, *args, **options)

        async def others() -> None:
            nonlocal rounds
            while True:
                await asyncio.sleep(0)
                rounds += len(made) > 0

        monkeypatch.setattr(viewing, "table_page", count)
        elsewhere = asyncio.create_task(others())
        now = await service.do(table, Play("d9", 2, 9, 0, "b2"))
        fresh = PageState()
        fresh.update(await channels.views.page(now, Viewer(STRANGER, said, "")), said)
        made.clear()
        async with asyncio.timeout(SOON):
            while any(each.state.digest != fresh.digest for each in pages[:40]) or len(made) < 11:
                await asyncio.sleep(0)
        elsewhere.cancel()
    assert sorted(made) == sorted([*devices, STRANGER])
    assert rounds >= 40
    whole, part = (b"".join(each._waiting) for each in (pages[7], pages[8]))  # noqa: SLF001
    assert len(whole) > len(part) > 0
