"""The home page."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.home.pages import PAGES
from kasta.messages import Note
from kasta.page.navigation import Destination

DIE = '<rect x="4" y="4" width="16" height="16" rx="4"/><path class="pips" d="M8.5 8.5h0M15.5 15.5h0M12 12h0"/>'

FEATURE = Feature(
    "home",
    Path(__file__).parent,
    pages=PAGES,
    start=lambda site: {"home_sections": site.home},
    brings=Destination("play", Note("Play"), "/", DIE),
    place="play",
)
