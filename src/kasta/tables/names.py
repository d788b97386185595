"""Players' names: what is a name, and when two of them would be mistaken for each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from itertools import chain, count, groupby

from kasta.errors import Unreadable

LONGEST = 20
MOST_MARKS = 4  # on one letter: more are no name, but a tower over the lines above it

# ruff: noqa: RUF001 - telling look-alikes apart is what this file is for
# Letters that look alike, folded to one of them (after case folding). Not complete: what people try at a table.
LOOK_ALIKES = str.maketrans(
    "авекмнорстухіјѕԁһԛԝүαβεζηικμνορτυχ0158!|",
    "abekmhopctyxijsdhqwyabezhikmvoptuxolsbll",
)

BOTS = ("Pixel", "Robo", "Chip", "Gizmo", "Turbo", "Nova", "Comet", "Orbit", "Zigzag", "Bit")
"""Names that are the same in every language, since each device at a table has its own."""

BLANKS = "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800\u180b\u180c\u180d"


def clean_name(text: str) -> str:
    """The name as it will be shown: normalised, with single spaces, 1 to 20 characters as a person counts them."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    for character in name:
        if unicodedata.category(character)[0] == "C" or _is_blank(character):
            raise Unreadable("name_character", code_point=f"U+{ord(character):04X}")
    length = sum(not _joins(character) for character in name)
    if not 1 <= length <= LONGEST or len(name) > 4 * LONGEST:
        raise Unreadable("name_length", longest=LONGEST)
    if any(joins and len(list(marks)) > MOST_MARKS for joins, marks in groupby(name, _joins)):
        raise Unreadable("name_marks", most=MOST_MARKS)
    return name


def bot_name(taken: Container[str]) -> str:
    """A name for a bot that is none of those taken, which are folded."""
    numbered = (f"{name} {number}" for number in count(2) for name in BOTS)
    return next(name for name in chain(BOTS, numbered) if folded(name) not in taken)


def folded(name: str) -> str:
    """The folded form of a name, equal for confusable names."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if not _joins(c))
    return bare.translate(LOOK_ALIKES).replace(" ", "")


def _joins(character: str) -> bool:
    """Whether it belongs to the character before it: accents, and the skin colour of an emoji."""
    return unicodedata.category(character)[0] == "M" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_blank(character: str) -> bool:
    """Letters that show nothing, although Unicode calls them letters or marks."""
    return character in BLANKS or "\ufe00" <= character <= "\ufe0e"
