"""One's own mistakes, asked again."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.quiz.pages import PAGES

FEATURE = Feature("quiz", Path(__file__).parent, pages=PAGES, place="learn")
