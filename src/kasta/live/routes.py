"""The pages, and the forms on them. Every form works without a script: it posts, and is sent back to its page."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from kasta.bots.base import at_level
from kasta.edge.http import PARTS, Visit, back_to, device, html, posted, spoken, wants_parts, whole_number
from kasta.edge.middleware import LANGUAGE_COOKIE, SECURE_LANGUAGE_COOKIE, YEAR
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.day.pages import DayPages
from kasta.features.home.pages import home_page
from kasta.features.rules.prose import rules_page
from kasta.games import GAMES
from kasta.i18n import LANGUAGES
from kasta.live.channel import Channels
from kasta.live.forms import FORMS, SETTINGS, Post, carry_out, read_fields
from kasta.live.hot_path import PAGE, REFUSED
from kasta.live.joining import Joining
from kasta.live.qr import qr_svg
from kasta.live.viewer import viewer_of
from kasta.page.command_field import answer
from kasta.page.confirm import ask
from kasta.page.models import LinkPage, MessagePage, NewPage, ProofPage, RulesPage, SeatPage, game_card
from kasta.record import Roll as RollStep
from kasta.tables import review_rights, rights
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.names import bot_name
from kasta.tables.service import Service
from kasta.verify import day_numbers

DEAR = (r"/t/[^/]+/(?:record|proof)",)

TheService = NamedDependency[Service]
TheJoining = NamedDependency[Joining]
TheChannels = NamedDependency[Channels]
TheDayPages = NamedDependency[DayPages]


@get("/")
async def home(request: Visit, service: TheService, day_pages: TheDayPages) -> Response[str]:
    said, who = spoken(request), visitor_of(request).device
    page = await home_page(service, who, said, await day_pages.cards(who, said))
    return html(render(said, "home/page.html", page))


@get("/new/{game:str}")
async def new(request: Visit, game: FromPath[str]) -> Response[str]:
    if game not in GAMES:
        raise NotFoundException
    asked = request.query_params  # as the QR code of a printed pad has it
    settings = Settings(dice="own" if asked.get("dice") == "own" else "app")
    page = NewPage(game_card(GAMES[game], spoken(request)), settings, asked.get("rules", ""))
    return html(render(spoken(request), "lobby/new.html", page))


@post("/new/{game:str}")
async def open_table(request: Visit, game: FromPath[str], service: TheService, joining: TheJoining) -> Redirect:
    """Open a table and seat those who play at this device. One tap opens a game alone."""
    form = await posted(request)
    await joining.count_opening(visitor_of(request))
    alone = {"coach": "live"} if form.get("alone") else {}
    settings = Settings(**alone | {key: read(str(form[key])) for key, read in SETTINGS.items() if key in form})
    table = await service.open(device(request), game, form.get("rules") or None, settings)
    names = [name for name in form.getall("name", []) if str(name).strip()]
    for name in names or ([spoken(request).say("Player {number}", number=1)] if form.get("alone") else []):
        table = await service.do(table.id, Sit(device(request), str(name), entropy=secrets.token_hex(8)))
    for _ in range(min(whole_number(form.get("bots")) or 0, 10)):
        bot = at_level(form.get("strength"), table.game)
        table = await service.do(table.id, Sit(device(request), bot_name(table.names), bot=bot))
    if form.get("room"):
        await joining.give_code(table.id)
    return back_to(table.id)


@get(["/t/{table:str}", "/t/{table:str}/stream"])
async def refused(request: Visit) -> None:
    """A table's page, or its stream, that could not be given before (`frequent`)."""
    raise request.scope.get(REFUSED, NotFoundException())  # type: ignore[misc]


@get("/t/{table:str}/parts")
async def parts(request: Visit, table: FromPath[str], service: TheService, channels: TheChannels) -> Response[Any]:
    """All sections of the page."""
    now = await service.table(table)
    return _news(await channels.all(now, viewer_of(request), request.headers.get(PAGE, "")))


@post("/t/{table:str}/{action:str}")
async def act(
    request: Visit,
    table: FromPath[str],
    action: FromPath[str],
    channels: TheChannels,
) -> Response[Any]:
    """Any form of a table's page; or a pick that was refused before."""
    if REFUSED in request.scope:
        raise request.scope[REFUSED]  # type: ignore[literal-required]
    if action not in FORMS:
        raise NotFoundException
    return await _carry_out(request, table, action, channels)


async def _carry_out(request: Visit, table: str, action: str, channels: Channels) -> Response[Any]:
    """With the page's script the changed parts come back, else the page itself."""
    form = read_fields((await posted(request)).multi_items())
    post = Post.of(visitor_of(request), table, form, channels.views)
    viewer = viewer_of(request, form) if wants_parts(request) else None
    answer = await carry_out(action, post, channels, viewer, request.headers.get(PAGE, ""))
    return Redirect(answer, status_code=303) if isinstance(answer, str) else _news(answer)


