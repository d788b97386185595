"""A guest book: a line from everybody who comes by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta_guestbook.pages import API, PAGES
from kasta_guestbook.service import Guestbook, GuestbookSettings
from kasta_guestbook.store import BACKUP, PERSONAL, Entries


def _start(site: Site) -> Mapping[str, object]:
    guestbook = Guestbook(Entries(site.log.db), site.service, site.config.of(GuestbookSettings))
    site.home.append(guestbook.home_section)
    return {"guestbook": guestbook}


FEATURE = Feature(
    "guestbook",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    settings=GuestbookSettings,
    messages={"bad_guestbook_entry": "Write something, but at most {most} characters."},
    personal=[PERSONAL],
    backup=[BACKUP],
)
