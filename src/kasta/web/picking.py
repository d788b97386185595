"""Picks as our page's script posts them, read and answered without detours: nothing else comes as often."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar.exceptions import ClientException
from litestar.types import ASGIApp, Receive, Send

from kasta.web.boards import Boards
from kasta.web.forms import Post, play
from kasta.web.viewing import viewer_from

LONGEST_FORM = 4_096
PARTS = "application/vnd.kasta.parts+json"
PAGE = "x-kasta-page"  # the header in which a page names its stream
REFUSED = "kasta.refused"
ROUTE = "/t/{table}/{action}"  # which answers all else that is posted at a table

Headers = dict[bytes, bytes]


class Picks:
    """Stands before the app, and hands over to it what is no pick, or cannot be done."""

    def __init__(self, app: ASGIApp, boards: Boards) -> None:
        self._app, self._boards = app, boards
        self._encode = msgspec.json.Encoder().encode

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401 - an ASGI scope
        found = re.fullmatch(r"/t/([^/]+)/play", scope["path"]) if scope["type"] == "http" else None
        if found is None or not _is_of_script(scope["method"], headers := dict(scope["headers"])):
            await self._app(scope, receive, send)
            return
        try:
            news = await self._pick(scope, found[1], headers, await _body(receive))
        except Exception as error:  # noqa: BLE001 - the app knows how to say so
            scope[REFUSED] = error
            await self._app(scope, receive, send)
            return
        scope["path_template"], body = ROUTE, self._encode(news)
        head = {
            b"content-type": PARTS.encode(),
            b"cache-control": b"no-store",
            b"content-length": b"%d" % len(body),
        }
        await send({"type": "http.response.start", "status": 200, "headers": [*head.items()]})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _pick(self, scope: Any, table: str, headers: Headers, body: bytes) -> dict[str, Any]:  # noqa: ANN401
        visit, views = scope["kasta"], self._boards.views
        sent = parse_qsl(body.decode(), keep_blank_values=True)
        form = {**dict(sent), "kept": " ".join(sorted(value for key, value in sent if key == "kept"))}
        viewer = viewer_from(visit, {**dict(parse_qsl(scope["query_string"].decode("latin-1"))), **form})
        post = Post(viewer.device, visit["address"], viewer.words, table, form, views.service, views.joining)
        page = headers.get(PAGE.encode(), b"").decode("latin-1")
        return await self._boards.changed(await play(post), viewer, page, is_first_pick=form.get("step") == "0")


def _is_of_script(method: str, headers: Headers) -> bool:
    """Whether it is a form of sane length whose changes are wanted in parts."""
    length, kind = headers.get(b"content-length", b""), headers.get(b"content-type", b"")
    return (
        method == "POST"
        and PARTS.encode() in headers.get(b"accept", b"")
        and kind.startswith(b"application/x-www-form-urlencoded")
        and length.isdigit()
        and int(length) <= LONGEST_FORM
    )


async def _body(receive: Receive) -> bytes:
    body, is_more = b"", True
    while is_more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise ClientException
        body, is_more = body + message.get("body", b""), message.get("more_body", False)
    return body
