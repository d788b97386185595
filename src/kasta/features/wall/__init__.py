"""A table for a beamer or a television set."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.wall.pages import PAGES

FEATURE = Feature("wall", Path(__file__).parent, pages=PAGES)
