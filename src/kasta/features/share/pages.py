"""A sheet of a game that is over as a picture: one's own, or what the table shows of others'."""

from __future__ import annotations

import re

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.core import Over
from kasta.edge.fair_queue import draw_in_thread
from kasta.edge.http import Visit
from kasta.edge.visitor import visitor_of
from kasta.features.share.invitations import invitation_picture
from kasta.i18n import Words
from kasta.live.dependencies import TheService
from kasta.page.end.ending import link_to_play, told_of
from kasta.page.sheet_model import drawing_of
from kasta.paper.card import Card, CardResult, card
from kasta.paper.pictures import png, svg
from kasta.tables.state import Table
from kasta.tables.view import view

NAME = re.compile(r"(\d{1,6})\.(svg|png)", re.ASCII)
SLOW = (r"/t/[^/]+/sheet/[^/]+\.png", r"/invitation/[^/]+")


@get("/t/{table:str}/sheet/{name:str}")
async def sheet_picture(
    request: Visit,
    table: FromPath[str],
    name: FromPath[str],
    service: TheService,
) -> Response[bytes]:
    """`0.svg` or `0.png` for the sheet of seat 0. Before the end there is none: sheets are on the page."""
    asked, now = NAME.fullmatch(name), await service.table(table)
    if asked is None or not isinstance(now.next(), Over) or not now.turn:
        raise NotFoundException
    visitor = visitor_of(request)
    picture = picture_of(now, int(asked[1]), visitor.known_device, visitor.origin, visitor.words)
    if picture is None:
        raise NotFoundException
    if asked[2] == "svg":
        return Response(svg(picture).encode(), media_type="image/svg+xml")
    return Response(await draw_in_thread(visitor.address, png, picture), media_type="image/png")


def picture_of(table: Table, seat: int, device: str, origin: str, words: Words) -> Card | None:
    """The picture of a seat's sheet, if this device is shown that sheet."""
    seen = view(table, device)
    for each in (*seen.mine, *seen.others):
        if each.seat == seat and each.sheet is not None:
            drawn = drawing_of(table.game, each.sheet, words)
            told = told_of(table, each, seen.seats, words)
            return card(CardResult(table.game, drawn, each.points, told, link_to_play(origin, table)), words)
    return None


PAGES = [sheet_picture, invitation_picture]
