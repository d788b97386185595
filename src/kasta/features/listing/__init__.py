"""Open tables that strangers may find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from kasta.db.key_value import KeyValue
from kasta.feature import Feature, Site
from kasta.features.listing.api import API
from kasta.features.listing.home import OpenTables
from kasta.features.listing.pages import PAGES
from kasta.features.listing.service import Listing
from kasta.features.listing.strangers import Strangers
from kasta.tables.events import Configured, OpenedEvent


@dataclass(frozen=True, slots=True)
class ListingSettings:
    open_tables: Annotated[
        bool,
        Meta(
            description="whether the home page lists tables that are open to strangers, and brings them together"
        ),
    ] = False


def _start(site: Site) -> Mapping[str, object]:
    listing = Listing(KeyValue(site.log.db), site.service.table)
    site.service.on(OpenedEvent, listing.note)
    site.service.on(Configured, listing.note)
    open_tables = OpenTables(listing, is_on=site.config.of(ListingSettings).open_tables)
    strangers = Strangers(listing, site.service, site.joining)
    site.home.append(open_tables.home_section)
    site.closing.append(strangers.close)
    return {"listing": listing, "open_tables": open_tables, "strangers": strangers}


FEATURE = Feature(
    "listing", Path(__file__).parent, pages=PAGES, api=API, start=_start, settings=ListingSettings, place="play"
)
