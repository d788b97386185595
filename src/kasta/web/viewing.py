"""Who looks at a table, at which sheet, and what the page shows them, section by section."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from litestar import Request
from markupsafe import Markup

from kasta.errors import Illegal
from kasta.i18n import Words, words
from kasta.table import rights
from kasta.table.service import Service
from kasta.table.state import Table
from kasta.table.view import seat_view
from kasta.web.drawn import form_of_play, newly_written
from kasta.web.joining import Joining
from kasta.web.render import section
from kasta.web.table_page import AfterPick, Room, TablePage, table_page

SECTIONS = ("status", "over", "mine", "after", "room", "players", "hands", "others", "extras")


@dataclass(frozen=True, slots=True)
class Viewer:
    """A device, its language, the address it calls us by, and which sheet and line it looks at."""

    device: str
    words: Words
    origin: str
    seat: int | None = None
    serve: str | None = None


def viewer_of(request: Request[Any, Any, Any], form: Mapping[str, str] | None = None) -> Viewer:
    """Whoever sends a request; a form says, like the address, which sheet is looked at."""
    visit: dict[str, Any] = request.scope["kasta"]  # type: ignore[typeddict-item]
    if visit["device"] is None:
        raise Illegal("bad_token")
    asked = {**request.query_params, **(form or {})}
    seat = asked.get("seat", "")
    return Viewer(
        visit["device"],
        words(visit["language"]),
        visit["origin"],
        int(seat) if re.fullmatch(r"\d{1,6}", seat, re.ASCII) else None,
        asked.get("serve"),
    )


def rendered(page: TablePage | AfterPick, said: Words, names: Collection[str] = SECTIONS) -> dict[str, Markup]:
    """Sections of a page as HTML, by name."""
    return {name: section(said, name, page) for name in names}


STRANGER = "stranger"  # no device has this name


Look = tuple[int, int, Viewer]  # how often all were told to look, how long the log was, and who looked at what


@dataclass(frozen=True, slots=True)
class Views:
    """Makes the page of a table for whoever looks."""

    service: Service
    joining: Joining

    def look(self, table: Table, viewer: Viewer) -> Look:
        """Whoever looks twice with the same result sees the same."""
        return self.service.told(table.id), table.seq, viewer

    def seen_as(self, table: Table, viewer: Viewer) -> Viewer:
        """All who have no part in a table see the same: what a stranger sees."""
        me = viewer.device
        waits = me in dict(table.waiting) or any(each.device == me for each in self.joining.claims(table.id))
        if me == table.host or me in table.devices or waits:
            return viewer
        return Viewer(STRANGER, viewer.words, viewer.origin)

    async def page(self, table: Table, viewer: Viewer) -> TablePage:
        return table_page(
            table,
            viewer.device,
            viewer.words,
            self.service.silence(table.id),
            seat=viewer.seat,
            serve=viewer.serve,
            room=await self.room(table, viewer),
            waits=self.service.waits(table.id),
        )

    async def sections(self, table: Table, viewer: Viewer, names: Collection[str] = SECTIONS) -> dict[str, Markup]:
        """The sections of the page as HTML, by name."""
        return rendered(await self.page(table, viewer), viewer.words, names)

    def own_cells(self, table: Table, viewer: Viewer) -> list[str] | None:
        """What a pick has changed beside the tray: cells and lines. None where more has changed than these."""
        seats = table.devices.get(viewer.device, ())
        if len(seats) != 1 or table.is_due(seats[0]):
            return None
        own = seat_view(table, seats[0], viewer.device, self.service.silence(table.id))
        said, cells = viewer.words, newly_written(table, own, viewer.words)
        if cells is None:
            return None
        mode = "throw" if own.may.move_pick else "", str(sum(table.faces))
        form = form_of_play(table.id, table.turn, own.seat, own.step, mode, moves=own.may.move_pick)
        return [form, *rendered(AfterPick(table.id, own.may), said, ("after",)).values(), *cells]

    async def room(self, table: Table, viewer: Viewer) -> Room:
        """What only the web knows of a table, as far as it concerns the viewer."""
        me, claims, silence = viewer.device, self.joining.claims(table.id), self.service.silence(table.id)
        acceptable = (claim for claim in claims if rights.move(table, me, claim.seat, silence) is None)
        return Room(
            origin=viewer.origin,
            link=f"{viewer.origin}/t/{table.id}",
            code=await self.joining.code_of(table.id) if rights.are_seats_open(table) else None,
            claims=tuple(sorted(acceptable, key=attrgetter("seat", "digits"))) if me == table.host else (),
            my_claim=next((claim for claim in claims if claim.device == me), None),
        )
