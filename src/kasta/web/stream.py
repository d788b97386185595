"""The event stream of a table's page."""

from __future__ import annotations

from typing import Any

from litestar import Request, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from kasta.web.boards import Boards, Listener, new_page
from kasta.web.outlets import EventStream
from kasta.web.viewing import viewer_of

LONGEST_NAME = 40  # of a page


@get("/t/{table:str}/stream", include_in_schema=False)
async def page_stream(
    request: Request[Any, Any, Any],
    table: FromPath[str],
    boards: NamedDependency[Boards],
    page: FromQuery[str] = "",
    digest: FromQuery[str] = "",
) -> EventStream:
    """News for one page; `digest` is that of what it shows already."""
    listener = Listener(page[:LONGEST_NAME] or new_page(), viewer_of(request))
    now = await boards.admit(request, table, listener.viewer.device)
    return EventStream(listener, boards.admission.counted(request, now, boards.listening(table, listener, digest)))


router = Router("/", route_handlers=[page_stream])
