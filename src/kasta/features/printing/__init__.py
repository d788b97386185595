"""Pads to print."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.printing.pages import PAGES, SLOW

FEATURE = Feature("printing", Path(__file__).parent, pages=PAGES, slow=SLOW, place="learn")
