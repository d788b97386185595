"""Sections of a page, and the marked pieces within them, which can be replaced one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from sys import getsizeof
from typing import Any

# A piece holds no other element of its own kind.
PIECE = re.compile(r'<(\w+)\s+data-piece id="([^"]+)".*?</\1>', re.DOTALL)
LARGEST_KEPT = 64_000  # bytes of one section; larger ones are of many sheets, and seldom the same for two pages
MARK, KNOWN = "\0", "\3"  # no page holds them

Recipe = tuple[Any, ...]
"""A function, and what it makes HTML of: where these are the same as before, nothing has to be made."""


def marked(piece: str) -> str:
    """The place of a piece in the frame of its section."""
    return f"{MARK}{piece}{MARK}"


def known(html: str) -> str:
    """What a page knows by itself, so that it need not be told when only this changes."""
    return f"{KNOWN}{html}{KNOWN}"


def without_known(html: str) -> str:
    """HTML without what a page knows by itself."""
    return "".join(html.split(KNOWN)[::2]) if KNOWN in html else html


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
        made = (self.made(part) if number % 2 else part for number, part in enumerate(parts))
        return "".join(made).replace(KNOWN, "")

    def piece(self, key: str) -> str:
        return self.made(key).replace(KNOWN, "")

    def made(self, key: str) -> str:
        """A piece that still tells which part of it a page knows by itself."""
        if key not in self._made:
            make, *of = self.pieces[key]
            self._made[key] = make(*of)
        return self._made[key]

    @property
    def size(self) -> int:
        """How many bytes it takes, about, where all its pieces were made."""
        return getsizeof(self.frame) + sum(getsizeof(recipe[-1]) for recipe in self.pieces.values())


class SectionCache:
    """The sections that were used last, up to so many bytes: in two halves, of which the older one goes."""

    def __init__(self, most_bytes: int) -> None:
        self._half = most_bytes // 2
        self.cache_clear()

    def cache_clear(self) -> None:
        self._young: dict[Hashable, Section] = {}
        self._old: dict[Hashable, Section] = {}
        self._bytes = 0  # of the young ones

    def get(self, key: Hashable, make: Callable[[], Section]) -> Section:
        """What was made for this key before; else it is made."""
        if (found := self._young.get(key)) is None:
            found = self._old.get(key) or make()
            if (size := found.size) <= LARGEST_KEPT:
                self._keep(key, found, size)
        return found

    def _keep(self, key: Hashable, section: Section, size: int) -> None:
        if self._bytes + size > self._half:
            self._old, self._young, self._bytes = self._young, {}, 0
        self._young[key] = section
        self._bytes += size
