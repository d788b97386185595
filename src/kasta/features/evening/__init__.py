"""Games that follow on each other, with a running table."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.evening.pages import PAGES, SLOW

FEATURE = Feature("evening", Path(__file__).parent, pages=PAGES, slow=SLOW, place="own")
