"""Practice boards."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.practice.pages import PAGES

FEATURE = Feature("practice", Path(__file__).parent, pages=PAGES)
