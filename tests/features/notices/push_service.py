"""A push service of our own on loopback, and the browsers that it serves: it checks who sends, and they decrypt.

Written from RFC 8030, 8188, 8291 and 8292; it shares no code with what it tests.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


def mac(key: bytes, *data: bytes) -> bytes:
    made = hmac.HMAC(key, hashes.SHA256())
    made.update(b"".join(data))
    return made.finalize()


@dataclass
class Browser:
    """What a browser keeps of its subscription."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = bytes(range(16))

    @property
    def public(self) -> bytes:
        form = serialization.PublicFormat.UncompressedPoint
        return self.key.public_key().public_bytes(serialization.Encoding.X962, form)

    def decrypt(self, body: bytes) -> bytes:
        """RFC 8291, section 3.4, with the key derivation written out."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size, "one record"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), public)
        secret = mac(mac(self.auth, shared), b"WebPush: info\0", self.public, sender, b"\1")
        random = mac(salt, secret)
        key = mac(random, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = mac(random, b"Content-Encoding: nonce\0\1")[:12]
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        return plain[:-1]


@dataclass
class Pushed:
    """A request, by the path that a subscription has."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """Answers with a `status`, or with those of single paths; None: not at all."""

    port: int = 0
    status: int | None = 201
    of_path: dict[str, int | None] = field(default_factory=dict)
    heard: list[Pushed] = field(default_factory=list)
    more: str = ""  # headers

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def claims(self, pushed: Pushed, key: str) -> dict[str, Any]:
        """What the sender says of itself, if its signature is that of the key."""
        scheme, _, rest = pushed.headers["authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert (scheme, parts["k"]) == ("vapid", key)
        signed, _, signature = parts["t"].rpartition(".")
        numbers = (int.from_bytes(half) for half in (decoded(signature)[:32], decoded(signature)[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
        public.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
        assert json.loads(decoded(signed.partition(".")[0])) == {"typ": "JWT", "alg": "ES256"}
        return dict(json.loads(decoded(signed.partition(".")[2])))

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in lines if line)
            headers |= {
                name: line.split(": ", 1)[1]
                for line in lines
                for name in ("authorization", "topic")
                if line.lower().startswith(f"{name}: ")
            }
            method, path, _ = first.split(" ")
            assert method == "POST"
            self.heard.append(Pushed(path, headers, await reader.readexactly(int(headers["content-length"]))))
            status = self.of_path.get(path, self.status)
            if status is None:
                await reader.read()
            else:
                writer.write(f"HTTP/1.1 {status} So\r\n{self.more}content-length: 0\r\n\r\n".encode())
                await writer.drain()
        except asyncio.IncompleteReadError:
            pass  # whoever asked has gone
        finally:
            writer.close()


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    service = PushService()
    server = await asyncio.start_server(service.answer, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    yield service
    server.close()
