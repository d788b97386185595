"""Who may write what into the guest book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from markupsafe import Markup
from msgspec import Meta

from kasta.edge.templates import render
from kasta.errors import Illegal
from kasta.i18n import Words
from kasta.tables.service import Service
from kasta_guestbook.store import Entries, Entry

LONGEST = 200


@dataclass(frozen=True, slots=True)
class GuestbookSettings:
    guestbook_entries: Annotated[
        int, Meta(ge=1, le=1_000, description="how many entries the guest book shows")
    ] = 20


class Guestbook:
    def __init__(self, entries: Entries, service: Service, settings: GuestbookSettings) -> None:
        self._entries, self._service, self._settings = entries, service, settings

    async def newest(self) -> list[Entry]:
        return await self._entries.newest(self._settings.guestbook_entries)

    async def write(self, device: str, text: str) -> None:
        """Keep what somebody wrote, by the clock that all nodes share."""
        line = " ".join(text.split())
        if not line or len(line) > LONGEST:
            raise Illegal("bad_guestbook_entry", most=LONGEST)
        await self._entries.add(Entry(device, await self._service.now(), line))

    async def home_section(self, _device: str | None, words: Words) -> Markup:
        """The way to the guest book, on the home page."""
        return Markup(render(words, "guestbook/home.html", None))  # noqa: S704 - rendered
