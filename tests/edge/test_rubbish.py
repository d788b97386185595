"""Thousands of rubbish requests, oversized bodies, endless lines: refused, and the server stays well."""

from __future__ import annotations

import random
import re
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import closing

import pytest

from support.visitors import Phone, Program, Server, read_all

REQUESTS = 5_000
METHODS = [
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "CONNECT",
    "get",
    "LOCK",
    "G T",
    "",
]
PIECES = [
    "t",
    "api",
    "tables",
    "new",
    "knister",
    "static",
    "..",
    "%2e%2e",
    "%00",
    "%ff",
    "rules",
    "stream",
    "seats",
    "play",
]
PIECES += [
    "parts",
    "record",
    "proof",
    "qr.svg",
    "seat",
    "join",
    "language",
    "health",
    "rooms",
    "%F0%9F%8E%B2",
    "{x}",
    "<b>",
]
PIECES += [
    "openapi.json",
    "manifest.webmanifest",
    "roll",
    "a" * 500,
    "\\",
    "%",
    "*",
    "é",
    ";",
    "host",
    "sit",
    "command",
]
NAMES = [
    "Accept",
    "Accept-Language",
    "Cookie",
    "Origin",
    "Referer",
    "Range",
    "Content-Type",
    "If-None-Match",
    "Expect",
]
NAMES += [
    "Last-Event-ID",
    "Authorization",
    "X-Forwarded-For",
    "Upgrade",
    "Accept-Encoding",
    "Sec-Fetch-Site",
    "Te",
    "X",
]
VALUES = [
    "",
    "x",
    "a=b; c",
    "\xff\xfe",
    "*/*;q=nan",
    "sv;q=inf,de;q=-1",
    "bytes=0-1,9-",
    "http://[",
    "Bearer .",
    "Bearer",
]
VALUES += [
    "application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "100-continue",
    "websocket",
    "h2c",
]
VALUES += [
    "application/x-www-form-urlencoded; charset=\xff",
    "application/x-www-form-urlencoded",
    "application/vnd.kasta.parts+json",
]
VALUES += [
    "gzip;q=x",
    "-1",
    "99999999999999999999",
    "same-origin",
    'kasta="\\',
    "kasta-language=xx; =;;",
    "é" * 50,
]
BODIES = [
    b"",
    b"x",
    b"{}",
    b"[]",
    b"null",
    b'{"game": 1}',
    b'{"a":' * 500,
    b"\x00\xff",
    b"a=b&a=c&=&&",
    b"%ff%fe=%00",
]
BODIES += [
    b"--x\r\n\r\n\r\n--x--",
    b"--x\r\ncontent-disposition: form-data; name\r\n\r\n",
    b'{"turn": 1e999}',
    b"turn=\xb2",
]
BODIES += [
    b'{"game": "knister", "settings": {"pace": 99999999999999999999999}}',
    b"seat=999999999&turn=0&do=c3&step=0",
]


