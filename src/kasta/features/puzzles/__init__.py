"""Puzzles, and a rating for who solves them."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.puzzles.pages import PAGES
from kasta.features.puzzles.store import ANSWERS, PERSONAL

FEATURE = Feature("puzzles", Path(__file__).parent, pages=PAGES, personal=[PERSONAL], backup=[ANSWERS])
