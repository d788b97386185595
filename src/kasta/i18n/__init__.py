"""Five languages. English is the text in the source; the others stand in .po files beside this one.

What is read are .mo files, made of them when the package is built.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kasta.errors import KastaError
from kasta.messages import MESSAGES

LANGUAGES = {"sv": "Svenska", "nb": "Norsk", "de": "Deutsch", "fr": "Français", "en": "English"}
DEFAULT = "en"
ALSO = {"no": "nb", "nn": "nb", "da": "nb"}  # who reads these reads bokmål better than English


@dataclass(frozen=True, slots=True)
class Words:
    """One language: the functions of gettext, and the sentences of errors."""

    language: str
    catalog: gettext.NullTranslations

    def say(self, text: str, /, **params: object) -> str:
        return self.catalog.gettext(text).format_map(params)

    def say_of(self, game: str, text: str, /, **params: object) -> str:
        """As `say`, where the games have different words: Swedes slå at Knister and kasta at Yatzy."""
        return self.catalog.pgettext(game if game == "yatzy" else "knister", text).format_map(params)

    def term(self, game: str, word: str) -> str:
        """A word of a game: the same English word may have another one in each game."""
        return self.catalog.pgettext(game, word)

    def count(self, one: str, many: str, number: int, /, **params: object) -> str:
        return self.catalog.ngettext(one, many, number).format_map({"number": number, **params})

    def error(self, error: KastaError) -> str:
        return self.say(MESSAGES[error.code], **error.params)


@cache
def words(language: str) -> Words:
    """The words of a language."""
    if language == DEFAULT:
        return Words(language, gettext.NullTranslations())
    compiled = files("kasta.i18n") / f"{language}.mo"
    if not compiled.is_file():
        raise FileNotFoundError(f"{compiled} is not made yet: run `python hatch_build.py` in the source tree")
    with compiled.open("rb") as catalogue:
        return Words(language, gettext.GNUTranslations(catalogue))


def choose(accepted: str | None, kept: str | None = None) -> str:
    """The language to use: the kept one, or the first one we have of those a browser accepts."""
    if kept in LANGUAGES:
        return kept
    wishes = []
    for place, wish in enumerate((accepted or "")[:500].split(",")):
        name, _, quality = wish.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, name.lower()[:2]))
        except ValueError:
            continue
    for _, _, name in sorted(wishes):
        if (found := ALSO.get(name, name)) in LANGUAGES:
            return found
    return DEFAULT
