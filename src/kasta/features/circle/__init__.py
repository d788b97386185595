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
from kasta.tables.events import OpenedEvent


def _start(site: Site) -> Mapping[str, object]:
    circles = Circles(CircleStore(site.log.db), site.service, site.joining, site.config.of(CircleSettings))
    site.collector.beside.append(taken)
    site.service.on(OpenedEvent, circles.follow)
    site.hourly.append(circles.tidy)
    site.home.append(CirclesAtHome(circles).home_section)
    return {"circles": circles}


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
