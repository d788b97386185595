"""How a table is opened, and how a seat is taken along to another device."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from kasta.bots.base import at_level
from kasta.edge.http import Visit, back_to, device, html, posted, spoken, whole_number
from kasta.edge.templates import dialog, render
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.live.dependencies import TheJoining, TheService
from kasta.live.forms import SETTINGS
from kasta.live.joining import Joining
from kasta.live.qr import qr_svg
from kasta.page.models import GameCard, game_card
from kasta.tables import rights
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.names import bot_name
from kasta.tables.service import Service


@dataclass(frozen=True, slots=True)
class NewPage:
    """lobby/new.html: how a table is opened, with the settings that it has if nobody changes them."""

    game: GameCard
    settings: Settings
    rules: str = ""  # the rule set, if not the first


@dataclass(frozen=True, slots=True)
class SeatPage:
    """lobby/seat.html: where a seat's link leads."""

    table: str


@dataclass(frozen=True, slots=True)
class LinkPage:
    """lobby/link.html: the link that takes somebody's seat along to another device."""

    table: str
    name: str
    link: str
    qr: Markup


@get("/new/{game:str}")
async def new(request: Visit, game: FromPath[str]) -> Response[str]:
    if game not in GAMES:
        raise NotFoundException
    asked = request.query_params  # as the QR code of a printed pad has it
    settings = Settings(dice="own" if asked.get("dice") == "own" else "app")
    page = NewPage(game_card(GAMES[game], spoken(request)), settings, asked.get("rules", ""))
    return html(render(spoken(request), "lobby/new.html", page))


@get("/new")
async def choose(request: Visit) -> Redirect:
    """The form of a game that was chosen on the home page."""
    if (game := request.query_params.get("game", "")) not in GAMES:
        raise NotFoundException
    return Redirect(f"/new/{game}", status_code=303)


@post("/new")
async def open_chosen(request: Visit, service: TheService, joining: TheJoining) -> Redirect:
    return await _open(request, str((await posted(request)).get("game", "")), service, joining)


@post("/new/{game:str}")
async def open_table(request: Visit, game: FromPath[str], service: TheService, joining: TheJoining) -> Redirect:
    return await _open(request, game, service, joining)


async def _open(request: Visit, game: str, service: Service, joining: Joining) -> Redirect:
    """Open a table and seat those who play at this device. One tap opens a game alone."""
    form = await posted(request)
    address, names = visitor_of(request).address, _names(form, spoken(request))
    bots = min(whole_number(form.get("bots")) or 0, 10)
    await joining.count_opening(address)
    joining.count_seats(address, len(names) + bots)
    alone = {"coach": "live"} if form.get("alone") else {}
    settings = Settings(**alone | {key: read(str(form[key])) for key, read in SETTINGS.items() if key in form})
    table = await service.open(device(request), game, form.get("rules") or None, settings)
    for name in names:
        table = await service.do(table.id, Sit(device(request), name, entropy=secrets.token_hex(8)))
    for _ in range(bots):
        bot = at_level(form.get("strength"), table.game)
        table = await service.do(table.id, Sit(device(request), bot_name(table.names), bot=bot))
    if form.get("room"):
        await joining.give_code(table.id)
    return back_to(table.id)


def _names(form: FormMultiDict, said: Words) -> list[str]:
    """Those who play at this device. Who plays alone need not say a name."""
    names = [str(name) for name in form.getall("name", []) if str(name).strip()]
    return names or ([said.say("Player {number}", number=1)] if form.get("alone") else [])


@post("/t/{table:str}/seat-link")
async def make_seat_link(
    request: Visit, table: FromPath[str], service: TheService, joining: TheJoining
) -> Response[str]:
    """A link that takes a seat along to another device, and its QR code."""
    now, seat = await service.table(table), whole_number((await posted(request)).get("seat"), least=0)
    place = now.places.get(-1 if seat is None else seat)
    if seat is None or place is None:
        raise NotFoundException
    rights.check(rights.still_open(now) or rights.move(now, visitor_of(request).own_device, seat))
    secret = joining.signer.seat_link(table, seat, place.device)
    link = f"{visitor_of(request).origin}/t/{table}/seat#{secret}"
    return dialog(request, "lobby/link.html", LinkPage(table, place.name, link, qr_svg(link)))


@get("/t/{table:str}/seat")
async def seat_link(request: Visit, table: FromPath[str]) -> Response[str]:
    """Where a seat's link leads. Its secret stands after #, and only pressing the button uses it."""
    return html(render(spoken(request), "lobby/seat.html", SeatPage(table)))


@get("/t/{table:str}/qr.svg")
async def qr_code(request: Visit, table: FromPath[str], service: TheService) -> Response[bytes]:
    await service.table(table)
    drawn = qr_svg(f"{visitor_of(request).origin}/t/{table}")
    return Response(drawn.encode(), media_type="image/svg+xml")


PAGES = [new, choose, open_chosen, open_table, make_seat_link, seat_link, qr_code]