def rubbish(rng: random.Random, table: str, host: bytes) -> bytes:
    pieces = rng.choices([*PIECES, table], k=rng.randint(0, 5))
    path = "/" * rng.choice([1, 1, 1, 0, 2]) + "/".join(pieces)
    if rng.random() < 0.5:
        path = f"/{rng.choice(['t', 'api/tables'])}/{table}/{rng.choice(PIECES)}"
    if rng.random() < 0.3:
        path += "?" + "&".join(
            f"{rng.choice(['seat', 'after', 'serve', 'error', '%'])}={rng.choice(VALUES)}" for _ in range(3)
        )
    if rng.random() < 0.02:
        path += "?" + "x" * rng.choice([5_000, 60_000])
    headers = [(rng.choice(NAMES), rng.choice(VALUES)) for _ in range(rng.randint(0, 4))]
    body = rng.choice(BODIES)
    sent = str(len(body)) if rng.random() < 0.9 else rng.choice(["-1", "x", "0", "99999"])
    lines = [
        f"{rng.choice(METHODS)} {path} HTTP/{rng.choice(['1.1'] * 8 + ['1.0', '9.9'])}".encode(
            "latin-1", "replace"
        )
    ]
    lines += [b"host: " + (host if rng.random() < 0.95 else b"\xff"), b"connection: close"]
    lines += [f"{name}: {value}".encode("latin-1", "replace") for name, value in headers]
    if body:
        lines.append(f"content-length: {sent}".encode())
    if rng.random() < 0.5:
        lines.append(b"sec-fetch-site: same-origin")
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def status_of(server: Server, request: bytes) -> str:
    """Only the first line matters, and a stream would not end."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=2)) as line:
        try:
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(4_096)
        except OSError:  # it hangs up, also while we are still sending
            return "none"
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    return found[1].decode() if found else "none"


def test_thousands_of_rubbish_requests_do_no_harm(server: Server, phone: Callable[[], Phone]):
    anna, rng = phone(), random.Random(20)
    table = anna.open("Anna", "Tim")
    anna.roll(table)
    host = f"127.0.0.1:{server.port}".encode()
    answers: Counter[str] = Counter()
    for _ in range(REQUESTS):
        request = rubbish(rng, table, host)
        status = status_of(server, request)
        assert not status.startswith("5"), request[:2_000]
        answers[status] += 1
    assert {"200", "400", "403", "404", "405", "414"} <= answers.keys(), answers
    assert answers["none"] < REQUESTS / 20, answers
    assert anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="c3").status_code == 303


BIG = 40_000


@pytest.mark.parametrize(
    "kind", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused(kind: str, chunked: bool, phone: Callable[[], Phone]):  # noqa: FBT001
    anna = phone()
    table = anna.open("Anna")
    body = {
        "application/json": b'{"name": "' + b"x" * BIG + b'"}',
        "application/x-www-form-urlencoded": b"name=" + b"x" * BIG,
    }.get(kind, b'--x\r\ncontent-disposition: form-data; name="name"\r\n\r\n' + b"x" * BIG + b"\r\n--x--\r\n")
    path = f"/api/tables/{table}/seats" if kind == "application/json" else f"/t/{table}/sit"
    content = (body[at : at + 1_000] for at in range(0, len(body), 1_000)) if chunked else body
    answer = anna.http.post(path, content=content, headers={"content-type": kind})
    assert answer.status_code == 413
    assert len(anna.state(table)["seats"]) == 1


def test_a_body_that_never_ends_is_not_kept(server: Server, phone: Callable[[], Phone]):
    table = phone().open("Anna")
    head = f"POST /t/{table}/sit HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\nsec-fetch-site: same-origin\r\n"
    head += "content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=5)) as line:
        line.sendall(head.encode())
        try:
            for _ in range(200):
                line.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
        except ConnectionError:
            pass
        line.shutdown(socket.SHUT_WR)
        assert b" 413 " in read_all(line)[:100]
    assert server.is_healthy()


def test_many_fields_and_files_are_refused_or_passed_over(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    answer = anna.post(f"/t/{table}/sit", **{f"f{n}": "" for n in range(2_000)})
    assert answer.status_code in {400, 413}
    answer = anna.http.post(f"/t/{table}/sit", files={"name": ("x" * 500, b"<b>", "text/html")})
    assert answer.status_code in {303, 400}


@pytest.mark.parametrize("depth", [100, 5_000, 15_000])
def test_deeply_nested_json_is_refused(depth: int, program: Callable[[], Program]):
    client = program()
    headers = {"content-type": "application/json"}
    for body in (b"[" * depth, b'{"game":' * (depth // 5), b'{"game": "knister", "x": ' + b"[" * depth):
        assert client.http.post("/api/tables", content=body, headers=headers).status_code in {400, 413}


def test_long_headers_are_refused(server: Server):
    host = f"host: 127.0.0.1:{server.port}\r\nconnection: close\r\n"
    for request in (
        f"GET / HTTP/1.1\r\n{host}x: {'x' * 40_000}\r\n\r\n",
        f"GET / HTTP/1.1\r\n{host}" + "x: y\r\n" * 20_000 + "\r\n",
        f"GET / HTTP/1.1\r\n{host}cookie: {'a=b;' * 20_000}\r\n\r\n",
        f"GET /{'x' * 1_000_000} HTTP/1.1\r\n{host}\r\n",
    ):
        answer = server.raw(request.encode())[:20]
        assert re.match(rb"HTTP/1.1 4(00|14|31) ", answer) or not answer, (request[:80], answer)
        assert server.is_healthy(), "it hung up, and did not fall over"


@pytest.mark.parametrize("path", ["/", "/t/x/stream", "/api/tables/x/stream"])
def test_an_upgrade_is_not_taken_up(path: str, server: Server):
    request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
    request += "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    assert re.match(rb"HTTP/1.1 (200|404) ", server.raw(request.encode(), 1))


@pytest.mark.parametrize(
    ("pace", "code"),
    [(0, "short"), (-(10**30), "short"), (100_000, "long"), (10**30, "long"), (10**400, "long")],
)
def test_no_table_has_a_time_to_act_that_no_clock_could_keep(pace: int, code: str, program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    for path, body in (
        ("/tables", {"game": "knister", "settings": {"pace": pace}}),
        (f"/tables/{table}/settings", {"pace": pace}),
    ):
        assert anna.post(path, body).json()["error"]["code"] == f"pace_too_{code}"