@post("/t/{table:str}/command")
async def command(
    request: Visit, table: FromPath[str], service: TheService, channels: TheChannels
) -> Response[Any]:
    """The command field: a question is answered, anything else is done."""
    page = await channels.views.page(await service.table(table), viewer_of(request))
    text = answer(page, str((await posted(request)).get("do", "")), spoken(request))
    if text is None:
        return await _carry_out(request, table, "play", channels)
    if wants_parts(request):
        return Response(text, media_type="text/plain", headers={"cache-control": "no-store"})
    return html(render(spoken(request), "answer.html", MessagePage(text, f"/t/{table}")))


@get("/t/{table:str}/ask/{action:str}")
async def ask_first(
    request: Visit, table: FromPath[str], action: FromPath[str], service: TheService
) -> Response[str]:
    """Before something that cannot be undone. With the page's script the question comes into a dialog."""
    seat = request.query_params.get("seat", "")
    asked = int(seat) if re.fullmatch(r"\d{1,6}", seat, re.ASCII) else None
    page = ask(await service.table(table), action, asked, device(request), spoken(request))
    if page is None:
        raise NotFoundException
    return dialog(request, "ask.html", page)


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


@get("/t/{table:str}/proof")
async def proof_page(request: Visit, table: FromPath[str], service: TheService) -> Response[str]:
    found, is_over = await service.record(table), review_rights.over(await service.table(table)) is None
    rolls = [step.faces for step in found.steps if isinstance(step, RollStep)]
    page = ProofPage(table, found.header, rolls, is_over, [])
    if page.day:
        page = replace(page, numbers=day_numbers(BytesIO(found.text)))
    return html(render(spoken(request), "proof/page.html", page))


@get("/t/{table:str}/record")
async def record_file(table: FromPath[str], service: TheService) -> Response[bytes]:
    text = (await service.record(table)).text
    headers = {"content-disposition": 'attachment; filename="kasta.jsonl"', "cache-control": "no-store"}
    return Response(text, media_type="application/jsonl; charset=utf-8", headers=headers)


@get("/t/{table:str}/qr.svg")
async def qr_code(request: Visit, table: FromPath[str], service: TheService) -> Response[bytes]:
    await service.table(table)
    drawn = qr_svg(f"{visitor_of(request).origin}/t/{table}")
    return Response(drawn.encode(), media_type="image/svg+xml")


@post("/join")
async def join(request: Visit, joining: TheJoining) -> Response[Any]:
    """Find a room by its code, while its seats are open."""
    code = str((await posted(request)).get("code", ""))
    return back_to((await joining.find(visitor_of(request), code)).id)


@get("/rules/{game:str}")
async def rules(request: Visit, game: FromPath[str]) -> Response[str]:
    if game not in GAMES:
        raise NotFoundException
    title, body = rules_page(spoken(request).language, game)
    table = request.query_params.get("table", "")
    back = table if re.fullmatch(r"[\w-]{1,64}", table, re.ASCII) else None
    page = RulesPage(game_card(GAMES[game], spoken(request)), title, body, back)
    return html(render(spoken(request), "rules/page.html", page))


@post("/language")
async def set_language(request: Visit) -> Redirect:
    form = await posted(request)
    back = str(form.get("back", "/"))
    is_ours = re.fullmatch(r"/[\w/?=.&-]*", back, re.ASCII) and not back.startswith("//")
    response = Redirect(back if is_ours else "/", status_code=303)
    if form.get("language") in LANGUAGES:
        secure = visitor_of(request).origin.startswith("https:")
        name = SECURE_LANGUAGE_COOKIE if secure else LANGUAGE_COOKIE
        response.set_cookie(
            name, str(form["language"]), max_age=YEAR, samesite="lax", httponly=True, secure=secure
        )
    return response


def dialog(request: Visit, template: str, page: object) -> Response[str]:
    """A page of its own, or without the script's help only what it says."""
    whole = PurePosixPath(template)
    name = str(whole.parent / "dialogs" / whole.name) if wants_parts(request) else template
    return html(render(spoken(request), name, page))


def _news(news: dict[str, Any]) -> Response[Any]:
    return Response(news, status_code=200, media_type=PARTS, headers={"cache-control": "no-store"})


router = Router(
    "/",
    route_handlers=[
        home,
        new,
        open_table,
        refused,
        parts,
        act,
        command,
        ask_first,
        make_seat_link,
        seat_link,
        proof_page,
        record_file,
        qr_code,
        join,
        rules,
        set_language,
    ],
    include_in_schema=False,
)
