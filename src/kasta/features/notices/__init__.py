"""Notices on the lock screen, by Web Push: your turn, the next game, the throws of the day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from kasta.edge.config import Config
from kasta.feature import Feature, Site
from kasta.features.notices.pages import PAGES, NoticePages
from kasta.features.notices.sender import DAILY, Sender
from kasta.features.notices.store import PERSONAL, SUBSCRIPTIONS, Subscriptions
from kasta.features.notices.waiting import WAITING
from kasta.features.notices.watch import GRACE_SECONDS, INVITED, TURN, Watch
from kasta.messages import Note
from kasta.tables import events as e

NOBODY = "mailto:nobody@localhost"


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    push_services: Annotated[
        tuple[str, ...],
        Meta(
            description="the origins of your own push services, such as `http://10.0.0.5:8080`; "
            "others need https and a public address"
        ),
    ] = ()
    push_after: Annotated[
        float,
        Meta(
            ge=0, le=3_600, description="after how many seconds absent players get a notice that it is their turn"
        ),
    ] = GRACE_SECONDS


def contact_of(config: Config) -> str:
    """Whom a push service may write to."""
    told = config.security_contact
    if told:
        return told if told.startswith(("https:", "mailto:")) else f"mailto:{told}"
    return config.url if config.secure else NOBODY


def _start(site: Site) -> Mapping[str, object]:
    settings, store = site.config.of(NoticeSettings), Subscriptions(site.log.db)
    sender = Sender(store, site.signer.key, contact_of(site.config), settings.push_services)
    watch = Watch(site.service, store, site.notices, sender, settings.push_after)
    site.notices.kinds |= {
        TURN: Note("It is your turn, while you are away"),
        INVITED: Note("The next game is open"),
        DAILY: Note("The throws of the day, at this hour"),
    }
    site.notices.send, site.notices.withdraw = sender.send, sender.withdraw
    for kind in (e.Rolled, e.Acted, e.TakenBack, e.Replaced, e.Moved, e.Closed, e.Rematched):
        site.service.on(kind, watch.hear)
    site.hourly += [store.sweep, watch.start]
    site.closing.append(watch.close)
    pages = NoticePages(store, sender, site.notices, settings.push_services, site.log.cluster, site.signer)
    return {"notice_pages": pages, "sender": sender, "watch": watch}


FEATURE = Feature(
    "notices",
    Path(__file__).parent,
    pages=PAGES,
    start=_start,
    settings=NoticeSettings,
    personal=[PERSONAL],
    backup=[SUBSCRIPTIONS],
    sections={"waiting": WAITING},
)
