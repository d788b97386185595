"""The forms of the row of reactions. With the page's script nothing comes back: the stream tells what is new."""

from __future__ import annotations

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import FromPath
from litestar.response import Redirect

from kasta.edge.http import Visit, back_to, device, posted, wants_parts, whole_number
from kasta.features.reactions.nudges import Nudges
from kasta.features.reactions.service import REACTIONS, Reactions


@post("/t/{table:str}/react")
async def react(
    request: Visit, table: FromPath[str], reactions: NamedDependency[Reactions]
) -> Response[None] | Redirect:
    """Show one of the six to all."""
    form = await posted(request)
    reaction = str(form.get("reaction", ""))
    if reaction not in REACTIONS:
        raise ClientException
    await reactions.react(table, device(request), reaction, whole_number(form.get("seat"), least=0))
    return _done(request, table)


@post("/t/{table:str}/nudge")
async def nudge(
    request: Visit, table: FromPath[str], nudges: NamedDependency[Nudges]
) -> Response[None] | Redirect:
    """Remind whoever keeps all waiting."""
    await nudges.nudge(table, device(request))
    return _done(request, table)


def _done(request: Visit, table: str) -> Response[None] | Redirect:
    return Response(None, status_code=204) if wants_parts(request) else back_to(table)


PAGES = [react, nudge]
