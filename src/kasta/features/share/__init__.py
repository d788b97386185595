"""A sheet as a picture to send to others."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.share.pages import PAGES, SLOW

FEATURE = Feature("share", Path(__file__).parent, pages=PAGES, slow=SLOW)
