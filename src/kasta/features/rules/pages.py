"""The rules of a game, as a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from markupsafe import Markup

from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.games import GAMES
from kasta.page.models import GameCard, game_card
from kasta.rulebook.html import rules_page


@dataclass(frozen=True, slots=True)
class RulesPage:
    """rules/page.html; `table` is the one that it was opened from, if any."""

    game: GameCard
    title: str
    body: Markup
    table: str | None = None


@get("/rules/{game:str}")
async def rules(request: Visit, game: FromPath[str]) -> Response[str]:
    if game not in GAMES:
        raise NotFoundException
    title, body = rules_page(spoken(request).language, game)
    table = request.query_params.get("table", "")
    back = table if re.fullmatch(r"[\w-]{1,64}", table, re.ASCII) else None
    page = RulesPage(game_card(GAMES[game], spoken(request)), title, body, back)
    answer = html(render(spoken(request), "rules/page.html", page))
    answer.headers["content-language"] = spoken(request).language
    return answer


PAGES = [rules]
