"""Rules pages."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.rules.pages import PAGES

FEATURE = Feature("rules", Path(__file__).parent, pages=PAGES)
