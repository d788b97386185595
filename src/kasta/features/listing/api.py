"""The open tables, for programs."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency

from kasta.edge.problems import REFUSALS
from kasta.features.listing.service import Listing
from kasta.wire.tables import ListedTable, ListedTables


@get("/tables", responses=REFUSALS)
async def open_tables(listing: NamedDependency[Listing]) -> ListedTables:
    """Tables where anybody may sit down: those whose setting `listed` says so. The newest come first."""
    tables = await listing.tables()
    return ListedTables(
        [ListedTable(each.id, each.game.name, each.game.rules, len(each.places)) for each in tables]
    )


API = [open_tables]
