"""Kasta as files, for web servers that run no program."""

from __future__ import annotations

from pathlib import Path

from kasta.feature import Feature
from kasta.features.site.pages import static_files

FEATURE = Feature("site", Path(__file__).parent, static=static_files)
