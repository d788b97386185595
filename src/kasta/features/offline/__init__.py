"""Kasta as an installed app."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.offline.pages import PAGES

FEATURE = Feature(
    "offline",
    Path(__file__).parent,
    pages=PAGES,
    start=lambda site: {"offline_files": site.offline, "offline_later": site.for_later},
)
