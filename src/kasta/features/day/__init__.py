"""The throws of the day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from kasta.feature import Feature, Site
from kasta.features.day.pages import DayPages
from kasta.features.day.routes import API, PAGES
from kasta.features.day.service import Days
from kasta.features.day.store import DAYS
from kasta.messages import Note
from kasta.page.navigation import Destination
from kasta.series.ghost import Ghosts

CALENDAR = (
    '<rect x="4" y="5" width="16" height="15" rx="3"/><path d="M4 10h16M8 3v4M16 3v4M9 13v4M12 13v4M15 13v4"/>'
)


@dataclass(frozen=True, slots=True)
class DaySettings:
    names_on_boards: Annotated[
        bool,
        Meta(description="whether players may show their names on the boards of the day; each has to ask for it"),
    ] = False


def _start(site: Site) -> Mapping[str, object]:
    days, ghosts = Days(site.log), Ghosts(site.log, site.coach)
    has_names = site.config.of(DaySettings).names_on_boards
    pages = DayPages(site.service, days, site.results, site.collector, ghosts, site.today, has_names=has_names)
    site.dice.add(days)
    site.home.append(pages.home_section)
    site.hourly.append(days.prepare)
    site.retention.looked.append(days.look)
    site.closing.append(ghosts.close)
    return {"days": days, "day_pages": pages}


FEATURE = Feature(
    "day",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    settings=DaySettings,
    backup=[DAYS],
    brings=Destination("today", Note("Today"), "/day", CALENDAR),
    place="today",
)
