"""The page where a device wishes for notices, each kind by itself, and takes that back."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from kasta.edge.http import Visit, device, html, posted, spoken, whole_number
from kasta.edge.identity import Signer
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal
from kasta.features.notices.post import NotPublicError, origin_of
from kasta.features.notices.sender import DAILY, Sender
from kasta.features.notices.store import Subscription, Subscriptions
from kasta.features.notices.times import next_time
from kasta.features.notices.watch import due_devices, is_company
from kasta.live.dependencies import TheChannels, TheService
from kasta.live.notices import Notices
from kasta.live.viewer import viewer_of
from kasta.tables.cluster_state import ClusterState

LONGEST_ENDPOINT = 1_000
LONGEST_KEY = 100
MOST_AN_ADDRESS = 1_000  # browsers a day: a hall plays too quickly to be told on lock screens
DAY = 86_400.0
USUAL_HOUR, LAST_HOUR = 8, 23


@dataclass(frozen=True, slots=True)
class KindChoice:
    """A kind of notice, and whether this device wishes for it."""

    name: str
    label: str
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class NoticesPage:
    """notices/page.html: all kinds, the hour of the daily one, and the key that the browser asks for."""

    kinds: tuple[KindChoice, ...]
    daily: str
    hour: int
    is_on: bool
    key: str


@dataclass(frozen=True, slots=True)
class NoticePages:
    """What the handlers need."""

    store: Subscriptions
    sender: Sender
    notices: Notices
    trusted: tuple[str, ...]
    cluster: ClusterState
    signer: Signer

    async def count(self, address: str) -> None:
        """Count one more browser of today from an address."""
        key = self.signer.mark(f"notices {address}")
        if seconds := await self.cluster.hit(key, MOST_AN_ADDRESS, DAY):
            raise Illegal("too_many_requests", seconds=seconds)

    async def wished(self, me: str) -> Subscription | None:
        return (await self.store.of([me])).get(me)

    def browser(self, form: dict[str, str]) -> tuple[str, str, str]:
        """Where a browser is reached, and its keys; refused if we would not send anything there."""
        from kasta.features.notices.encryption import BrowserKeys

        endpoint, p256dh, auth = (form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
        try:
            if len(endpoint) > LONGEST_ENDPOINT or max(len(p256dh), len(auth)) > LONGEST_KEY:
                raise ClientException
            BrowserKeys.read(p256dh, auth)
            origin_of(endpoint, self.trusted)
        except NotPublicError:
            raise Illegal("no_push_service") from None
        except ValueError:
            raise ClientException from None
        return endpoint, p256dh, auth


ThePages = NamedDependency[NoticePages]


@get("/notices")
async def show(request: Visit, notice_pages: ThePages) -> Response[str]:
    me, said = device(request), spoken(request)
    wish = await notice_pages.wished(me)
    if wish is not None:
        await notice_pages.store.seen(me, time.time())
    page = NoticesPage(
        tuple(
            KindChoice(name, said.say(label), name != DAILY if wish is None else wish.wants(name))
            for name, label in notice_pages.notices.kinds.items()
        ),
        DAILY,
        USUAL_HOUR if wish is None or wish.hour is None else wish.hour,
        wish is not None,
        notice_pages.sender.key.public,
    )
    return html(render(said, "notices/page.html", page))


@post("/notices")
async def wish(request: Visit, notice_pages: ThePages) -> Redirect:
    """Have this browser told of the kinds that were ticked."""
    form = await posted(request)
    sent = {key: str(value) for key, value in form.multi_items()}
    kinds = dict.fromkeys(str(value) for key, value in form.multi_items() if key == "kind")  # each once
    if not kinds.keys() <= notice_pages.notices.kinds.keys():
        raise ClientException
    hour, zone, now = whole_number(sent.get("hour"), least=0), sent.get("zone", ""), time.time()
    if hour is None or hour > LAST_HOUR or not re.fullmatch(r"[\w+/-]{1,64}", zone, re.ASCII):
        raise ClientException
    endpoint, p256dh, auth = notice_pages.browser(sent)
    visitor = visitor_of(request)
    me, language = visitor.own_device, visitor.language
    if await notice_pages.wished(me) is None:
        await notice_pages.count(visitor.address)
    due = next_time(hour, zone, now) if DAILY in kinds else None
    await notice_pages.store.put(
        Subscription(me, endpoint, p256dh, auth, language, zone, " ".join(kinds), hour, due, now)
    )
    return Redirect("/notices", status_code=303)


@post("/notices/renew", status_code=204)
async def renew(request: Visit, notice_pages: ThePages) -> None:
    """The browser has another subscription in place of the one that it had; its wishes stay."""
    me = visitor_of(request).own_device
    form = {key: str(value) for key, value in (await posted(request)).multi_items()}
    before = await notice_pages.wished(me)
    if before is not None:
        endpoint, p256dh, auth = notice_pages.browser(form)
        rest = before.language, before.zone, before.kinds, before.hour, before.due, time.time()
        await notice_pages.store.put(Subscription(me, endpoint, p256dh, auth, *rest))


@post("/notices/stop")
async def stop(request: Visit, notice_pages: ThePages) -> Redirect:
    """Send this browser nothing any more."""
    await notice_pages.store.delete(visitor_of(request).own_device)
    return Redirect("/notices", status_code=303)


@get("/t/{table:str}/waits")
async def waits(request: Visit, table: FromPath[str], service: TheService, channels: TheChannels) -> Response[Any]:
    """How a game stands, for a tab that nobody looks at: its title, and whether others wait for the visitor."""
    found, viewer = await service.table(table), viewer_of(request)
    if not found.is_seated(viewer.device):
        raise NotFoundException
    said, over = viewer.words, found.is_closed
    due = found.next_table is not None or viewer.device in due_devices(found) or is_company(found, viewer.device)
    title = said.say("The next game is open") if over and due else (await channels.views.page(found, viewer)).title
    return Response({"title": title, "due": due, "over": over}, headers={"cache-control": "no-store"})


PAGES = [show, wish, renew, stop, waits]
