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
        parts = self.state.update(page, self.viewer.words)
        if not parts:
            return {}
        self._number += 1
        return {**moment(table), "number": self._number, "all": anew, "digest": self.state.digest, "parts": parts}

    def look_at_due_sheet(self, turn: int) -> None:
        """On a new throw a page looks at whatever sheet is due, whichever it looked at before."""
        if turn != self.turn:
            self.turn = turn
            self.viewer = replace(self.viewer, seat=None, serve=None)


def new_page() -> str:
    """A name for a page, by which its posts find its stream."""
    return secrets.token_urlsafe(6)
