"""What a page shows by now, so that only what differs is made and sent."""

from __future__ import annotations

from hashlib import blake2b

from kasta.i18n import Words
from kasta.live.render import SEES, section
from kasta.page.fragments import Recipe, Section, without_known
from kasta.page.table_page import TablePage

ROUND = 1 << 64


class PageState:
    """Remembers what all sections and pieces of a page were made of, and their checksums."""

    __slots__ = ("_digest", "_made_of", "_seen", "_sums")

    def __init__(self) -> None:
        self._seen: dict[str, object] = {}  # by section: what it saw of the page
        self._made_of: dict[str, str | Recipe] = {}  # by section or piece
        self._sums: dict[str, int] = {}
        self._digest = 0

    @property
    def digest(self) -> str:
        """Pages that show the same have the same."""
        return f"{self._digest:x}"

    def update(self, page: TablePage, said: Words) -> list[str]:
        """The sections, or pieces of them, that the page does not show yet. From now on it does."""
        new: list[str] = []
        for name, sees in SEES.items():
            if self._seen.get(name) != (seen := sees(page)):
                self._seen[name] = seen
                new += self.update_section(name, section(said, name, page))
        return new

    def update_section(self, name: str, made: Section) -> list[str]:
        """All of it if its frame is new, else the pieces that are."""
        is_new, new = self._is_new(name, made.frame, made.frame), []
        for key, recipe in made.pieces.items():
            if self._made_of.get(key) != recipe and self._is_new(key, recipe, made.made(key)):
                new.append(made.piece(key))
        return [made.__html__()] if is_new else new

    def forget(self) -> None:
        """The page was told something that this does not know of: the next time it is sent all."""
        self._seen.clear()
        self._made_of.clear()
        self._sums.clear()
        self._digest = 0

    def _is_new(self, key: str, of: str | Recipe, html: str) -> bool:
        if self._made_of.get(key) == of:
            return False
        self._made_of[key] = of
        told = f"{key} {without_known(html)}".encode()
        checksum, before = int.from_bytes(blake2b(told, digest_size=8).digest()), self._sums.get(key, 0)
        self._sums[key] = checksum
        self._digest = (self._digest - before + checksum) % ROUND
        return checksum != before
