"""The picture of an invitation, by game and language."""

from __future__ import annotations

import re

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.edge.fair_queue import draw_in_thread
from kasta.edge.http import Visit
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.i18n import LANGUAGES, words
from kasta.paper.invitation import invitation_png

NAME = re.compile(r"([\w-]+)\.([a-z]{2})\.png", re.ASCII)
A_DAY = {"cache-control": "public, max-age=86400"}


@get("/invitation/{name:str}")
async def invitation_picture(request: Visit, name: FromPath[str]) -> Response[bytes]:
    asked = NAME.fullmatch(name)
    if asked is None or asked[1] not in GAMES or asked[2] not in LANGUAGES:
        raise NotFoundException
    drawn = await draw_in_thread(visitor_of(request).address, invitation_png, GAMES[asked[1]], words(asked[2]))
    return Response(drawn, media_type="image/png", headers=A_DAY)
