"""All that somebody can be told at a table, and all ways to write a secret."""

from __future__ import annotations

import base64

from support.visitors import Visitor


def listen(who: Visitor, path: str, events: int) -> str:
    """A stream from its beginning, until so many events were told."""
    told, heard = "", 0
    with who.http.stream("GET", path) as stream:
        for line in stream.iter_lines():
            told += line + "\n"
            heard += line.startswith("data: {")
            if heard >= events:
                return told
    return told


def look_around(who: Visitor, table: str) -> list[str]:
    """Everything that somebody can ask for at a table."""
    last = who.get(f"/api/tables/{table}").json()["seq"]
    pages = [
        f"/t/{table}{page}" for page in ("", "/parts", "/proof", "/record", "/seat", "/qr.svg", "?seat=0&serve=1")
    ]
    pages += [f"/api/tables/{table}", f"/api/tables/{table}/record", "/health", "/", "/api/openapi.json"]
    answers = [who.get(page) for page in pages]
    told = [answer.text + str(answer.headers) for answer in answers]
    told.append(listen(who, f"/t/{table}/stream", 1))
    told.append(listen(who, f"/api/tables/{table}/stream", last))
    return told


def in_all_ways(secret: bytes) -> list[str]:
    plain = base64.b64encode(secret).decode().rstrip("=")
    return [
        secret.hex(),
        secret.hex().upper(),
        plain,
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        repr(secret)[2:-1],
    ]
