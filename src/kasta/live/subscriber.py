"""One page that follows a table, and what it has been told."""

from __future__ import annotations

import secrets
from typing import Any

from kasta.edge.sse import EventQueue
from kasta.live.news import moment
from kasta.live.page_state import PageState
from kasta.live.viewer import Viewer, ViewKey
from kasta.page.table_page import TablePage
from kasta.structs import replace
from kasta.tables.state import Table

Alike = dict[tuple[int, str], tuple[list[str], PageState]]
"""By a page and the digest of what is shown: the parts that differ, and what is shown with them."""


class Subscriber(EventQueue):
    """One page's stream. What it has been sent is numbered, so that the page knows what is older."""

    __slots__ = ("_number", "key", "seen", "state", "turn", "viewer")

    def __init__(self, page: str, viewer: Viewer) -> None:
        super().__init__()
        self.key, self.viewer, self.state = (viewer.device, page), viewer, PageState()
        self.seen: ViewKey | None = None  # what it was last told of
        self._number = 0
        self.turn = 0

    def news(self, table: Table, page: TablePage, *, anew: bool = False) -> dict[str, Any]:
        """What has to be told to show this page: all of it, or what differs; {} if nothing does."""
        if anew:
            self.state = PageState()
        return self._numbered(table, self.state.update(page, self.viewer.words), anew=anew)

    def news_like(self, table: Table, page: TablePage, alike: Alike) -> dict[str, Any]:
        """The same, found out once for all who showed the same before and are to show the same page."""
        shown = id(page), self.state.digest
        if shown not in alike:
            alike[shown] = self.state.update(page, self.viewer.words), self.state.copy()
        parts, state = alike[shown]
        self.state = state.copy()
        return self._numbered(table, parts, anew=False)

    def _numbered(self, table: Table, parts: list[str], *, anew: bool) -> dict[str, Any]:
        if not parts:
            return {}
        self._number += 1
        return {**moment(table), "number": self._number, "all": anew, "digest": self.state.digest, "parts": parts}

    def look_at_due_sheet(self, table: Table) -> None:
        """On a new throw a page looks at whichever of its sheets is due, if one is."""
        if table.turn != self.turn:
            self.turn = table.turn
            own = (seat for seat in table.devices.get(self.viewer.device, ()) if seat not in table.bots)
            seat = None if any(map(table.is_due, own)) else self.viewer.seat
            self.viewer = replace(self.viewer, seat=seat, serve=None)


def new_page() -> str:
    """A name for a page, by which its posts find its stream."""
    return secrets.token_urlsafe(6)
