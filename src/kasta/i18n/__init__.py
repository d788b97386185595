"""Five languages. English is the text in the source; the others stand in .po files beside this one."""

from __future__ import annotations

import gettext
import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

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
    """The words of a language. Catalogs are compiled when they are first needed: there is no build step."""
    if language == DEFAULT:
        return Words(language, gettext.NullTranslations())
    text = (files("kasta.i18n") / f"{language}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(text), locale=language))
    compiled.seek(0)
    return Words(language, gettext.GNUTranslations(compiled))


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
