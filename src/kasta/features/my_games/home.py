"""One's best totals on the home page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.templates import render
from kasta.features.my_games.statistics import day_of
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.i18n.dates import day_noted
from kasta.results.model import Ruled
from kasta.results.store import Results
from kasta.results.titles import is_known, title_of

MOST_SHOWN = 6


@dataclass(frozen=True, slots=True)
class BestTotal:
    """The best in one game, and the day on which it was made."""

    ruled: Ruled
    theme: str
    title: str
    total: int
    day: str


@dataclass(frozen=True, slots=True)
class BestTotalsHome:
    """my_games/home.html"""

    bests: tuple[BestTotal, ...]


@dataclass(frozen=True, slots=True)
class BestTotals:
    """The section of the home page, for whoever has played a game to its end."""

    results: Results

    async def home_section(self, device: str | None, words: Words) -> Markup:
        found = await self.results.best_of(device) if device else []
        bests = [
            BestTotal(ruled, GAMES[ruled[0]].theme, title_of(ruled, words), total, day_noted(words, day_of(ended)))
            for ruled, total, ended in found
            if is_known(ruled)
        ]
        if not bests:
            return Markup()
        page = BestTotalsHome(tuple(bests[:MOST_SHOWN]))
        return Markup(render(words, "my_games/home.html", page))  # noqa: S704 - rendered
