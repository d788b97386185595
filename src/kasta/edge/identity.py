"""Who is who: every browser gets a device id of its own, signed so that nobody can take another's."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network

SEAT_LINK_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with the key that all processes of a store share."""

    key: bytes

    @property
    def instance(self) -> str:
        """Cookies ignore ports, so each instance has names of its own for them."""
        return hashlib.sha256(b"instance" + self.key).hexdigest()[:8]

    def new_device(self) -> str:
        return secrets.token_urlsafe(16)

    def token(self, device: str) -> str:
        """What a device shows to be itself: as a cookie, or as a bearer token."""
        return f"{device}.{self._sign('device', device)}"

    def device(self, token: str | None) -> str | None:
        """The device that a token belongs to, None if it was forged."""
        device, _, signature = (token or "").partition(".")
        return device if device and self._is_signed(signature, "device", device) else None

    def named_token(self, device: str, token: str) -> str:
        """What a program shows that acts for a device, for as long as that lets it."""
        return f"{device}.{token}.{self._sign('token', f'{device} {token}')}"

    def named(self, text: str) -> tuple[str, str] | None:
        """The device and the id of a named token, None if it was forged."""
        parts = re.fullmatch(r"([\w-]{1,64})\.([\w-]{1,40})\.([\w-]+)", text, re.ASCII)
        if parts is None or not self._is_signed(parts[3], "token", f"{parts[1]} {parts[2]}"):
            return None
        return parts[1], parts[2]

    def seat_link(self, table: str, seat: int, device: str) -> str:
        """A secret that moves a seat away from the device it is at now: so it works once, and not for long."""
        expires = int(time.time()) + SEAT_LINK_SECONDS
        return f"{seat}.{expires}.{self._sign('seat', f'{table} {seat} {device} {expires}')}"

    def check_seat_link(self, secret: str, table: str, seat: int, device: str) -> bool:
        parts = re.fullmatch(r"(\d{1,6})\.(\d{1,12})\.([\w-]+)", secret, re.ASCII)
        if parts is None or parts[1] != str(seat) or time.time() >= int(parts[2]):
            return False
        return self._is_signed(parts[3], "seat", f"{table} {seat} {device} {parts[2]}")

    def games_link(self, device: str) -> str:
        """A secret that takes a device's finished games along to another one, for a while."""
        expires = int(time.time()) + SEAT_LINK_SECONDS
        return f"{device}.{expires}.{self._sign('games', f'{device} {expires}')}"

    def games_of(self, secret: str) -> str | None:
        """The device whose games a secret takes along; None if it was forged, or is too old."""
        parts = re.fullmatch(r"([\w-]{1,64})\.(\d{1,12})\.([\w-]+)", secret, re.ASCII)
        if parts is None or time.time() >= int(parts[2]):
            return None
        return parts[1] if self._is_signed(parts[3], "games", f"{parts[1]} {parts[2]}") else None

    def mark(self, text: str) -> str:
        """By which a text is known again, without being told."""
        return self._sign("mark", text)

    def _is_signed(self, signature: str, purpose: str, text: str) -> bool:
        return hmac.compare_digest(signature.encode(), self._sign(purpose, text).encode())

    def _sign(self, purpose: str, text: str) -> str:
        digest = hmac.digest(self.key, f"{purpose}:{text}".encode(errors="replace"), "sha256")
        return base64.urlsafe_b64encode(digest[:18]).decode()


def is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def network(address: str) -> str:
    """What limits count by: an address, or the network of IPv6 addresses that one household has to itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    short = found if isinstance(found, IPv4Address) else found.ipv4_mapped
    return str(short or ip_network((found.packed, 64), strict=False))
