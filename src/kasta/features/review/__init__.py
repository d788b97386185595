"""The review of a finished game."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.review.routes import API, PAGES

FEATURE = Feature("review", Path(__file__).parent, pages=PAGES, api=API, place="learn")
