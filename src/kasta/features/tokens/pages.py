"""The page where a person names, sees and revokes tokens for programs."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import Response, get, post
from litestar.response import Redirect

from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.tokens.api import TheTokens


@dataclass(frozen=True, slots=True)
class TokensPage:
    """tokens/page.html: ids and names, the newest first, and the token that was just made, which is shown once."""

    tokens: tuple[tuple[str, str], ...]
    name: str = ""
    token: str = ""


@get("/tokens")
async def show(request: Visit, tokens: TheTokens) -> Response[str]:
    named = tuple((await tokens.of(device(request))).items())
    return html(render(spoken(request), "tokens/page.html", TokensPage(named)))


@post("/tokens", status_code=200)
async def make(request: Visit, tokens: TheTokens) -> Response[str]:
    me, name = visitor_of(request).owner, str((await posted(request)).get("name", ""))
    made, token = await tokens.make(me, name)
    named = await tokens.of(me)
    return html(render(spoken(request), "tokens/page.html", TokensPage(tuple(named.items()), named[made], token)))


@post("/tokens/revoke")
async def revoke(request: Visit, tokens: TheTokens) -> Redirect:
    await tokens.revoke(visitor_of(request).owner, str((await posted(request)).get("token", "")))
    return Redirect("/tokens", status_code=303)


PAGES = [show, make, revoke]
