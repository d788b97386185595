"""Five languages. English is the text in the source; the others stand in .po files beside this one.

What is read are .mo files, made of them when the package is built.
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from kasta.errors import KastaError, Unreadable
from kasta.messages import MESSAGES

LANGUAGES = {"sv": "Svenska", "nb": "Norsk", "de": "Deutsch", "fr": "Français", "en": "English"}
DEFAULT = "en"
MINUS = "\N{MINUS SIGN}"
MOST_GAMES = "game"  # the context of texts that games may say in another way
ROLLING = ("Throw", "Your turn to throw", "{name} throws", "throws")
"""Texts that differ from game to game: Swedes have two words for throwing."""
GRID = "grid"
OF_GRIDS = (
    "All sheets compared",
    "Automatic throw",
    "Call out the throw on this device",
    "Correct the throw",
    "Hear the others\N{RIGHT SINGLE QUOTATION MARK} throws, too",
    "Hide each sheet until the phone is handed over",
    "Sheet of {name}",
    "The others\N{RIGHT SINGLE QUOTATION MARK} sheets",
    "The sheet stays, without a place. This cannot be undone.",
    "The throw was corrected. Picks made on it are taken back.",
    "Throws of the day",
    "Who throws",
    "Your sheet",
    "Your sheet stays, without a place. You cannot come back into this game.",
    "allowed until the next throw",
)
"""Texts that are said in other words of a game with a grid, in the context `grid`."""
ALSO = {"no": "nb", "nn": "nb", "da": "nb"}  # who reads these reads bokmål better than English


@dataclass(frozen=True, slots=True, eq=False)  # there is one of each language: a key that costs nothing
class Words:
    """One language: the functions of gettext, and the sentences of errors."""

    language: str
    catalog: gettext.NullTranslations

    def say(self, text: str, /, **params: object) -> str:
        return self.catalog.gettext(text).format_map(params)

    def term(self, game: str, text: str, /, **params: object) -> str:
        """A text of a game or a kind of game, which may have its own word for it; else what most games say."""
        found = self.catalog.pgettext(game, text)
        if found == text:
            found = self.catalog.pgettext(MOST_GAMES, text)
        if found == text:
            found = self.catalog.gettext(text)
        return found.format_map(params)

    def count(self, one: str, many: str, number: int, /, **params: object) -> str:
        return self.catalog.ngettext(one, many, number).format_map({"number": number, **params})

    def names(self, names: Sequence[str]) -> str:
        """Several names as they are said together."""
        *others, last = names or [""]
        return self.say("{names} and {name}", names=", ".join(others), name=last) if others else last

    def decimal(self, value: float, *, sign: bool = False, places: int = 1) -> str:
        """A figure with so many decimals, as the language writes it."""
        rounded = round(value, places) + 0.0  # no minus before nothing
        text = f"{abs(rounded):.{places}f}"
        text = text if self.language == "en" else text.replace(".", ",")
        return (MINUS if rounded < 0 else "+" if sign and rounded > 0 else "") + text

    def error(self, error: KastaError) -> str:
        """The sentence of an error, for people: without notation, and with names where they are known."""
        nobody = {} if "name" in error.params else {"name": self.say("Seat {seat}", seat=error.params.get("seat"))}
        return self.say(MESSAGES[error.code], **error.blanks | nobody)


@cache
def words(language: str) -> Words:
    """The words of a language."""
    if language == DEFAULT:
        return Words(language, gettext.NullTranslations())
    if language not in LANGUAGES:
        raise Unreadable("unknown_language", text=language, known=", ".join(sorted(LANGUAGES)))
    compiled = files("kasta.i18n") / f"{language}.mo"
    if not compiled.is_file():
        raise FileNotFoundError(f"{compiled} is not made yet: run `python hatch_build.py` in the source tree")
    with compiled.open("rb") as catalogue:
        return Words(language, gettext.GNUTranslations(catalogue))


def add_texts(folder: Path) -> None:
    """Have the texts of another package, too: a folder of .mo files, one a language. Our own go first."""
    for language in LANGUAGES:
        if (compiled := folder / f"{language}.mo").is_file():
            with compiled.open("rb") as catalogue:
                words(language).catalog.add_fallback(gettext.GNUTranslations(catalogue))


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


def spelled(code: str) -> str:
    """A code such as `two_pairs` in English: the text that translations start from."""
    return code.replace("_", " ")
