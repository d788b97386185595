"""A site without a server: home page, rules and the pocket in every language, as files.

Every address is relative: all of it can lie in any folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.assets import assets, version
from kasta.edge.templates import render
from kasta.features.pocket.packing.values import packed_values, values_named
from kasta.features.pocket.pages import PocketPage, games_of, packed_files, worker_script
from kasta.features.pocket.runtime.answers import FORMS
from kasta.features.pocket.site_place import SitePlace
from kasta.games import GAMES
from kasta.i18n import LANGUAGES, Words, words
from kasta.page.models import GameCard
from kasta.page.sheet_picture import sample_picture
from kasta.rulebook.html import rules_page

PLAY = "play/"
WORKER = "worker.js"
PACKED = "packed/"
OF_VALUES = "values/"


@dataclass(frozen=True, slots=True)
class StaticGame:
    """A game, with a picture of its sheet."""

    game: GameCard
    picture: Markup


@dataclass(frozen=True, slots=True)
class StaticHome:
    """pocket/static_home.html"""

    place: SitePlace
    games: tuple[StaticGame, ...]


@dataclass(frozen=True, slots=True)
class StaticRules:
    """pocket/static_rules.html"""

    place: SitePlace
    game: GameCard
    title: str
    body: Markup


def static_files() -> Iterator[tuple[str, bytes]]:
    """All pages, and the files that they load."""
    loaded: dict[str, None] = {}
    asset = re.compile(rf'/static/{version()}/([\w./-]+)"')
    for language in LANGUAGES:
        for place, text in _pages(words(language)):
            loaded |= dict.fromkeys(asset.findall(text))
            yield f"{place.folder}index.html", text.encode()
    for name in loaded:
        yield f"static/{version()}/{name}", assets()[name]
    yield f"{PLAY}{WORKER}", worker_script(PACKED, OF_VALUES)
    for name, file in packed_files().items():
        yield f"{PLAY}{PACKED}{name}", file.content
    for name in values_named():
        yield f"{PLAY}{OF_VALUES}{name}", packed_values(name)


def _pages(said: Words) -> Iterator[tuple[SitePlace, str]]:
    cards, home = games_of(said), SitePlace(said.language)
    games = tuple(StaticGame(card, sample_picture(GAMES[card.name])) for card in cards)
    yield home, render(said, "pocket/static_home.html", StaticHome(home, games))
    play = SitePlace(said.language, PLAY)
    worker = f"{play.up}/{PLAY}{WORKER}"
    page = PocketPage(cards, worker, tuple(FORMS), "pocket/static.html", "./", play)
    yield play, render(said, "pocket/page.html", page)
    for card in cards:
        place = SitePlace(said.language, f"rules/{card.name}/")
        title, body = rules_page(said.language, card.name)
        yield place, render(said, "pocket/static_rules.html", StaticRules(place, card, title, body))
