"""Rules pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.rules.pages import PAGES


def _start(site: Site) -> Mapping[str, object]:
    site.offline.append("rules.css")  # rules that were seen can be read without a network
    return {}


FEATURE = Feature("rules", Path(__file__).parent, pages=PAGES, start=_start)
