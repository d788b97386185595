"""What a page shows by now, so that only what differs is sent: sections, and the marked pieces within them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from zlib import crc32

# A piece holds no other element of its own kind.
PIECE = re.compile(r'<(\w+)\s+data-piece id="([^"]+)".*?</\1>', re.DOTALL)
# What a page knows by itself: which cells can be tapped now, the number of the throw, time.
KNOWN = re.compile(r' disabled\b| value="\d+" data-copied| data-waits="[\d.]+"')


class Shown:
    """Checksums of all that a page shows, by id."""

    __slots__ = ("_sums", "_whole")

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}
        self._whole: dict[str, int] = {}

    @property
    def digest(self) -> str:
        """Pages that show the same have the same."""
        return f"{crc32(repr(sorted(self._sums.items())).encode()):x}"

    def take(self, sections: Mapping[str, str]) -> list[str]:
        """Those of the sections, or of their pieces, that the page does not show yet. From now on it does."""
        new: list[str] = []
        for name, html in sections.items():
            if self._differs(f"section {name}", html):
                new += self._section(name, html)
        return new

    def forget(self) -> None:
        """The page was told something that this does not know of: the next time it is sent all."""
        self._sums.clear()
        self._whole.clear()

    def _section(self, name: str, html: str) -> list[str]:
        pieces: dict[str, str] = {}

        def lift(found: re.Match[str]) -> str:
            pieces[found[2]] = found[0]
            return found[2]

        frame = PIECE.sub(lift, html)
        is_new = self._is_new(name, frame)
        new = [piece for key, piece in pieces.items() if self._is_new(key, piece)]
        return [html] if is_new else new

    def _differs(self, key: str, html: str) -> bool:
        """Whether it was made in another way than before. This is quick; whether a page shows it is not."""
        whole = hash(html)
        if self._whole.get(key) == whole:
            return False
        self._whole[key] = whole
        return True

    def _is_new(self, key: str, html: str) -> bool:
        if not self._differs(key, html):
            return False
        checksum = crc32(KNOWN.sub("", html).encode())
        if self._sums.get(key) == checksum:
            return False
        self._sums[key] = checksum
        return True
