"""Stands before every request: who is it, may they come in this way, and what browsers must be told."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Receive, Scope, Send

from kasta.edge.config import Config
from kasta.edge.gate import JSON, SAFE, TEXT, Gate, hang_up
from kasta.edge.identity import Signer, is_address, network
from kasta.edge.visitor import VISITOR, NamedToken, Visitor
from kasta.errors import KastaError
from kasta.i18n import choose

LANGUAGE_COOKIE = "kasta-language"
SECURE_LANGUAGE_COOKIE = f"__Host-{LANGUAGE_COOKIE}"  # with https, no other name of this domain can set it
YEAR = 365 * 86_400
LONGEST_ADDRESS = 4_096
LONGEST_HEADERS = 32_768
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
POLICY_NAME = b"content-security-policy"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}

Refusal = tuple[int, str]
NO_PATH: Refusal = 400, "This is no address."
NO_HOST: Refusal = 400, "The Host header is missing or no name."
OTHER_HOST: Refusal = 421, "This server does not answer to that name."
OTHER_SITE: Refusal = 403, "Only this site's own pages may send this."
TOO_LONG: Refusal = 414, "The address is too long."
NO_STORE: Refusal = 503, "The store does not answer: try again in a moment."
TOO_MUCH: Refusal = 431, "The headers are too long."

SECURE_HEADERS = {  # over plain http, browsers complain about the first, and must ignore the second
    "cross-origin-opener-policy": "same-origin",
    "strict-transport-security": f"max-age={YEAR}",
}

Header = tuple[bytes, bytes]
NOT_KEPT: Header = (b"cache-control", b"no-store")


class TokenStore(Protocol):
    """Which named tokens hold."""

    @property
    def signer(self) -> Signer: ...

    async def holder(self, token: str) -> tuple[str, str] | None:
        """The device for which a named token acts, and its id; None if it is none of ours, or was revoked."""

    async def revoked(self, device: str, token: str) -> None:
        """Wait until a token is revoked."""


@dataclass(frozen=True, slots=True)
class NoTokens:
    """No named token holds."""

    signer: Signer

    async def holder(self, _token: str) -> tuple[str, str] | None:
        return None

    async def revoked(self, _device: str, _token: str) -> None:
        await asyncio.Event().wait()


class VisitorMiddleware:
    """Gives each request a device and a language, and refuses what comes from another site."""

    def __init__(self, app: ASGIApp, tokens: TokenStore, config: Config, gate: Gate) -> None:
        self._app, self._tokens, self._config, self._gate = app, tokens, config, gate
        self._signer = signer = tokens.signer
        always = HEADERS | (SECURE_HEADERS if config.secure else {})
        self._headers: list[Header] = [(name.encode(), value.encode()) for name, value in always.items()]
        self._cookie = f"{config.cookie_prefix}kasta-{signer.instance}"
        self._hosts, self._proxies = config.hosts, config.proxies

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401 - we add a key
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": None})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["path"] = one_path(scope["path"])
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        found = self._refusal(scope, headers) or await self._visitor(scope, headers)
        if isinstance(found, Visitor):
            scope[VISITOR] = found
            await self._serve(scope, receive, send, found)
        else:
            await self._refuse(scope, send, *found)

    async def _serve(self, scope: Any, receive: Receive, send: Send, visitor: Visitor) -> None:  # noqa: ANN401
        async def send_with_headers(message: Any) -> None:  # noqa: ANN401 - an ASGI message
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._extra(scope, visitor, message["headers"])]
            await send(message)

        if cost := await self._gate.admit(scope, send_with_headers, visitor):
            try:
                await self._app(scope, receive, send_with_headers)
            finally:
                self._gate.leave(cost)

    async def _refuse(self, scope: Scope, send: Send, status: int, text: str) -> None:
        about = {"kind": "http", "code": str(status), "message": text}
        kind, body = (JSON, json.dumps({"error": about})) if _is_api(scope) else (TEXT, text)
        await hang_up(send, status, kind, body.encode(), NOT_KEPT, *self._headers)

    def _extra(self, scope: Scope, visitor: Visitor, sent: Sequence[Header]) -> Iterator[Header]:
        """What every browser must be told beside the answer."""
        names = {name.lower() for name, _ in sent}
        own_policy = POLICY_NAME in names  # the answer of a worker may carry another one
        yield from (each for each in self._headers if not (own_policy and each[0] == POLICY_NAME))
        if not scope["path"].startswith("/static/"):
            if b"cache-control" not in names:
                yield NOT_KEPT  # it is for this device alone
            if visitor.is_new and visitor.device and not _is_api(scope):
                yield b"set-cookie", self._set_cookie(visitor.device).encode()

    async def _visitor(self, scope: Scope, headers: dict[str, str]) -> Visitor | Refusal:
        cookies = _cookies(headers.get("cookie", ""))
        try:
            device, is_new, named = await self._identity(_bearer(headers), cookies.get(self._cookie))
        except KastaError:
            return NO_STORE
        chosen = cookies.get(SECURE_LANGUAGE_COOKIE) or cookies.get(LANGUAGE_COOKIE)
        language = choose(headers.get("accept-language"), chosen)
        return Visitor(device, is_new, language, self._address(scope), self._origin(scope, headers), named)

    async def _identity(
        self, bearer: str | None, cookie: str | None
    ) -> tuple[str | None, bool, NamedToken | None]:
        """The device, whether it is new, and the token that acts for it, where it is not the device's own."""
        device = self._signer.device(cookie if bearer is None else bearer)
        if bearer is None:
            return device or self._signer.new_device(), device is None, None
        if device is None and (found := await self._tokens.holder(bearer)):
            return found[0], False, NamedToken(bearer, partial(self._tokens.revoked, *found))
        return device, device is None, None

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Refusal | None:
        host = headers.get("host", "").lower()
        if (refusal := _malformed(scope, host)) is not None:
            return refusal
        if self._hosts and re.sub(r":\d+$", "", host) not in self._hosts:
            return OTHER_HOST
        return None if self._is_of_ours(scope, headers, host) else OTHER_SITE

    def _is_of_ours(self, scope: Any, headers: dict[str, str], host: str) -> bool:  # noqa: ANN401 - an HTTPScope
        """Whether it changes nothing, or is sent by our own pages, or by a program that has no cookies."""
        if scope["method"] in SAFE or _bearer(headers) is not None:
            return True
        site, source = headers.get("sec-fetch-site"), headers.get("origin") or headers.get("referer")
        if site is None and source is None:
            return _is_api(scope) and "cookie" not in headers
        if site in {"cross-site", "same-site"}:
            return False
        return site == "same-origin" or _site(source) in {host, _site(self._config.url) or host}

    def _set_cookie(self, device: str) -> str:
        secure = "; Secure" if self._config.secure else ""
        return (
            f"{self._cookie}={self._signer.token(device)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={YEAR}{secure}"
        )

    def _address(self, scope: Scope) -> str:
        """Whom limits count. What a proxy of ours says is believed, up to the first who is none."""
        address = (scope.get("client") or ("unknown", 0))[0]
        if self._config.uds or address in self._proxies:  # who may open the socket is a proxy
            for passed in reversed(_forwarded(scope)):
                if not is_address(passed):
                    break
                address = passed
                if address not in self._proxies:
                    break
        return network(address)

    def _origin(self, scope: Scope, headers: dict[str, str]) -> str:
        scheme = "https" if self._config.secure else scope["scheme"]
        return self._config.url or f"{scheme}://{headers.get('host', 'localhost')}"


