"""Rules pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, GameLesson, Site
from kasta.features.rules.pages import PAGES
from kasta.messages import Note


def _start(site: Site) -> Mapping[str, object]:
    site.offline.append("rules.css")  # rules that were seen can be read without a network
    site.lessons.append(GameLesson(Note("Rules"), "/rules/{game}"))
    return {}


FEATURE = Feature("rules", Path(__file__).parent, pages=PAGES, start=_start, place="learn")
