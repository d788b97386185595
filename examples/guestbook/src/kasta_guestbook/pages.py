"""The guest book as people see it, and the same for programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.problems import REFUSALS
from kasta.edge.templates import render
from kasta_guestbook.service import Guestbook

TheGuestbook = NamedDependency[Guestbook]


@dataclass(frozen=True, slots=True)
class GuestbookPage:
    """guestbook/page.html: days and texts, the newest first."""

    entries: tuple[tuple[str, str], ...]


Time = Annotated[float, Meta(description="When it was written, in seconds since 1970.")]
Text = Annotated[str, Meta(description="What was written.")]


class EntryTold(Struct, frozen=True):
    """An entry of the guest book."""

    at: Time
    text: Text


class NewEntry(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text


@get("/guestbook")
async def show(request: Visit, guestbook: TheGuestbook) -> Response[str]:
    entries = tuple((_day(each.at), each.text) for each in await guestbook.newest())
    return html(render(spoken(request), "guestbook/page.html", GuestbookPage(entries)))


@post("/guestbook")
async def write(request: Visit, guestbook: TheGuestbook) -> Redirect:
    await guestbook.write(device(request), str((await posted(request)).get("text", "")))
    return Redirect("/guestbook", status_code=303)


@get("/guestbook", operation_id="guestbook", responses=REFUSALS)
async def told(guestbook: TheGuestbook) -> list[EntryTold]:
    """What guests wrote, the newest first."""
    return [EntryTold(each.at, each.text) for each in await guestbook.newest()]


@post("/guestbook", operation_id="write_guestbook", status_code=200, responses=REFUSALS)
async def write_by_program(request: Visit, data: JSONBody[NewEntry], guestbook: TheGuestbook) -> list[EntryTold]:
    """Write a line."""
    await guestbook.write(device(request), data.text)
    return [EntryTold(each.at, each.text) for each in await guestbook.newest()]


def _day(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).date().isoformat()


PAGES = [show, write]
API = [told, write_by_program]