def one_path(path: str) -> str:
    """A path as the framework reads it, which forgives slashes: limits, rights and answers see the same one."""
    return re.sub("/{2,}", "/", path).rstrip("/") or "/" if "//" in path or path.endswith("/") else path


def _is_api(scope: Scope) -> bool:
    return scope["path"].startswith("/api/")


def _forwarded(scope: Scope) -> list[str]:
    """The addresses that proxies have passed on, in however many lines."""
    lines = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
    return [each.strip() for each in ",".join(lines).split(",")]


def _bearer(headers: dict[str, str]) -> str | None:
    """The token that a program shows. A password asked for by a proxy is none of our business."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _site(url: str | None) -> str:
    try:
        return urlsplit(url or "").netloc.lower()
    except ValueError:
        return ""


def _cookies(header: str) -> dict[str, str]:
    """Other programs on this host set cookies, too; one that is odd must not hide ours."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return {name: value.strip('"') for name, _, value in pairs}


def _malformed(scope: Scope, host: str) -> Refusal | None:
    if not re.fullmatch(r"/[^\x00-\x1f\x7f]*", scope["path"]):
        return NO_PATH
    if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        return TOO_LONG
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEADERS:
        return TOO_MUCH
    is_name = re.fullmatch(r"([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?", host, re.ASCII)
    return None if is_name else NO_HOST
