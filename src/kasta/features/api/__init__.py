"""The JSON API."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.api.tables import API, SLOW

FEATURE = Feature("api", Path(__file__).parent, api=API, slow=SLOW)
