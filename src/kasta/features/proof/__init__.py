"""Proof of the dice of a table."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.proof.pages import PAGES, SLOW

FEATURE = Feature("proof", Path(__file__).parent, pages=PAGES, slow=SLOW)
