"""Whom to tell about a hole in this server: /.well-known/security.txt, where its operator has named somebody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from litestar import get

from kasta.edge.config import Config

GOOD_FOR = timedelta(days=180)  # RFC 9116 advises less than a year


def security_txt(config: Config) -> list[Any]:
    """Its handler, none if there is nobody to name."""
    if not config.security_contact:
        return []

    @get("/.well-known/security.txt", media_type="text/plain", include_in_schema=False)
    async def tell() -> str:
        return written(config, datetime.now(UTC))

    return [tell]


def written(config: Config, now: datetime) -> str:
    """As RFC 9116 has it. It expires by and by, since a server that runs is one that somebody looks after."""
    contact = config.security_contact
    lines = [
        f"Contact: {contact if ':' in contact else f'mailto:{contact}'}",
        f"Expires: {now + GOOD_FOR:%Y-%m-%dT%H:%M:%SZ}",
    ]
    if config.secure:
        lines.append(f"Canonical: {config.url}/.well-known/security.txt")
    return "".join(f"{line}\n" for line in lines)
