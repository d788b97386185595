"""The coach's hints while playing."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.hints import api, pages

FEATURE = Feature("hints", Path(__file__).parent, pages=pages.PAGES, api=api.API)
