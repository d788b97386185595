"""How news reach pages: one channel a table follows its log, and tells all who look.

At a table of some, each page is sent what differs from what it shows. Of a crowd, what is the same for all is made
once and sent as bytes; others' picks are only counted, at most twice a second, and never delay a throw.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from typing import Any

from markupsafe import Markup

from kasta.core import Over, Pick, Throw
from kasta.edge.admission import Admission
from kasta.edge.config import Config
from kasta.edge.sse import BEAT, GONE, HEARTBEAT_SECONDS, EventQueue
from kasta.edge.templates import render
from kasta.edge.visitor import Visitor
from kasta.errors import KastaError
from kasta.games import GAMES
from kasta.i18n import Words, words
from kasta.live.news import count_told, crowd_digest, is_crowd, message, moment, throw_told, with_one_seat
from kasta.live.page_state import PageState
from kasta.live.subscriber import Alike, Subscriber
from kasta.live.viewer import STRANGER, Viewer, Views
from kasta.page.component import KNOWN
from kasta.page.invitation import invitation
from kasta.page.sections import draw_sections
from kasta.page.table_page import TableDocument, TablePage
from kasta.structs import replace
from kasta.tables.rights import AWAY_SECONDS
from kasta.tables.state import Table
from kasta.tables.view import standing

logger = logging.getLogger(__name__)

CALM_SECONDS = 0.5  # between two counts
COUNTS_A_SECOND = 1_000  # to all pages together: the larger a crowd, the longer between two
MOST_STRANGERS = 64  # pages for them, by language and by the name that they call us
PACKING = 2  # of gzip's levels: more takes longer than it is worth


class Channel:
    """What goes on at one table, for all pages that this process serves of it."""

    def __init__(self, table: str, views: Views) -> None:
        self._table, self._views = table, views
        self.streams = 0  # that look at it
        self.is_open = True
        self.subscribers: dict[tuple[str, str], Subscriber] = {}
        self._programs: set[EventQueue] = set()
        self._last: Table | None = None
        self._told: object = None
        self._strangers: dict[object, bytes] = {}  # their pages, made since all were told something last
        self._counting: asyncio.Task[None] | None = None
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._beat())]
        for task in self._tasks:
            task.add_done_callback(log_failure)
        views.service.presence.look_later(table)  # at those who were here before this process began

    def find(self, device: str, page: str) -> Subscriber | None:
        """The stream of a device's page."""
        return self.subscribers.get((device, page))

    async def strangers_page(self, table: Table, viewer: Viewer) -> bytes:
        """The page of a crowd for all who have no part in it. Those who came meanwhile are counted soon."""
        key = viewer, await self._views.room(table, viewer)
        if len(self._strangers) > MOST_STRANGERS or self._views.service.waits(table.id) is not None:
            self._strangers.clear()  # seconds are running
        if key not in self._strangers:
            self._strangers[key] = packed(await self._views.page(table, viewer), viewer, is_crowd=True)
        return self._strangers[key]

    async def join(self, subscriber: Subscriber, digest: str) -> None:
        """A page opens its stream: unless it shows what there is now, it is told all, or to ask."""
        table = await self._views.service.table(self._table)
        subscriber.turn = table.turn  # it looks where it asked to until the next throw
        if (before := self.subscribers.get(subscriber.key)) is not None:
            before.close()
        self.subscribers[subscriber.key] = subscriber
        if is_crowd(table) and subscriber.viewer.device not in self._with_rights(table):
            subscriber.send(
                message("count", count_told(table, subscriber.viewer.words))
                if digest == crowd_digest(table.turn)
                else message("stale", {})
            )
            return
        page = await self._views.page(table, subscriber.viewer)
        subscriber.state.update(page, subscriber.viewer.words)
        if subscriber.state.digest != digest:
            subscriber.send(message("news", subscriber.news(table, page, anew=True)))

    def leave(self, subscriber: Subscriber) -> None:
        if self.subscribers.get(subscriber.key) is subscriber:
            del self.subscribers[subscriber.key]

    async def add_program(self, program: EventQueue) -> None:
        """A program hears of throws from now on, and at once of the last one."""
        table = await self._views.service.table(self._table)
        self._last = self._last or table
        self._programs.add(program)
        program.send(throw_told(table))

    def remove_program(self, program: EventQueue) -> None:
        self._programs.discard(program)

    def close(self, last: bytes = b"") -> None:
        """All streams end, and pages come back to a new one."""
        self.is_open = False
        for queue in self._all():
            queue.close(last)
        for task in self._tasks:
            task.cancel()
        if self._counting is not None:
            self._counting.cancel()

    async def _follow(self) -> None:
        try:
            async with aclosing(self._views.service.changes(self._table)) as changes:
                async for table in changes:
                    await self._tell(table)
        except KastaError as error:
            self.close(GONE if error.code == "no_such_table" else b"")  # else pages come back by themselves
        except Exception:
            logger.exception("news could not be told")
            self.close()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for queue in self._all():
                queue.send(BEAT)

    def _all(self) -> list[EventQueue]:
        return [*self.subscribers.values(), *self._programs]

    async def _tell(self, table: Table) -> None:
        if self._views.service.autoplay.goes_on_at_once(table):
            return  # some dice were kept: the throw of the others follows, and tells of both
        frame, before, self._last = self._frame(table), self._last, table
        if before is None or moment(before) == moment(
            table
        ):  # who came while the channel was made is counted, too
            if self._programs or is_crowd(table):
                self._count_soon()
        else:
            self._tell_programs(table)
        if not is_crowd(table):
            await self._tell_each(table, list(self.subscribers.values()))
        elif frame != self._told:
            await self._tell_crowd(table)
        self._told = frame

    def _tell_programs(self, table: Table) -> None:
        told = throw_told(table)
        for program in self._programs:
            program.send(told)

    async def _tell_each(self, table: Table, subscribers: Iterable[Subscriber]) -> None:
        """What differs for each page. All who have no part in the table and show the same are told the same."""
        pages: dict[Viewer, TablePage] = {}
        alike: Alike = {}
        for subscriber in subscribers:
            subscriber.look_at_due_sheet(table)
            key = self._views.key(table, subscriber.viewer)
            if key == subscriber.seen:
                continue  # its own post was answered with this
            await asyncio.sleep(0)  # other tables are served in between
            subscriber.seen = key
            own = subscriber.viewer
            viewer = replace(self._views.seen_as(table, own), seat=own.seat, serve=own.serve)
            if viewer not in pages:
                pages[viewer] = await self._views.page(table, viewer)
            if news := subscriber.news_like(table, pages[viewer], alike):
                subscriber.send(message("news", news))

    def _frame(self, table: Table) -> object:
        """What pages of a crowd depend on beside how many sit there, and how many owe a pick."""
        expected, silence = table.next(), self._views.service.silence(table.id)
        away = isinstance(expected, Throw) and silence(table.places[expected.roller].device) > AWAY_SECONDS
        return moment(table), table.settings, table.host, away

    async def _tell_crowd(self, table: Table) -> None:
        """What all are told is made once a language; who has more to see than others is told apart."""
        self._strangers.clear()
        spoken = {each.viewer.words for each in self.subscribers.values()}
        made = {said.language: message("crowd", await self._common(table, said)) for said in spoken}
        some = self._with_rights(table)
        for subscriber in self.subscribers.values():
            device = subscriber.viewer.device
            if device not in some and (told := made.get(subscriber.viewer.words.language)):
                subscriber.send(message("stale", {}) if _has_begun(table, device) else told)
                subscriber.state.forget()
        await self._tell_apart(table)

    async def _tell_apart(self, table: Table) -> None:
        some = self._with_rights(table)
        await self._tell_each(table, [each for each in self.subscribers.values() if each.viewer.device in some])

    def _with_rights(self, table: Table) -> set[str]:
        """The devices that may do more than play their own sheets."""
        expected = table.next()
        roller = {table.places[expected.roller].device} if isinstance(expected, Throw) else set()
        return {table.host, *roller}

    def _plain(self, table: Table) -> str:
        """A device that may do no more than play: where picks are owed, one that owes one and has not begun it.

        What others see is made of its page, and an open pick is nobody else's affair. '' is a guest.
        """
        expected, some = table.next(), self._with_rights(table)
        if isinstance(expected, Pick):
            due = (place.device for seat, place in table.places.items() if expected.is_due(seat))
            return with_one_seat(table, (each for each in due if each not in some and not _has_begun(table, each)))
        return with_one_seat(table, (each for each in table.devices if each not in some))

    async def _common(self, table: Table, said: Words) -> dict[str, Any]:
        """What a page needs to let its own sheet be filled, and what it shows once that is done."""
        player, guest = (Viewer(device, said, "") for device in (self._plain(table), ""))
        waiting = player if isinstance(table.next(), Throw) else guest
        stands = standing(table) if isinstance(table.next(), Over) else None
        return {
            **moment(table),
            "digest": crowd_digest(table.turn),
            "sum": sum(table.faces),
            "due": await self._parts(table, player, "status", "after", "room"),
            "wait": await self._parts(table, waiting, "status", "after"),
            "all": await self._parts(table, guest, "finish", "over", "players"),
            "totals": stands.totals if stands else {},
        }

    async def _parts(self, table: Table, viewer: Viewer, *names: str) -> list[str]:
        made = draw_sections(viewer.words, await self._views.page(table, viewer), names)
        return [each.__html__() for each in made.values()]

    def _count_soon(self) -> None:
        if self._counting is None:
            self._counting = asyncio.create_task(self._count())
            self._counting.add_done_callback(log_failure)

    async def _count(self) -> None:
        await asyncio.sleep(max(CALM_SECONDS, len(self.subscribers) / COUNTS_A_SECOND))
        self._counting = None
        if (table := self._last) is None:
            return
        self._tell_programs(table)
        if not is_crowd(table):
            return
        self._strangers.clear()
        spoken = {each.viewer.words for each in self.subscribers.values()}
        made = {said.language: message("count", count_told(table, said)) for said in spoken}
        for subscriber in self.subscribers.values():
            if not self._owes(table, subscriber.viewer.device):  # who owes a pick sees no count
                subscriber.send(made[subscriber.viewer.words.language])
        await self._tell_apart(table)

    def _owes(self, table: Table, device: str) -> bool:
        return bool(table.turn) and any(map(table.is_due, table.devices.get(device, ())))


