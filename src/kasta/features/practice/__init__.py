"""Practice sheets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, GameLesson, Site
from kasta.features.practice.pages import PAGES
from kasta.messages import Note


def _start(site: Site) -> Mapping[str, object]:
    site.lessons.append(GameLesson(Note("Practice sheet"), "/practice/{game}"))
    return {}


FEATURE = Feature("practice", Path(__file__).parent, pages=PAGES, start=_start, place="learn")
