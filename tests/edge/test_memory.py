"""What a process keeps in memory has an end, in bytes: whoever asks for much makes nothing grow."""

from __future__ import annotations

import asyncio
import gc
import importlib
import pkgutil
from contextlib import AsyncExitStack, nullcontext
from functools import _lru_cache_wrapper

import pytest

import kasta
from kasta.db import open_log
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.admission import Admission
from kasta.edge.config import Config
from kasta.edge.limits import Limits
from kasta.edge.sse import EventQueue
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.i18n import words
from kasta.live.subscriber import Subscriber
from kasta.live.viewer import Viewer
from kasta.page.table_page import table_page
from kasta.record import Header, Roll
from kasta.results import reviews
from kasta.tables import live, records
from kasta.tables.commands import Roll as Throw, Sit
from kasta.tables.log import Seq
from kasta.tables.records import TableRecord, sort_out
from kasta.tables.rights import all_present
from kasta.tables.service import Service
from support.sites import new_site

BROWSERS = "kasta.features.pocket.runtime."  # runs in a browser, not in a server
NOT_SERVED = {"__main__", "cli", "client", "engine", "env", "lab", "solve", "tui"}
# Of these there are only as many as there are games, rule sets, languages, files of ours or statements.
FEW = """
app.all_features coach.puzzles.puzzles_of coach.reasons.knaster._lines coach.reasons.knister._lines
db.sqlite.database.in_sqlite db.sqlite.file._warn_of_others db.sqlite.memory._empty edge.assets.assets
edge.assets.packed edge.assets.version edge.templates._template edge.templates.environment
features.api.description.description features.notices.post._tls features.offline.pages.worker_source
features.pocket.packing.bundle.bundle features.pocket.packing.values.packed_values
features.pocket.pages._packed_files features.pocket.pages.worker_script
features.practice.positions.shape_of games.grid_drawing.circled_cell games.grid_drawing.free_cell
games.grid_drawing.written_cell games.knaster.traits._circle games.scores.score i18n.words page.sections._path
page.sheet_model._legend page.tray_html._mute paper.shapes.letters rulebook.html.rules_page
"""


def test_every_cache_without_a_bound_is_of_what_there_is_little_of():
    """A visitor chooses no key of theirs. One that is new here has to be looked at by somebody."""
    for found in pkgutil.walk_packages(kasta.__path__, "kasta."):
        if found.name.split(".")[1] not in NOT_SERVED and not found.name.startswith(BROWSERS):
            importlib.import_module(found.name)
    gc.unfreeze()  # what tests/conftest.py has frozen is not listed
    caches = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    gc.freeze()
    names = {
        f"{each.__module__.removeprefix('kasta.')}.{each.__name__}"
        for each in caches
        if each.__module__.startswith("kasta.") and each.cache_parameters()["maxsize"] is None
    }
    assert {name for name in names if name.split(".")[0] not in NOT_SERVED} == set(FEW.split())


async def test_tables_that_nobody_follows_are_kept_up_to_so_many_seats(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "MOST_SEATS", 10)
    async with MemoryLog() as log:
        service = Service(log)
        names = []
        for table in range(6):
            names.append((await service.open("host", "knister")).id)
            for seat in range(4):
                await service.do(names[-1], Sit(f"d{seat}", f"Somebody {seat}"))
            assert service.seen(names[table])
        assert [name for name in names if service.seen(name)] == names[-3:], "the last one had no seats yet"
        assert len((await service.table(names[0])).places) == 4
        monkeypatch.setattr(live, "MOST_SEATS", 2)
        assert len((await service.table(names[1])).places) == 4, "one that is larger than all is there alone"
        assert len(service._tables) == 1  # noqa: SLF001
        await service.close()


