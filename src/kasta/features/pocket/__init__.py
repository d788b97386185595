"""Games without the server: what was played there comes home."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.pocket.api import API
from kasta.features.pocket.coming_home import ComingHome, PocketSettings


def _start(site: Site) -> Mapping[str, object]:
    return {"coming_home": ComingHome(site.log, site.signer, site.config.of(PocketSettings))}


FEATURE = Feature("pocket", Path(__file__).parent, api=API, start=_start, settings=PocketSettings)
