"""Sections of a page, and the marked pieces within them, which can be replaced one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# A piece holds no other element of its own kind.
PIECE = re.compile(r'<(\w+)\s+data-piece id="([^"]+)".*?</\1>', re.DOTALL)
MARK = "\0"  # no page holds one

Recipe = tuple[Any, ...]
"""A function, and what it makes HTML of: where these are the same as before, nothing has to be made."""


def marked(piece: str) -> str:
    """The place of a piece in the frame of its section."""
    return f"{MARK}{piece}{MARK}"


class Section:
    """`frame` is the HTML with a mark for each piece; `pieces` tell by their ids what each is made of.

    `fresh` are those that were changed on the last throw, where that is known.
    """

    __slots__ = ("_made", "frame", "fresh", "pieces")

    def __init__(self, frame: str, pieces: dict[str, Recipe], fresh: Sequence[str] = ()) -> None:
        self.frame, self.pieces, self.fresh = frame, pieces, fresh
        self._made: dict[str, str] = {}

    @classmethod
    def of(cls, html: str) -> Section:
        """A section whose HTML is there already."""
        pieces: dict[str, Recipe] = {}

        def lift(found: re.Match[str]) -> str:
            pieces[found[2]] = str, found[0]
            return marked(found[2])

        return cls(PIECE.sub(lift, html), pieces)

    def __html__(self) -> str:
        """All of it, as templates take it."""
        parts = self.frame.split(MARK)
        return "".join(self.piece(part) if number % 2 else part for number, part in enumerate(parts))

    def piece(self, key: str) -> str:
        if key not in self._made:
            make, *of = self.pieces[key]
            self._made[key] = make(*of)
        return self._made[key]
