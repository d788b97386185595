"""Forged forms are 400 and never 500, whatever is in them; a stream whose table goes ends without a word."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from kasta.app import create_app
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config

Visits = Callable[..., Any]
FIELD = 'content-disposition: form-data; name="name"'
MULTIPART = "multipart/form-data; boundary=x"


def part(head: str, body: bytes = b"Tim") -> bytes:
    return b"--x\r\n" + head.encode("latin-1", "replace") + b"\r\n\r\n" + body + b"\r\n--x--\r\n"


@pytest.mark.parametrize("encoding", ["nope", "hex", "a\0b", "undefined"])
@pytest.mark.parametrize("path", ["/t/{table}/sit", "/t/{table}/command", "/join", "/language"])
async def test_a_part_in_an_unknown_encoding_is_refused(visit: Visits, path: str, encoding: str):
    anna = await visit()
    table = (await anna.post("/new/knister", data={"name": "Anna"})).headers["location"][3:]
    content = part(f"{FIELD}\r\ncontent-type: text/plain; charset={encoding}")
    answer = await anna.post(path.format(table=table), content=content, headers={"content-type": MULTIPART})
    assert answer.status_code == 400


KINDS = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json", "text/plain", "", ";"]
EXTRAS = ["charset=utf-8", "charset=nope", "charset", "charset=", "boundary=x", "boundary=", 'boundary="']
HEADS = [FIELD, f"{FIELD}; filename=x", f"{FIELD}; filename*=nope''x", "content-disposition: form-data", "x", ""]
ENCODINGS = ["nope", "utf-8", "utf-16", "idna", "hex", "rot13", "undefined", "punycode", "unicode_escape", "\xff"]
PATHS = ["/t/{table}/sit", "/t/{table}/play", "/t/{table}/settings", "/new/knister", "/join", "/language"]
PATHS += ["/api/tables", "/api/tables/{table}/seats", "/api/tables/{table}/play", "/api/tables/{table}/settings"]

extras = st.lists(st.sampled_from(EXTRAS), max_size=4)
kinds = st.builds(lambda kind, more: "; ".join([kind, *more]), st.sampled_from(KINDS), extras)
parts = st.builds(
    lambda head, encoding, body: part(f"{head}\r\ncontent-type: text/plain; charset={encoding}", body),
    st.sampled_from(HEADS),
    st.sampled_from(ENCODINGS),
    st.binary(max_size=40),
)
fields = st.dictionaries(
    st.sampled_from(["name", "turn", "seat", "step", "do", "pace", "code", "bots", "game", "settings"]),
    st.one_of(st.text(max_size=20), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=3)),
)
jsons = fields.map(lambda found: json.dumps(found).encode())
forms = fields.map(lambda found: urlencode(found, doseq=True, errors="replace").encode())


async def _send(app: Any, path: str, kind: str, body: bytes) -> httpx.Response:  # noqa: ANN401 - ASGI
    headers = [("origin", "http://kasta.test"), ("sec-fetch-site", "same-origin"), ("content-type", kind)]
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://kasta.test") as client:
        return await client.post(path, content=body, headers=headers)


def test_no_form_or_body_makes_a_fault():
    with asyncio.Runner() as runner:
        log = MemoryLog()
        app = runner.run(create_app(log, Config(tables_an_address=10**6, allow=("kasta.test",))))
        opened = runner.run(_send(app, "/new/knister", KINDS[0], b"name=Anna"))
        table = opened.headers["location"].removeprefix("/t/")
        statuses = Counter[int]()

        @settings(max_examples=300, deadline=None, derandomize=True, database=None)
        @given(st.sampled_from(PATHS), kinds, st.one_of(parts, jsons, forms, st.binary(max_size=60)))
        def send(path: str, kind: str, body: bytes) -> None:
            status = runner.run(_send(app, path.format(table=table), kind, body)).status_code
            assert status < 500
            statuses[status] += 1

        send()
        runner.run(log.close())
    assert {303, 400} <= statuses.keys()


@pytest.mark.parametrize("path", ["/t/{0}/stream", "/api/tables/{0}/stream", "/api/tables/{0}/stream?throws=1"])
async def test_a_stream_whose_table_is_deleted_ends_cleanly(path: str, caplog: pytest.LogCaptureFixture):
    async with MemoryLog() as log:
        app = await create_app(log, Config(allow=("kasta.test",)))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kasta.test") as client:
            table = (await client.post("/api/tables", json={"game": "knister"})).json()["table"]
            await client.post(f"/api/tables/{table}/seats", json={"name": "Tim"})
            stream = asyncio.create_task(client.get(path.format(table)))
            while not (await client.get("/health")).json()["streams"]:
                await asyncio.sleep(0.01)
            await client.post(f"/api/tables/{table}/seats", json={"name": "Eve"})
            await log.delete(table)
            log.wake(table)
            async with asyncio.timeout(30):
                assert (await stream).status_code == 200
            assert (await client.get(path.format(table))).status_code == 404
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
