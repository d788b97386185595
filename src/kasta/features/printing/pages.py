"""The page from which pads are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from litestar import Response, get
from litestar.exceptions import NotFoundException

from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.i18n import LANGUAGES
from kasta.live.dependencies import TheCoach
from kasta.page.models import GameCard, game_card
from kasta.paper.pads import PAPERS
from kasta.paper.pdf import named_pads

MOST_PAGES = 20
SLOW = (r"/print/pads\.pdf",)


@dataclass(frozen=True, slots=True)
class PrintPage:
    """printing/page.html; `game` is the name of the one that is chosen first."""

    games: tuple[GameCard, ...]
    game: str
    papers: tuple[str, ...] = tuple(PAPERS)
    most_pages: int = MOST_PAGES


@get("/print")
async def print_page(request: Visit) -> Response[str]:
    said = spoken(request)
    games = tuple(game_card(traits, said) for traits in GAMES.working())
    return html(render(said, "printing/page.html", PrintPage(games, request.query_params.get("game", ""))))


@get("/print/pads.pdf")
async def pads(request: Visit, coach: TheCoach) -> Response[bytes]:
    """The pads that the page's form asks for, made in the coach's process: their QR codes open a table here."""
    asked = request.query_params
    game, language = asked.get("game", ""), asked.get("language", spoken(request).language)
    paper, pages = asked.get("paper", next(iter(PAPERS))), asked.get("pages", "1")
    is_number = re.fullmatch(r"\d{1,3}", pages, re.ASCII) and 0 < int(pages) <= MOST_PAGES
    if game not in GAMES or language not in LANGUAGES or paper not in PAPERS or not is_number:
        raise NotFoundException
    visitor = visitor_of(request)
    made = await coach.ask(visitor.address, named_pads, game, language, paper, int(pages), visitor.origin)
    headers = {"content-disposition": f'attachment; filename="kasta-{game}.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


PAGES = [print_page, pads]
