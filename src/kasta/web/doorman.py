"""Stands before every request: who is it, may they come in this way, and what browsers must be told."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Receive, Scope, Send

from kasta.i18n import choose
from kasta.web.config import Config
from kasta.web.identity import Signer

SAFE = {"GET", "HEAD", "OPTIONS"}
LANGUAGE_COOKIE = "kasta-language"
YEAR = 365 * 86_400
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}


class Doorman:
    """Gives each request a device and a language, and refuses what comes from another site."""

    def __init__(self, app: ASGIApp, signer: Signer, config: Config) -> None:
        self._app, self._signer, self._config = app, signer, config
        self._cookie = f"{config.cookie_prefix}kasta-{signer.instance}"

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401 - we add a key
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if (refusal := self._refusal(scope["method"], headers)) is not None:
            await _answer(send, *refusal)
            return
        cookies = _cookies(headers.get("cookie", ""))
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        device = self._signer.device(bearer) if "authorization" in headers else None
        known = device or self._signer.device(cookies.get(self._cookie))
        made = None if known or "authorization" in headers else self._signer.new_device()
        scope["kasta"] = {
            "device": known or made,
            "language": choose(headers.get("accept-language"), cookies.get(LANGUAGE_COOKIE)),
            "address": self._address(scope, headers),
            "origin": self._origin(scope, headers),
        }

        async def send_with_headers(message: Any) -> None:  # noqa: ANN401 - an ASGI message
            if message["type"] == "http.response.start":
                extra = dict(HEADERS)
                if made and scope["path"][:5] != "/api/" and scope["path"][:8] != "/static/":
                    extra["set-cookie"] = self._set_cookie(made)
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in extra.items())]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._config.hosts and host.rsplit(":", 1)[0] not in self._config.hosts:
            return 421, "This server does not answer to that name."
        if method in SAFE or "authorization" in headers:
            return None
        if headers.get("sec-fetch-site") == "same-origin":
            return None
        source = headers.get("origin") or headers.get("referer", "")
        if urlsplit(source).netloc != host:
            return 403, "Only this site's own pages may send this."
        return None

    def _set_cookie(self, device: str) -> str:
        secure = "; Secure" if self._config.secure else ""
        return (
            f"{self._cookie}={self._signer.token(device)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={YEAR}{secure}"
        )

    def _address(self, scope: Scope, headers: dict[str, str]) -> str:
        address = (scope.get("client") or ("unknown", 0))[0]
        if address in self._config.proxies and "x-forwarded-for" in headers:
            return headers["x-forwarded-for"].rsplit(",", 1)[-1].strip()
        return address

    def _origin(self, scope: Scope, headers: dict[str, str]) -> str:
        scheme = "https" if self._config.secure else scope["scheme"]
        return self._config.url or f"{scheme}://{headers.get('host', 'localhost')}"


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


async def _answer(send: Send, status: int, text: str) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        *((k.encode(), v.encode()) for k, v in HEADERS.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode(), "more_body": False})
