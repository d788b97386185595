"""Six reactions that rise from a player's mark on all screens, and a nudge for who keeps the others waiting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.reactions.api import API
from kasta.features.reactions.bar import BAR
from kasta.features.reactions.nudges import Nudges
from kasta.features.reactions.pages import PAGES
from kasta.features.reactions.service import Reactions


def _start(site: Site) -> Mapping[str, object]:
    return {
        "reactions": Reactions(site.service, site.signals),
        "nudges": Nudges(site.service, site.signals, site.notices, site.log.cluster),
    }


FEATURE = Feature(
    "reactions", Path(__file__).parent, pages=PAGES, api=API, start=_start, sections={"reactions": BAR}
)
