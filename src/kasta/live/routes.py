"""A table's page and its forms. Every form works without a script: it posts, and is sent back to its page."""

from __future__ import annotations

import re
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from kasta.edge.http import PARTS, Visit, device, html, posted, spoken, wants_parts
from kasta.edge.middleware import LANGUAGE_COOKIE, SECURE_LANGUAGE_COOKIE, YEAR
from kasta.edge.templates import dialog, render
from kasta.edge.visitor import visitor_of
from kasta.i18n import LANGUAGES
from kasta.live.channel import Channels
from kasta.live.command_field import answer
from kasta.live.dependencies import TheChannels, TheService
from kasta.live.forms import FORMS, Post, carry_out, read_fields
from kasta.live.hot_path import PAGE, REFUSED
from kasta.live.viewer import viewer_of
from kasta.page.confirm import ask
from kasta.page.models import MessagePage


@get(["/t/{table:str}", "/t/{table:str}/stream"])
async def refused(request: Visit) -> None:
    """A table's page, or its stream, that could not be given before (`hot_path`)."""
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


def _news(news: dict[str, Any]) -> Response[Any]:
    return Response(news, status_code=200, media_type=PARTS, headers={"cache-control": "no-store"})


HANDLERS = [refused, parts, act, command, ask_first, set_language]
