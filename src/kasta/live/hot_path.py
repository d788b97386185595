"""What is asked for most often, answered before the framework: a table's page, its stream, picks on it.

The framework is asked only to say why something was refused.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from litestar.exceptions import ClientException
from litestar.types import ASGIApp, Receive, Send

from kasta.edge.http import PARTS
from kasta.edge.sse import serve
from kasta.edge.visitor import visitor_of
from kasta.live.channel import Channels
from kasta.live.forms import Post, carry_out, read_fields
from kasta.live.sealed import Seals
from kasta.live.subscriber import Subscriber, new_page
from kasta.live.viewer import Viewer, viewer_from

LONGEST_FORM = 4_096
LONGEST_NAME = 40  # of a page
PAGE = "x-kasta-page"  # the header in which a page names its stream
REFUSED = "kasta.refused"
PLACE = re.compile(r"/t/([^/]+)(?:/(stream|play))?")

Scope = Any  # of ASGI, to which the middleware has added who asks
Headers = dict[bytes, bytes]
Answer = Callable[[Scope, Receive, Send], Awaitable[None]]
Work = Callable[[], Awaitable[Answer]]


class HotPath:
    """Stands before the app, and hands over to it what is asked for less often, or cannot be done."""

    def __init__(self, app: ASGIApp, channels: Channels, seals: Seals) -> None:
        self._app, self._channels, self._seals = app, channels, seals
        self._encode = msgspec.json.Encoder().encode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = PLACE.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if scope["type"] == "http" and scope["method"] == "HEAD" and not (found and found[2] == "stream"):
            scope, send = {**scope, "method": "GET"}, without_body(send)
        work = None if found is None else self._work(scope, found[1], found[2], receive)
        if work is None:
            await self._app(scope, receive, send)
            return
        try:
            await self._seals.check(scope["path"], visitor_of(scope))
            answer = await work()
        except Exception as error:  # noqa: BLE001 - the app knows how to say so
            scope[REFUSED] = error
            await self._app(scope, receive, send)
            return
        await answer(scope, receive, send)

    def _work(self, scope: Scope, table: str, action: str | None, receive: Receive) -> Work | None:
        """What makes the answer, if it is one of ours."""
        headers: Headers = dict(scope["headers"])
        scope["path_params"] = {"table": table}
        match scope["method"], action:
            case "GET", None:
                return lambda: self._page(scope, table, headers)
            case "GET", "stream":
                return lambda: self._stream(scope, table)
            case "POST", "play" if _is_of_script(headers):
                return lambda: self._pick(scope, table, headers, receive)
        return None

    async def _page(self, scope: Scope, table: str, headers: Headers) -> Answer:
        scope["path_template"] = "/t/{table}"
        body = await self._channels.document(table, _viewer(scope))
        head = [(b"content-type", b"text/html; charset=utf-8"), (b"vary", b"accept-encoding")]
        if b"gzip" in headers.get(b"accept-encoding", b""):
            return _answer([*head, (b"content-encoding", b"gzip")], body)
        return _answer(head, gzip.decompress(body))

    async def _stream(self, scope: Scope, table: str) -> Answer:
        """News for one page; `digest` is that of what it shows already."""
        scope["path_template"] = "/t/{table}/stream"
        asked, channels = _asked(scope), self._channels
        subscriber = Subscriber(asked.get("page", "")[:LONGEST_NAME] or new_page(), _viewer(scope))
        now = await channels.admit(visitor_of(scope), table, subscriber.viewer.device)
        held = channels.subscribed(table, subscriber, asked.get("digest", ""))
        return partial(serve, subscriber, channels.admission.counted(visitor_of(scope), now, subscriber, held))

    async def _pick(self, scope: Scope, table: str, headers: Headers, receive: Receive) -> Answer:
        scope["path_template"] = "/t/{table}/{action}"
        form = read_fields(parse_qsl((await _body(receive)).decode(), keep_blank_values=True))
        post = Post.of(visitor_of(scope), table, form, self._channels.views)
        page = headers.get(PAGE.encode(), b"").decode("latin-1")
        news = await carry_out("play", post, self._channels, _viewer(scope, form), page)
        return _answer([(b"content-type", PARTS.encode())], self._encode(news))


def without_body(send: Send) -> Send:
    """Answers as to GET, of which only the headers are sent."""

    async def headers_only(message: Any) -> None:  # noqa: ANN401 - an ASGI message
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return headers_only


def _asked(scope: Scope) -> dict[str, str]:
    sent = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return dict(reversed(sent))  # of a name that comes twice, the first


def _viewer(scope: Scope, form: dict[str, str] | None = None) -> Viewer:
    return viewer_from(visitor_of(scope), {**_asked(scope), **(form or {})})


def _answer(head: list[tuple[bytes, bytes]], body: bytes) -> Answer:
    headers = [*head, (b"cache-control", b"no-store"), (b"content-length", b"%d" % len(body))]

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return answer


def _is_of_script(headers: Headers) -> bool:
    """Whether it is a form of sane length whose changes are wanted in parts."""
    length, kind = headers.get(b"content-length", b""), headers.get(b"content-type", b"")
    return (
        PARTS.encode() in headers.get(b"accept", b"")
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