async def test_those_who_waited_for_the_same_news_go_on_one_after_the_other(sqlite_url: str):
    """Each of them makes a page then: made in one round of the event loop, they would stall everybody else."""
    async with await open_log(sqlite_url) as log:
        service, rounds, seen = Service(log), 0, list[int]()
        table = await service.open("host", "knister")
        await service.table(table.id)

        async def look() -> None:
            await service.table(table.id)
            seen.append(rounds)

        async def count() -> None:
            nonlocal rounds
            while True:
                rounds += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await asyncio.gather(*(look() for _ in range(30)))
        counting.cancel()
        assert max(seen.count(each) for each in seen) <= 2
        await service.close()


async def test_records_are_kept_up_to_so_many_bytes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(records, "MOST_BYTES", 1_000)
    async with MemoryLog() as log:
        service = Service(log)
        kept = service._records  # noqa: SLF001
        for _ in range(4):
            table = await service.open("host", "knister")
            await service.do(table.id, Sit("host", "Host"))
            text = (await service.record(table.id)).text
            kept._kept[table.id] = TableRecord(Seq(2), Header("knister", "sheet", ()), [], text + bytes(400))  # noqa: SLF001
        assert 0 < sum(len(each.text) for each in kept._kept.values()) <= 1_800  # noqa: SLF001
        assert len(kept) < 4
        await service.close()


async def test_sorted_records_are_kept_up_to_so_many_steps(monkeypatch: pytest.MonkeyPatch):
    async with MemoryLog() as log:
        site = new_site(log)
        table = await site.service.open("host", "knister")
        await site.service.do(table.id, Sit("host", "Host"))
        table = await site.service.do(table.id, Throw("host", 0))
        kept = site.reviews._sorted  # noqa: SLF001
        long = sort_out(Header("knister", "sheet", ("Host",)), [Roll((1, 2))] * 100)
        kept |= {"a": long, "b": long}
        monkeypatch.setattr(reviews, "MOST_STEPS", 150)
        await site.reviews.game_of(table, 0)
        assert list(kept) == ["b", table.id]
        await site.close()


async def test_pages_are_followed_as_long_as_what_they_show_is_remembered():
    """Thirty sheets take thirty times what one takes: streams of large tables are fewer."""
    async with MemoryLog() as log, AsyncExitStack() as streams:
        service = Service(log)
        small, large, crowd = [(await service.open("host", "knister")).id for _ in range(3)]
        for name, seats in ((small, 1), (large, 20), (crowd, 40)):
            for seat in range(seats):
                await service.do(name, Sit(f"d{seat}", f"Somebody {seat}"))
        admission = Admission(Config(limits=Limits(sheets_of_streams=50)))

        async def follow(name: str, device: str, address: str = "192.0.2.1") -> EventQueue:
            table, visitor, queue = (
                await service.table(name),
                Visitor(device, is_new=False, language="en", address=address, origin=""),
                EventQueue(),
            )
            admission.check(visitor, table)
            await streams.enter_async_context(admission.counted(visitor, table, queue, nullcontext()))
            return queue

        first = [await follow(large, f"d{seat}") for seat in range(2)]
        for seat in range(8):
            await follow(crowd, f"d{seat}")
        with pytest.raises(Illegal, match="full"):
            await follow(large, "d3")
        for _ in range(2):
            await follow(small, "d0")
        assert (await follow(small, "d0", "192.0.2.2")).is_open, "whoever has most gives way"
        assert [each.is_open for each in first] == [False, True]
        await service.close()


async def test_a_page_that_is_followed_keeps_no_text():
    """Thousands of them do not take a hundred thousand letters each."""
    async with MemoryLog() as log:
        service = Service(log)
        table = await service.open("host", "knister")
        for seat in range(20):
            table = await service.do(table.id, Sit(f"d{seat}", f"Somebody {seat}"))
        table = await service.do(table.id, Throw("host", 0)) if table.turn else table
        page = Subscriber("page", Viewer("d0", words("en"), ""))
        page.news(table, table_page(table, "d0", words("en"), all_present))
        state = page.state._made_of  # noqa: SLF001
        assert state
        assert not [text for text in state.values() if isinstance(text, str) and len(text) > 100]
        await service.close()
