"""Sitting down in a crowd: all who wait are decided one after the other, and written together."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import cast

from kasta import metrics
from kasta.core import Seat
from kasta.errors import Conflict, KastaError, Unavailable
from kasta.tables.commands import Sit, decide
from kasta.tables.events import SeatedEvent
from kasta.tables.live import Live, LiveTables, PendingSit
from kasta.tables.log import Change, Log, change
from kasta.tables.state import Table

TRIES = 20  # then each is decided alone

Decided = tuple[PendingSit, Change]


class Seating:
    """Beside whatever else changes a table: picks apart, only one thing at a time is decided in a process."""

    def __init__(self, log: Log, tables: LiveTables) -> None:
        self._log, self._tables = log, tables

    async def sit(self, live: Live, command: Sit) -> Seat | None:
        """The seat; None if it was not done, and has to be found out alone what is wrong."""
        waiting = PendingSit(command, asyncio.get_running_loop().create_future())
        live.sitting.append(waiting)
        if live.seating is None:
            live.seating = asyncio.create_task(self._seat_all(live))
        return await waiting.done

    async def _seat_all(self, live: Live) -> None:
        try:
            while live.sitting:
                async with live.joining:
                    waiting, live.sitting = live.sitting, []
                    try:
                        await self._seat(live, waiting)
                    except KastaError as error:
                        _answer(waiting, error)
                    except asyncio.CancelledError:  # the service ends: nobody may try again alone
                        _answer([*waiting, *live.sitting], Unavailable("store_failed", reason="it is closed"))
                        raise
                    finally:
                        _answer(waiting, None)
        finally:
            live.seating = None
            _answer(live.sitting, None)  # of a fault of ours, nobody waits for ever
            live.sitting.clear()

    async def _seat(self, live: Live, waiting: list[PendingSit]) -> None:
        """Who is refused waits on. What another process wrote first is looked at, and all are decided on that."""
        for _ in range(TRIES):
            decided = _decided(live.table, [each for each in waiting if not each.done.done()])
            try:
                await self._write(live, decided)
            except Conflict:
                await self._tables.catch_up(live)
            else:
                return

    async def _write(self, live: Live, decided: list[Decided]) -> None:
        sitting, began = iter(decided), time.perf_counter()
        async for seq in self._log.append_in_a_row([made for _, made in decided]):
            each, made = next(sitting)
            await self._tables.advance(live, (made, seq))
            if not each.done.done():
                each.done.set_result(cast("SeatedEvent", made.event).seat)
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)


def _decided(seen: Table, waiting: list[PendingSit]) -> list[Decided]:
    """Each on those before; without those who are refused."""
    decided = list[Decided]()
    for each in waiting:
        with suppress(KastaError):
            made = change(seen, decide(seen, each.command))
            decided.append((each, made))
            seen = made.after
    return decided


def _answer(waiting: list[PendingSit], error: KastaError | None) -> None:
    """To all who have no answer yet."""
    for each in waiting:
        if each.done.done():
            continue
        if error is None:
            each.done.set_result(None)
        else:
            each.done.set_exception(error)
