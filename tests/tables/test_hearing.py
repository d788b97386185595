"""Whoever wants to hears what a service has written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import Conflict
from kasta.tables import events as e
from kasta.tables.commands import Close, Configure, Play, Roll, Sit
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.room import HOST


async def test_whoever_wants_to_hears_of_what_was_written_and_cannot_undo_it():
    async with MemoryLog() as log:
        service, heard = Service(log), list[tuple[str, int]]()

        def note(kind: type[e.Event]) -> Callable[[Table], Awaitable[None]]:
            async def hear(table: Table) -> None:
                heard.append((kind.__name__, table.seq))
                if kind is e.Rolled:
                    raise Conflict("moved_on")

            return hear

        for kind in (e.OpenedEvent, e.SeatedEvent, e.Configured, e.Rolled, e.Acted, e.Closed):
            service.on(kind, note(kind))
        table = (await service.open(HOST, "knister")).id
        await service.do(table, Sit(HOST, "Anna"))
        await service.do(table, Configure(HOST, e.Settings(points="end")))
        with pytest.raises(Conflict):  # of who heard it: the throw has fallen all the same, and once
            await service.do(table, Roll(HOST, 0))
        await service.do(table, Play(HOST, 1, 0, 0, "c3"))
        await service.do(table, Close(HOST))
        named = ["OpenedEvent", "SeatedEvent", "Configured", "Rolled", "Acted", "Closed"]
        assert heard == list(zip(named, range(1, 7), strict=True))
        await service.close()
