"""The home page and the rules of all games, in every language, as files.

English is at the top, each other language in a folder. Every address is relative: all of it can lie in any folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.assets import assets, version
from kasta.edge.templates import render
from kasta.games import GAMES
from kasta.i18n import DEFAULT, LANGUAGES, Words, words
from kasta.page.models import GameCard, game_card
from kasta.page.sheet_picture import sample_picture
from kasta.rulebook.html import rules_page


@dataclass(frozen=True, slots=True)
class SitePlace:
    """Where a page is: `path` is its folder in each language, from the top or from the language's folder."""

    language: str
    path: str = ""

    @property
    def folder(self) -> str:
        """From the top."""
        return self.path if self.language == DEFAULT else f"{self.language}/{self.path}"

    @property
    def up(self) -> str:
        """The way to the top."""
        return "/".join([".."] * self.folder.count("/")) or "."

    @property
    def home(self) -> str:
        return f"{self.up}/{SitePlace(self.language).folder}"

    @property
    def languages(self) -> tuple[tuple[str, str, str], ...]:
        """The same page in all of them: code, name, address."""
        return tuple(
            (code, name, f"{self.up}/{SitePlace(code, self.path).folder}") for code, name in LANGUAGES.items()
        )


@dataclass(frozen=True, slots=True)
class StaticGame:
    """A game, with a picture of its sheet."""

    game: GameCard
    picture: Markup


@dataclass(frozen=True, slots=True)
class StaticHome:
    """site/home.html"""

    place: SitePlace
    games: tuple[StaticGame, ...]


@dataclass(frozen=True, slots=True)
class StaticRules:
    """site/rules.html"""

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


def _pages(said: Words) -> Iterator[tuple[SitePlace, str]]:
    cards = {traits.name: game_card(traits, said) for traits in GAMES.working()}
    home = SitePlace(said.language)
    games = tuple(StaticGame(card, sample_picture(GAMES[name])) for name, card in cards.items())
    yield home, render(said, "site/home.html", StaticHome(home, games))
    for name, card in cards.items():
        place = SitePlace(said.language, f"rules/{name}/")
        yield place, render(said, "site/rules.html", StaticRules(place, card, *rules_page(said.language, name)))
