"""What a page shows by now, so that only what differs is made and sent."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b

from kasta.i18n import Words
from kasta.page.component import KNOWN, Fragment, without_known
from kasta.page.sections import SECTIONS
from kasta.page.table_page import TablePage

ROUND = 1 << 64


class PageState:
    """Remembers what all sections of a page and their children were made of, and their checksums."""

    __slots__ = ("_arguments", "_digest", "_made_of", "_sums")

    def __init__(self) -> None:
        self._arguments: dict[str, object] = {}  # by section
        self._made_of: dict[str, Hashable] = {}  # by section or child
        self._sums: dict[str, int] = {}
        self._digest = 0

    @property
    def digest(self) -> str:
        """Pages that show the same have the same."""
        return f"{self._digest:x}"

    def update(self, page: TablePage, said: Words) -> list[str]:
        """The sections, or children of them, that the page does not show yet. From now on it does."""
        new: list[str] = []
        for name, section in SECTIONS.items():
            arguments = section.arguments(page)
            if self._arguments.get(name) != arguments:
                self._arguments[name] = arguments
                new += self.update_section(name, section.draw(said, page, arguments))
        return new

    def update_section(self, name: str, fragment: Fragment) -> list[str]:
        """All of it if its frame is new, else the children that are."""
        made_of = self._made_of
        if self._is_new(name, hash(fragment.frame), fragment.frame):  # thousands of pages keep no text
            made = {key: fragment.child(key) for key in fragment.children}
            for key, html in made.items():
                self._is_new(key, fragment.children[key][1], html)
            return [fragment.joined(made)]
        return [
            html.replace(KNOWN, "")
            for key, (_, arguments, _) in fragment.children.items()
            if made_of.get(key) != arguments and self._is_new(key, arguments, html := fragment.child(key))
        ]

    def copy(self) -> PageState:
        """That of another page which shows the same."""
        other = PageState()
        other._arguments, other._made_of = self._arguments.copy(), self._made_of.copy()
        other._sums, other._digest = self._sums.copy(), self._digest
        return other

    def forget(self) -> None:
        """The page was told something that this does not know of: the next time it is sent all."""
        self._arguments.clear()
        self._made_of.clear()
        self._sums.clear()
        self._digest = 0

    def _is_new(self, key: str, made_of: Hashable, html: str) -> bool:
        if self._made_of.get(key) == made_of:
            return False
        self._made_of[key] = made_of
        told = f"{key} {without_known(html)}".encode()
        checksum, before = int.from_bytes(blake2b(told, digest_size=8).digest()), self._sums.get(key, 0)
        self._sums[key] = checksum
        self._digest = (self._digest - before + checksum) % ROUND
        return checksum != before
