"""Circles: people who play together again and again, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.circle.api import API
from kasta.features.circle.backups import BACKUP
from kasta.features.circle.counting import taken
from kasta.features.circle.home import CirclesAtHome
from kasta.features.circle.pages import PAGES
from kasta.features.circle.personal import PERSONAL
from kasta.features.circle.service import Circles, CircleSettings
from kasta.features.circle.store import CircleStore
from kasta.live.groups import INVITES
from kasta.messages import Note
from kasta.tables.events import OpenedEvent


def _start(site: Site) -> Mapping[str, object]:
    settings = site.config.of(CircleSettings)
    circles = Circles(CircleStore(site.log.db), site.service, site.joining, site.groups, settings)
    circles.keep_groups()
    if settings.circles:
        site.notices.kinds[INVITES] = Note("Your circle invites you")
    site.collector.beside.append(taken)
    site.service.on(OpenedEvent, circles.follow)
    site.hourly.append(circles.tidy)
    site.home.append(CirclesAtHome(circles).home_section)
    return {"circles": circles, "groups": site.groups}


FEATURE = Feature(
    "circle",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    settings=CircleSettings,
    personal=[PERSONAL],
    backup=BACKUP,
    place="play",
)
