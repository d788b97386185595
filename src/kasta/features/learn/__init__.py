"""What there is to learn a game with: the hub of what other features bring."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.learn.pages import PAGES
from kasta.messages import Note
from kasta.page.navigation import Destination

PENCIL = '<path d="M4 20l1.2-4.6L16 4.6a2 2 0 0 1 2.8 0l.6.6a2 2 0 0 1 0 2.8L8.6 18.8zM14 6.6l3.4 3.4"/>'


def _start(site: Site) -> Mapping[str, object]:
    return {"lessons": site.lessons, "lesson_sections": site.lesson_sections}


FEATURE = Feature(
    "learn",
    Path(__file__).parent,
    pages=PAGES,
    start=_start,
    brings=Destination("learn", Note("Learn"), "/learn", PENCIL),
    place="learn",
)
