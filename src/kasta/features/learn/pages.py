"""The page of what can be learned: for each game what features bring, and parts of their own below."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import Response, get
from litestar.di import NamedDependency
from markupsafe import Markup

from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.feature import GameLesson, HomeSection
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.page.models import GameCard, game_card
from kasta.page.sheet_picture import sample_picture


@dataclass(frozen=True, slots=True)
class LearnCard:
    """A game, its sheet as a picture, and the titles and addresses of what there is to learn it with."""

    game: GameCard
    picture: Markup
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LearnPage:
    """learn/page.html"""

    games: tuple[LearnCard, ...]
    sections: tuple[Markup, ...]  # of other features


@get("/learn")
async def learn(
    request: Visit, lessons: NamedDependency[list[GameLesson]], lesson_sections: NamedDependency[list[HomeSection]]
) -> Response[str]:
    said, who = spoken(request), visitor_of(request).device
    page = LearnPage(
        tuple(
            LearnCard(game_card(traits, said), sample_picture(traits), _ways(traits.name, lessons, said))
            for traits in GAMES.working()
        ),
        tuple([await section(who, said) for section in lesson_sections]),
    )
    return html(render(said, "learn/page.html", page))


def _ways(game: str, lessons: list[GameLesson], words: Words) -> tuple[tuple[str, str], ...]:
    return tuple(
        (words.say(each.title), each.address.format(game=game))
        for each in lessons
        if each.games is None or game in each.games
    )


PAGES = [learn]
