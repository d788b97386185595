"""What there is to be told of: whose turn it is, where the next game is, and the throws of a new day.

A table is looked at a little after something happened there: whoever plays on is not told. Events only note its
name, so play waits for nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from kasta.core import Throw
from kasta.errors import Illegal, KastaError
from kasta.features.notices.sender import DAILY, Sender
from kasta.features.notices.store import Subscriptions
from kasta.features.notices.times import next_time, zone_of
from kasta.i18n import Words
from kasta.live.notices import Notice, Notices
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED

logger = logging.getLogger(__name__)

TURN, INVITED = "turn", "invited"
GRACE_SECONDS = 10.0  # after which a table is looked at
LOOK_SECONDS = 30.0  # how often it is looked whether a day's notice is due, or a night is over
MOST_TOUCHED = 20_000  # tables to be looked at
AT_ONCE = 200  # daily notices


class Watch:
    """Looks after tables at which something happened, and after the time."""

    def __init__(
        self,
        service: Service,
        store: Subscriptions,
        notices: Notices,
        sender: Sender,
        grace: float = GRACE_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._service, self._store, self._notices, self._sender = service, store, notices, sender
        self._grace, self._clock = grace, clock
        self._touched: dict[str, float] = {}  # by table: when to look at it; the first comes first
        self._looking: asyncio.Task[None] | None = None

    async def hear(self, table: Table) -> None:
        """Something has happened at a table."""
        if len(table.devices) > 1 and len(table.places) <= MOST_LISTED:
            self._touch(table.id)

    async def start(self) -> None:
        """Look from now on, also at tables whose notices an ended process held until the morning."""
        for name in await self._store.held(_turn_topic("")):
            self._touch(name)
        self._begin()

    def _touch(self, name: str) -> None:
        if len(self._touched) < MOST_TOUCHED:
            self._touched.setdefault(name, time.monotonic() + self._grace)
            self._begin()

    def _begin(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._sender.close()

    async def _look_on(self) -> None:
        looked = -LOOK_SECONDS
        while True:
            try:
                await self.look_at_tables(time.monotonic())
                if time.monotonic() - looked >= LOOK_SECONDS:
                    looked = time.monotonic()
                    self._sender.wake_held()
                    await self.look_at_clock()
            except KastaError as error:
                logger.warning("nobody could be told: %s", error.code)
            await asyncio.sleep(max(0.05, min(1.0, self._grace)))

    async def look_at_tables(self, until: float) -> None:
        """Look at all tables whose time has come."""
        while self._touched and next(iter(self._touched.values())) <= until:
            name = next(iter(self._touched))
            del self._touched[name]
            with suppress(Illegal):  # it is gone
                await self._look_at(await self._service.table(name))

    async def _look_at(self, table: Table) -> None:
        """Tell those who are away and whose turn it is, and take back what is no longer so."""
        wishes = await self._store.of(list(table.devices))
        if not wishes:
            return
        silence, due, topic = self._service.silence(table.id), due_devices(table), _turn_topic(table.id)
        absent = {device for device in wishes if silence(device) > 0}
        for device in absent & due:
            self._notices.send(_turn(table, device, topic))
        for device in await self._store.told(list(wishes), topic) - due:
            self._notices.withdraw(device, topic)
        if table.next_table is not None:
            for device in absent:
                self._notices.send(_invitation(table, device))

    async def look_at_clock(self) -> None:
        """Tell those whose hour has come; whichever node is first does it."""
        now = self._clock()
        while wishes := await self._store.due(now, AT_ONCE):
            for wish in wishes:
                hour = 0 if wish.hour is None else wish.hour
                if await self._store.put_off(wish, next_time(hour, wish.zone, now)):
                    day = datetime.fromtimestamp(now, zone_of(wish.zone)).date().isoformat()
                    self._notices.send(_daily(wish.device, day))


def is_company(table: Table, device: str) -> bool:
    """Whether somebody has come to whoever waits for strangers, and may begin."""
    return not table.turn and table.settings.listed and table.host == device and len(table.places) > 1


def due_devices(table: Table) -> set[str]:
    """The devices of people who have to throw or to act. Before the first throw nobody has."""
    expected = table.next()
    if not table.turn or table.is_closed:
        return set()
    if isinstance(expected, Throw):
        seats = [expected.roller] if table.settings.thrower == "turn" else []
    else:
        seats = [seat for seat in table.places if table.is_due(seat)]
    return {table.places[seat].device for seat in seats if table.places[seat].bot is None}


def _turn_topic(table: str) -> str:
    return f"{TURN}/{table}"


def _turn(table: Table, device: str, topic: str) -> Notice:
    def title(said: Words) -> str:
        return said.say("Your turn")

    return Notice(TURN, device, topic, str(table.turn), title, table.game.traits.heading, f"/t/{table.id}")


def _invitation(table: Table, device: str) -> Notice:
    def title(said: Words) -> str:
        return said.say("The next game is open")

    topic = f"invited/{table.next_table}"
    return Notice(INVITED, device, topic, "", title, table.game.traits.heading, f"/t/{table.next_table}")


def _daily(device: str, day: str) -> Notice:
    def title(said: Words) -> str:
        return said.say("Today's throws are here")

    def text(said: Words) -> str:
        return said.say("The same for everybody.")

    return Notice(DAILY, device, "today", day, title, text, "/day")
