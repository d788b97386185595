"""Hints while playing: the coach points at the best choice on the sheet, and says why in a sentence."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from litestar import Response, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.core import Seat
from kasta.edge.http import Visit, device, posted, spoken, whole_number
from kasta.edge.templates import dialog
from kasta.features.hints.service import best_options
from kasta.live.dependencies import TheCoach, TheService
from kasta.page.advice import places_of
from kasta.page.choices import ChoiceRow, choice_rows


@dataclass(frozen=True, slots=True)
class HintPage:
    """hints/hint.html: what the coach would do, the best first, and the ids of what it points at."""

    table: str
    seat: Seat
    rows: tuple[ChoiceRow, ...]
    places: tuple[str, ...]


@post("/t/{table:str}/hint", status_code=200)
async def hint(request: Visit, table: FromPath[str], service: TheService, coach: TheCoach) -> Response[str]:
    """With the page's script the answer comes onto the table itself."""
    seat = whole_number((await posted(request)).get("seat"), least=0)
    if seat is None:
        raise NotFoundException
    now, sheet, best = await best_options(service, coach, table, device(request), seat)
    rows = await asyncio.to_thread(choice_rows, now.game, sheet, best, spoken(request))
    places = places_of(now.game, seat, best[0].action, now.tray, now.game.legal(now.play, seat))
    page = HintPage(table, seat, rows, places)
    return dialog(request, "hints/hint.html", page)


PAGES = [hint]
