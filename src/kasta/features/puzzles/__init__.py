"""Puzzles, and a rating for who solves them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.coach.puzzles import with_puzzles
from kasta.feature import Feature, GameLesson, Site
from kasta.features.puzzles.pages import PAGES
from kasta.features.puzzles.store import ANSWERS, PERSONAL
from kasta.features.puzzles.today import TodaysPuzzles
from kasta.messages import Note


def _start(site: Site) -> Mapping[str, object]:
    site.today.append(TodaysPuzzles(site.service, site.log.db).entry)
    site.lessons.append(GameLesson(Note("Puzzle"), "/puzzle/{game}", with_puzzles()))
    return {}


FEATURE = Feature(
    "puzzles",
    Path(__file__).parent,
    pages=PAGES,
    start=_start,
    personal=[PERSONAL],
    backup=[ANSWERS],
    place="learn",
)
