"""One request to a push service. Its address came from a browser, so only public hosts are asked, by https.

The host's address is looked up once, checked, and used: a name cannot lead elsewhere in between. Redirects are not
followed, and nothing of an answer is read but its head.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from kasta.features.notices.lookups import addresses_of, is_public, is_usual

ANSWER_SECONDS = 10.0
LONGEST_HEAD = 16_384
PORTS = {"https": 443, "http": 80}


class PushAnswer(NamedTuple):
    """Its status, and how many seconds it wants us to wait; 0: it does not say."""

    status: int
    wait: int


class NotPublicError(ValueError):
    """The address of a push service that is none that we ask."""


def origin_of(address: str, trusted: tuple[str, ...] = ()) -> str:
    """The origin of an address that we may be asked to post to; NotPublicError if it is another."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise NotPublicError(address) from error
    origin = f"{parts.scheme}://{parts.netloc}"
    if not parts.hostname or parts.username is not None or not address.isascii() or not address.isprintable():
        raise NotPublicError(address)
    if origin not in trusted and (parts.scheme != "https" or port not in {None, 443} or " " in address):
        raise NotPublicError(address)
    return origin


def is_known(address: str, trusted: tuple[str, ...]) -> bool:
    """Whether it is of a push service that is no invention of whoever sent it."""
    try:
        return origin_of(address, trusted) in trusted or is_usual(urlsplit(address).hostname or "")
    except NotPublicError:
        return False


async def post(address: str, headers: Mapping[str, str], body: bytes, trusted: tuple[str, ...] = ()) -> PushAnswer:
    """Post something, and read the head of the answer. OSError, ValueError or TimeoutError if there is none."""
    origin, parts = origin_of(address, trusted), urlsplit(address)
    async with asyncio.timeout(ANSWER_SECONDS):
        host = await _public_address(parts, is_trusted=origin in trusted)
        tls = _tls() if parts.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            host,
            parts.port or PORTS[parts.scheme],
            ssl=tls,
            server_hostname=parts.hostname if tls else None,
            limit=LONGEST_HEAD,
        )
        try:
            path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            sent = {"host": parts.netloc, "content-length": str(len(body)), "connection": "close", **headers}
            head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
            writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
            await writer.drain()
            return _read((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
        except asyncio.IncompleteReadError as error:
            raise ConnectionError("no answer") from error
        except asyncio.LimitOverrunError as error:
            raise ConnectionError("a long answer") from error
        finally:
            writer.transport.abort()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


async def _public_address(parts: SplitResult, *, is_trusted: bool) -> str:
    host = parts.hostname or ""
    port = parts.port or PORTS[parts.scheme]
    addresses = await addresses_of(host, port, is_known=is_trusted or is_usual(host))
    if not addresses or not (is_trusted or all(map(is_public, addresses))):
        raise NotPublicError(host)
    return addresses[0]


def _read(head: str) -> PushAnswer:
    first, *lines = head.split("\r\n")
    protocol, _, rest = first.partition(" ")
    if not protocol.startswith("HTTP/1.") or not rest[:3].isdecimal():
        raise ConnectionError("no answer of HTTP")
    wait = 0
    for line in lines:
        name, _, value = line.partition(":")
        if name.lower() == "retry-after":
            with suppress(ValueError):
                wait = max(0, int(value))
    return PushAnswer(int(rest[:3]), wait)
