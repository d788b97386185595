"""Open tables that strangers may find."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.db.key_value import KeyValue
from kasta.feature import Feature, Site
from kasta.features.listing.api import API
from kasta.features.listing.home import OpenTables
from kasta.features.listing.service import Listing
from kasta.tables.events import Configured, OpenedEvent


def _start(site: Site) -> Mapping[str, object]:
    listing = Listing(KeyValue(site.log.db), site.service.table)
    site.service.on(OpenedEvent, listing.note)
    site.service.on(Configured, listing.note)
    site.home.append(OpenTables(listing).home_section)
    return {"listing": listing}


FEATURE = Feature("listing", Path(__file__).parent, api=API, start=_start)
