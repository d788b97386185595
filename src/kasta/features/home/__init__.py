"""The home page."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.home.pages import PAGES

FEATURE = Feature("home", Path(__file__).parent, pages=PAGES, start=lambda site: {"home_sections": site.home})
