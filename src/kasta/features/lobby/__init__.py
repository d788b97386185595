"""How a table is opened, and how a seat is taken along to another device."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.lobby.pages import PAGES

FEATURE = Feature("lobby", Path(__file__).parent, pages=PAGES, place="play")
