"""The way to a game with somebody."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.response import Redirect

from kasta.edge.http import Visit, back_to, posted
from kasta.edge.visitor import visitor_of
from kasta.features.listing.home import OpenTables
from kasta.features.listing.strangers import Strangers


@post("/somebody")
async def play_with_somebody(
    request: Visit, strangers: NamedDependency[Strangers], open_tables: NamedDependency[OpenTables]
) -> Redirect:
    """Sit down with a stranger, or wait for one."""
    if not open_tables.is_on:
        raise NotFoundException
    form = await posted(request)
    table = await strangers.play(
        visitor_of(request), str(form.get("game", "")), str(form.get("name", "")), with_bot=bool(form.get("bot"))
    )
    return back_to(table.id)


PAGES = [play_with_somebody]
