"""All that features keep of a person."""

from __future__ import annotations

from kasta.features.puzzles.store import PERSONAL as ANSWERS
from kasta.results.store import PERSONAL as RESULTS

PERSONAL = (RESULTS, ANSWERS)