def _has_begun(table: Table, device: str) -> bool:
    """Whether a device is in the middle of a pick of several steps."""
    return any(table.step(seat) and table.is_due(seat) for seat in table.devices.get(device, ()))


def log_failure(task: asyncio.Task[None]) -> None:
    """A task that nobody waits for must not fail in silence."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("news could not be told", exc_info=error)


def packed(page: TablePage, viewer: Viewer, *, is_crowd: bool) -> bytes:
    """A table's page as it is sent."""
    state = PageState()
    sections = {
        name: Markup("".join(state.update_section(name, made)))  # noqa: S704 - made of templates
        for name, made in draw_sections(viewer.words, page).items()
    }
    digest = crowd_digest(page.turn) if is_crowd and not page.is_host else state.digest
    spoken = words(viewer.invited) if viewer.invited else viewer.words
    invited = invitation(GAMES[page.game.name], spoken, page.inviter)
    html = render(viewer.words, "table.html", TableDocument(page, sections, digest, invited, viewer.origin))
    return gzip.compress(html.encode(), PACKING, mtime=0)


class Channels:
    """The channels of all tables that somebody looks at here, and the pages that they begin with."""

    def __init__(self, views: Views, config: Config | None = None) -> None:
        self.views = views
        self.admission = Admission(config or Config())
        self._channels: dict[str, Channel] = {}

    async def admit(self, visitor: Visitor, name: str, device: str) -> Table:
        """The table that somebody wants to follow, unless that would be one stream too many."""
        table = self.views.service.seen(name) or await self.views.service.table(name)
        self.views.service.presence.check(name, device)
        self.admission.check(visitor, table)
        return table

    async def document(self, name: str, viewer: Viewer) -> bytes:
        """The whole page of a table, compressed."""
        table = await self.views.service.table(name)
        viewer, channel = self.views.seen_as(table, viewer), self.find(name)
        if channel is not None and is_crowd(table) and viewer.device == STRANGER:
            return await channel.strangers_page(table, viewer)
        return packed(await self.views.page(table, viewer), viewer, is_crowd=is_crowd(table))

    async def all(self, table: Table, viewer: Viewer, page: str) -> dict[str, Any]:
        """All sections of a page, which its stream goes on from."""
        return await self._news(table, viewer, page, anew=True)

    async def changed(self, table: Table, viewer: Viewer, page: str, *, is_first_pick: bool) -> dict[str, Any]:
        """What a page does not show yet after its own post. Of a crowd, a pick changes only one's own sheet."""
        if is_first_pick and viewer.device != table.host and is_crowd(table):
            if (subscriber := self._subscriber(table, viewer, page)) is not None:
                subscriber.state.forget()
            return {**moment(table), "parts": await self._own_pick(table, viewer)}
        return await self._news(table, viewer, page, anew=False)

    async def _own_pick(self, table: Table, viewer: Viewer) -> list[str]:
        page = await self.views.page(table, viewer)
        made = draw_sections(viewer.words, page, ("status", "mine", "after"))
        parts = [each.__html__() for name, each in made.items() if name != "mine"]
        sheet, mine = page.sheet, made["mine"]
        if sheet is None or sheet.is_due or page.tabs or not mine.fresh:
            return [*parts, mine.__html__()]
        return [*parts, *(mine.child(key).replace(KNOWN, "") for key in mine.fresh)]

    async def _news(self, table: Table, viewer: Viewer, name: str, *, anew: bool) -> dict[str, Any]:
        """By the page's stream, which looks from now on where its posts look; without one, all is new."""
        key = self.views.key(table, viewer)
        page = await self.views.page(table, viewer)
        subscriber = self._subscriber(table, viewer, name)
        if subscriber is None:
            return {**Subscriber(name, viewer).news(table, page, anew=True), "number": 0}
        subscriber.viewer, subscriber.seen, subscriber.turn = viewer, key, table.turn
        return subscriber.news(table, page, anew=anew)

    def _subscriber(self, table: Table, viewer: Viewer, page: str) -> Subscriber | None:
        channel = self.find(table.id)
        return channel.find(viewer.device, page) if channel else None

    def find(self, table: str) -> Channel | None:
        """The channel of a table, if there is one that still tells."""
        channel = self._channels.get(table)
        return channel if channel and channel.is_open else None

    @asynccontextmanager
    async def subscribed(self, table: str, subscriber: Subscriber, digest: str) -> AsyncGenerator[None]:
        """While this lasts, the subscriber is sent all news of a table, and its device is present."""
        presence = self.views.service.presence
        with (
            presence.of(table, subscriber.viewer.device),
            presence.watching(table),
            self._channel(table) as channel,
        ):
            try:
                with suppress(KastaError):  # the channel says so
                    await channel.join(subscriber, digest)
                yield
            finally:
                channel.leave(subscriber)

    @asynccontextmanager
    async def program_subscribed(self, table: str, program: EventQueue, device: str) -> AsyncGenerator[None]:
        """While this lasts, a program is sent throws, counts and the end, and its device is present."""
        with self.views.service.presence.of(table, device), self._channel(table) as channel:
            try:
                with suppress(KastaError):  # the channel says so
                    await channel.add_program(program)
                yield
            finally:
                channel.remove_program(program)

    @contextmanager
    def _channel(self, table: str) -> Iterator[Channel]:
        """The channel of a table, which goes when nobody looks at it any more."""
        channel = self.find(table)
        if channel is None:
            channel = self._channels[table] = Channel(table, self.views)
        channel.streams += 1
        try:
            yield channel
        finally:
            channel.streams -= 1
            if not channel.streams:
                if self._channels.get(table) is channel:
                    del self._channels[table]
                channel.close()
