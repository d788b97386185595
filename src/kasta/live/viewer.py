"""Who looks at a table, at which sheet, and what the page shows them, section by section."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from kasta.core import Over
from kasta.edge.http import Visit
from kasta.edge.visitor import Visitor, visitor_of
from kasta.i18n import LANGUAGES, Words
from kasta.live.joining import Joining
from kasta.page.end.past import UNKNOWN_PAST, Past
from kasta.page.table_page import Room, TablePage, Timing, table_page
from kasta.structs import Struct
from kasta.tables import rights
from kasta.tables.cluster_state import Claim
from kasta.tables.service import Service
from kasta.tables.state import Table


class Viewer(Struct, frozen=True):
    """A device, its language, the address it calls us by, and which sheet and line it looks at."""

    device: str
    words: Words
    origin: str
    seat: int | None = None
    serve: str | None = None
    invited: str = ""  # the language of whoever sent the link


def viewer_of(request: Visit, form: Mapping[str, str] | None = None) -> Viewer:
    """Whoever sends a request; a form says, like the address, which sheet is looked at."""
    return viewer_from(visitor_of(request), {**request.query_params, **(form or {})})


def viewer_from(visitor: Visitor, asked: Mapping[str, str]) -> Viewer:
    """The same, of what the middleware knows of a request, and what it asks for."""
    seat = asked.get("seat", "")
    return Viewer(
        visitor.known_device,
        visitor.words,
        visitor.origin,
        int(seat) if re.fullmatch(r"\d{1,6}", seat, re.ASCII) else None,
        asked.get("serve"),
        lang if (lang := asked.get("in", "")) in LANGUAGES else "",
    )


STRANGER = "stranger"  # no device has this name


PastOf = Callable[[Table, str], Awaitable[Past]]
"""What a device made of the same game before, for a game that is over."""


async def _no_past(_table: Table, _device: str) -> Past:
    return UNKNOWN_PAST


ViewKey = tuple[int, int, Viewer]  # how often all were told to look, how long the log was, and who looked at what


@dataclass(frozen=True, slots=True)
class Views:
    """Makes the page of a table for whoever looks."""

    service: Service
    joining: Joining
    past: PastOf = _no_past

    def key(self, table: Table, viewer: Viewer) -> ViewKey:
        """Whoever looks twice with the same result sees the same."""
        return self.service.told(table.id), table.seq, viewer

    def seen_as(self, table: Table, viewer: Viewer) -> Viewer:
        """All who have no part in a table see the same: what a stranger sees."""
        me = viewer.device
        waits = me in dict(table.waiting) or any(each.device == me for each in self.joining.claims(table.id))
        if me == table.host or me in table.devices or waits:
            return viewer
        return Viewer(STRANGER, viewer.words, viewer.origin, invited=viewer.invited)

    async def page(self, table: Table, viewer: Viewer) -> TablePage:
        return table_page(
            table,
            viewer.device,
            viewer.words,
            self.service.silence(table.id),
            seat=viewer.seat,
            serve=viewer.serve,
            room=await self.room(table, viewer),
            timing=Timing(self.service.waits(table.id), self.service.autoplay.may_skip(table, viewer.device)),
        )

    async def room(self, table: Table, viewer: Viewer) -> Room:
        """What only the web knows of a table, as far as it concerns the viewer."""
        me, claims = viewer.device, self.joining.claims(table.id)
        return Room(
            origin=viewer.origin,
            link=f"{viewer.origin}/t/{table.id}?in={viewer.words.language}",
            code=await self.joining.code_of(table.id) if rights.are_seats_open(table) else None,
            claims=self._acceptable(table, claims) if claims and me == table.host else (),
            my_claim=next((claim for claim in claims if claim.device == me), None),
            past=await self.past(table, me) if isinstance(table.next(), Over) else UNKNOWN_PAST,
        )

    def _acceptable(self, table: Table, claims: Iterable[Claim]) -> tuple[Claim, ...]:
        """Those that the host may accept."""
        silence = self.service.silence(table.id)
        found = (claim for claim in claims if rights.move(table, table.host, claim.seat, silence) is None)
        return tuple(sorted(found, key=attrgetter("seat", "digits")))
