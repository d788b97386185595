"""The language of the terminal: what the first screen needs without Typer."""

from __future__ import annotations

import os

from kasta.i18n import ALSO, DEFAULT, LANGUAGES, Words, words


def language_of_terminal() -> str:
    """The first language of ours that the environment names."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if named := os.environ.get(variable):
            short = named[:2].lower()
            found = ALSO.get(short, short)
            return found if found in LANGUAGES else DEFAULT
    return DEFAULT


def own_words() -> Words:
    """The words of whoever sits at the terminal."""
    return words(language_of_terminal())
