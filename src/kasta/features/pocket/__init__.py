"""Games without the server: they are played on the phone itself, and come home when there is a network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.pocket.api import API
from kasta.features.pocket.coming_home import ComingHome, PocketSettings
from kasta.features.pocket.pages import PAGES, begun_section
from kasta.features.pocket.site import static_files


def _start(site: Site) -> Mapping[str, object]:
    site.home.append(begun_section)
    site.for_later.append("/pocket/list")
    return {"coming_home": ComingHome(site.log, site.signer, site.config.of(PocketSettings))}


FEATURE = Feature(
    "pocket",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    settings=PocketSettings,
    place="play",
    static=static_files,
)
